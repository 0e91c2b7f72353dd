"use strict";
// The page of the dashboard: plain DOM, one stream of events for the crawl that is shown. All text goes in as text.
const $ = (id) => document.getElementById(id);
const API = "/api/v1/crawls";
const TABS = ["Live", "Records", "Hosts", "Workers", "Given up", "Rules", "Sites"];
const HISTORY = 120;
let shown = null, tab = "Live", source = null, latest = null, points = [], fresh = [], searched = "";

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false && value !== null) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const number = (value) => (value ?? 0).toLocaleString("en");
const size = (bytes) => {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let at = 0;
  while (bytes >= 1000 && at < units.length - 1) { bytes /= 1000; at += 1; }
  return `${bytes.toFixed(at && bytes < 100 ? 1 : 0)} ${units[at]}`;
};
const at = (name) => `${API}/${encodeURIComponent(name)}`;

async function ask(url, method = "GET", body = undefined) {
  const headers = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (answer.status === 204) return null;
  const data = await answer.json();
  if (!answer.ok) throw new Error(data.detail || data.title || `HTTP ${answer.status}`);
  return data;
}
const say = (text) => { $("said").textContent = text; setTimeout(() => { $("said").textContent = ""; }, 4000); };

// -- the list of crawls ---------------------------------------------------------------------------------------------
async function listCrawls() {
  const crawls = await ask(API);
  $("none").hidden = crawls.length > 0;
  const focused = document.activeElement?.dataset?.crawl;
  $("crawls").replaceChildren(...crawls.map((crawl) => el("li", {}, el("button", {
    type: "button", "data-crawl": crawl.name, "aria-current": crawl.name === shown ? "true" : undefined, onclick: () => show(crawl.name),
  }, el("b", {}, crawl.name), el("span", { class: "sub" }, `${crawl.state}, ${number(crawl.pages)} pages`)))));
  if (focused) document.querySelector(`[data-crawl="${CSS.escape(focused)}"]`)?.focus();
  if (shown === null && crawls.length) show(location.hash.slice(1) && crawls.some((c) => c.name === decodeURIComponent(location.hash.slice(1))) ? decodeURIComponent(location.hash.slice(1)) : crawls[0].name);
}

function show(name) {
  shown = name; points = []; fresh = []; latest = null; searched = "";
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  $("hint").hidden = true; $("view").hidden = false; $("name").textContent = name;
  source?.close();
  source = new EventSource(`${at(name)}/events`);
  source.addEventListener("figures", (event) => figures(JSON.parse(event.data)));
  source.addEventListener("records", (event) => arrived(JSON.parse(event.data)));
  drawTabs(); drawPanel(); listCrawls();
}

function figures(crawl) {
  if (crawl.name !== shown) return;
  latest = crawl;
  points.push({ rate: crawl.rate, bytes: crawl.bytes_rate, queued: crawl.frontier.queued, latency: (crawl.latency ?? 0) * 1000 });
  points = points.slice(-HISTORY);
  $("state").textContent = crawl.state; $("state").className = `state ${crawl.state}`;
  $("fault").hidden = !crawl.error; $("fault").textContent = crawl.error ?? "";
  const running = crawl.state === "running";
  for (const button of document.querySelectorAll("[data-do]")) {
    const what = button.dataset.do;
    button.disabled = !crawl.steerable || (what === "pause" ? !running : what === "resume" || what === "remove" ? running : what === "cancel" ? crawl.state === "cancelled" || crawl.state === "done" : false);
  }
  const rows = [["Pages", number(crawl.pages)], ["Pages a second", crawl.rate.toFixed(1)], ["Records", number(crawl.records)],
    ["Received", size(crawl.bytes)], ["Queued", number(crawl.frontier.queued)], ["Under way", number(crawl.frontier.leased)],
    ["Given up", number(crawl.frontier.dead)], ["Hosts", number(crawl.frontier.hosts)]];
  if (crawl.max_pages) rows.push(["Most pages", number(crawl.max_pages)]);
  $("figures").replaceChildren(...rows.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, value))));
  if (tab === "Live") drawLive();
  if (tab === "Workers") drawWorkers();
}

function arrived(records) {
  fresh = [...records.reverse(), ...fresh].slice(0, 200);
  if (tab === "Records" && !searched) {
    const list = $("records");
    if (list) { list.prepend(...records.map((record) => recordRow(record, true))); while (list.children.length > 300) list.lastChild.remove(); }
  }
}

// -- tabs -----------------------------------------------------------------------------------------------------------
function drawTabs() {
  $("tabs").replaceChildren(...TABS.map((name) => el("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", "aria-selected": name === tab ? "true" : "false", tabindex: name === tab ? "0" : "-1",
    onclick: () => choose(name), onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) choose(TABS[(TABS.indexOf(name) + step + TABS.length) % TABS.length], true);
    },
  }, name)));
  $("panel").setAttribute("aria-labelledby", `tab-${tab}`);
}
function choose(name, focus = false) { tab = name; drawTabs(); drawPanel(); if (focus) $(`tab-${name}`).focus(); }
function drawPanel() {
  $("panel").replaceChildren();
  ({ Live: drawLive, Records: drawRecords, Hosts: drawHosts, Workers: drawWorkers, "Given up": drawDead, Rules: drawRules, Sites: drawSites })[tab]();
}

function chart(title, key, unit) {
  const values = points.map((point) => point[key]), most = Math.max(...values, 1e-9), width = HISTORY - 1;
  const place = (value, index) => `${index + width - values.length + 1},${(40 - (38 * value) / most).toFixed(2)}`;
  const line = values.map((value, index) => `${index ? "L" : "M"}${place(value, index)}`).join("");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${width} 41`); svg.setAttribute("preserveAspectRatio", "none"); svg.setAttribute("role", "img");
  const now = unit(values.at(-1) ?? 0);
  svg.setAttribute("aria-label", `${title}: ${now} now, ${unit(most)} at most`);
  if (values.length > 1) for (const [name, d] of [["area", `${line}L${width},41L${width - values.length + 1},41Z`], ["line", line]]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("class", name); path.setAttribute("d", d); svg.append(path);
  }
  return el("figure", {}, el("figcaption", {}, el("span", {}, title), el("b", {}, now)), svg);
}
const counts = (found, none) => el("p", { class: "counts" }, Object.entries(found).map(([name, count]) => `${name}: ${number(count)}`).join("\u2003") || none);
function drawLive() {
  if (!latest) return;
  const most = Math.max(1, ...latest.errors.map((error) => error.count));
  $("panel").replaceChildren(el("div", { class: "charts" },
    chart("Pages a second", "rate", (v) => v.toFixed(1)), chart("Received a second", "bytes", size),
    chart("Queued", "queued", number), chart("Median fetch", "latency", (v) => `${v.toFixed(0)} ms`)),
    el("h3", {}, "Errors by cause"), latest.errors.length ? table(["Cause", "Count", "", "Example"], latest.errors.map((error) => [
      error.cause, number(error.count), el("meter", { max: most, value: error.count, "aria-label": `${error.cause}: ${error.count}` }), error.example ?? ""]), [1])
      : el("p", { class: "hint" }, "None so far."),
    el("h3", {}, "Answers"), counts(latest.statuses, "None yet."),
    el("h3", {}, "Set aside by checks"), counts(latest.set_aside, "None."),
    el("h3", {}, "Copies of earlier pages"), el("p", {}, number(latest.copies)));
}
function table(heads, rows, numeric = []) {
  const kind = (index) => (numeric.includes(index) ? "n" : undefined);
  return el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((head, index) => (head ? el("th", { scope: "col", class: kind(index) }, head) : el("td"))))),
    el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, index) => el("td", { class: kind(index) }, cell))))));
}
function drawWorkers() {
  if (!latest) return;
  $("panel").replaceChildren(latest.workers.length ? table(["Worker", "State", "Leases", "Pages", "Pages a second", "Errors", "Restarts"],
    latest.workers.map((w) => [w.worker, w.state, number(w.in_flight), number(w.pages), w.rate.toFixed(1), number(w.errors), number(w.restarts)]), [2, 3, 4, 5, 6]) : el("p", { class: "hint" }, "No worker has reported yet."));
}
async function drawHosts() {
  const name = shown, hosts = await ask(`${at(name)}/hosts?limit=200`);
  if (tab !== "Hosts" || name !== shown) return;
  const now = Date.now() / 1000;
  const most = Math.max(1, ...hosts.map((h) => h.queued));
  $("panel").replaceChildren(table(["Host", "Queued", "", "In flight", "Delay", "Next request"], hosts.map((h) => [h.host, number(h.queued),
    el("meter", { max: most, value: h.queued, "aria-label": `${h.host}: ${h.queued} queued` }), number(h.active),
    `${h.delay.toFixed(1)} s`, h.ready_at > now ? `in ${(h.ready_at - now).toFixed(1)} s` : "now"]), [1, 3, 4, 5]));
}
async function drawSites() {
  const name = shown, facts = await ask(`${at(name)}/sites`);
  if (tab !== "Sites" || name !== shown) return;
  $("panel").replaceChildren(facts.length ? table(["Site", "What", "Known", "Bytes"], facts.map((f) => [f.site, f.what, f.words, number(f.bytes)]), [3]) : el("p", { class: "hint" }, "Nothing learned yet."));
}
async function drawDead() {
  const name = shown, letters = await ask(`${at(name)}/dead?limit=200`);
  if (tab !== "Given up" || name !== shown) return;
  const again = async (fingerprints) => {
    const { queued } = await ask(`${at(name)}/dead/replay`, "POST", { fingerprints });
    say(`${queued} queued again`); setTimeout(drawDead, 300);
  };
  $("panel").replaceChildren(...(letters.length ? [el("p", {}, el("button", { type: "button", onclick: () => again(null) }, "Try all again")),
    table(["URL", "Reason", "Attempts", "Again"], letters.map((l) => [l.url, l.reason, number(l.attempts),
      el("button", { type: "button", "aria-label": `Try ${l.url} again`, onclick: () => again([l.fingerprint]) }, "Try again")]), [2])]
    : [el("p", { class: "hint" }, "No URL was given up.")]));
}

// -- records --------------------------------------------------------------------------------------------------------
function recordRow(record, isFresh = false) {
  return el("li", {}, el("button", { type: "button", class: isFresh ? "fresh" : undefined, "data-record": record.id, onclick: () => openRecord(record.id) },
    el("b", {}, record.title || record.url), el("span", { class: "sub" }, `${record.kind ?? ""}  ${record.url}`), el("span", {}, (record.opening ?? "").slice(0, 220))));
}
async function drawRecords() {
  const name = shown;
  const input = el("input", { type: "search", "aria-label": "Search the records", placeholder: "Search title, address, text", value: searched });
  const list = el("ol", { class: "records", id: "records" });
  const more = el("button", { type: "button" }, "More");
  let last = null;
  const load = async (anew) => {
    const found = await ask(`${at(name)}/records?limit=50&search=${encodeURIComponent(searched)}${!anew && last ? `&before=${last}` : ""}`);
    if (name !== shown) return;
    if (anew) list.replaceChildren();
    list.append(...found.map((record) => recordRow(record)));
    last = found.at(-1)?.id ?? last; more.hidden = found.length < 50;
    if (anew && !found.length) list.append(el("li", { class: "hint" }, searched ? "Nothing found." : "No records yet."));
  };
  let wait = null;
  input.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(() => { searched = input.value.trim(); last = null; load(true); }, 200); });
  more.addEventListener("click", () => load(false));
  $("panel").replaceChildren(el("div", { class: "search" }, input), list, more);
  await load(true);
}
async function openRecord(id) {
  const record = await ask(`${at(shown)}/records/${id}`);
  $("record-title").textContent = record.title || record.url;
  const link = $("record-url");
  link.textContent = record.url; link.removeAttribute("href");
  if (/^https?:/.test(record.url)) link.href = record.url;
  $("record-page").src = `${at(shown)}/records/${id}/page#chosen`;
  const facts = ["kind", "author", "published", "language", "confidence", "extractor", "rendered", "status", "fetched_at", "description"].filter((key) => record[key] !== null && record[key] !== undefined && record[key] !== false);
  const rows = facts.map((key) => [key, String(record[key])]);
  for (const [key, value] of Object.entries(record.fields ?? {})) rows.push([key, typeof value === "string" ? value : JSON.stringify(value)]);
  $("record-facts").replaceChildren(...rows.flatMap(([key, value]) => [el("dt", {}, key), el("dd", {}, value)]));
  $("record-text").textContent = record.markdown || record.text || "";
  $("record").showModal();
}
$("record-close").addEventListener("click", () => $("record").close());

// -- steering -------------------------------------------------------------------------------------------------------
$("new").addEventListener("click", () => { $("form-error").textContent = ""; $("form").showModal(); });
const filled = (form, names) => Object.fromEntries(names.map((name) => [name, form.elements[name].value.trim()]).filter(([, value]) => value !== ""));
$("form").querySelector("form").addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "start") return;
  event.preventDefault();
  const form = event.target, limits = {}, given = filled(form, ["max_pages", "depth", "delay", "workers"]);
  if (given.max_pages) limits.max_pages = Number(given.max_pages);
  if (given.depth) limits.depth = Number(given.depth);
  const job = { seeds: form.elements.seeds.value.split(/\s+/).filter(Boolean), limits, render: form.elements.render.value, workers: Number(given.workers ?? 1) };
  if (given.delay !== undefined) job.politeness = { delay: Number(given.delay) };
  if (form.elements.allow_private.checked) job.http = { allow_private: true };
  $("start").disabled = true;
  try {
    const crawl = await ask(API, "POST", { job, name: form.elements.name.value.trim() || null });
    $("form").close(); form.reset(); tab = "Live"; show(crawl.name); $("main").focus();
  } catch (error) { $("form-error").textContent = error.message; } finally { $("start").disabled = false; }
});
$("limits").querySelector("form").addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "save") return;
  event.preventDefault();
  const given = filled(event.target, ["max_pages", "depth", "delay", "workers"]), change = {};
  if (given.max_pages || given.depth) change.limits = Object.fromEntries(["max_pages", "depth"].filter((key) => given[key]).map((key) => [key, Number(given[key])]));
  if (given.delay) change.politeness = { delay: Number(given.delay) };
  if (given.workers) change.workers = Number(given.workers);
  try { await ask(at(shown), "PATCH", change); $("limits").close(); say("Changed."); } catch (error) { $("limits-error").textContent = error.message; }
});
for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", async () => {
  const what = button.dataset.do, name = shown;
  if (what === "edit") { $("limits-error").textContent = ""; $("limits").querySelector("form").reset(); $("limits").showModal(); return; }
  if (what === "remove" && !confirm(`Remove ${name} with all its records?`)) return;
  button.disabled = true;
  try {
    if (what === "remove") { await ask(at(name), "DELETE"); source?.close(); shown = null; $("view").hidden = true; $("hint").hidden = false; }
    else figures(await ask(`${at(name)}/${what}`, "POST"));
    say({ pause: "Paused.", resume: "Going on.", cancel: "Cancelled.", remove: "Removed." }[what]);
  } catch (error) { say(error.message); }
  listCrawls();
});
setInterval(() => { if (!document.hidden) { listCrawls().catch(() => say("The dashboard does not answer.")); if (tab === "Hosts" && shown) drawHosts(); } }, 3000);
listCrawls();
