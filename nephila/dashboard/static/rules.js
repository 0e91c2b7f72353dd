"use strict";
// The Rules tab: what was learned, as a form to review and edit; below it, what the rules find on the stored pages.
const TYPES = ["text", "number", "price", "quantity", "date", "url", "image"];
const percent = (share) => `${Math.round(share * 100)} %`;
const plain = (value) => (value === null || value === undefined ? "" : typeof value === "string" ? value
  : value.amount !== undefined ? `${value.amount} ${value.currency ?? ""}`.trim()
  : value.unit !== undefined ? `${value.value} ${value.unit}` : JSON.stringify(value));
const shortened = (text) => (text.length > 90 ? `${text.slice(0, 90)}…` : text);
const ruleAt = (name, t) => `${at(name)}/rules/${encodeURIComponent(t.site)}/${encodeURIComponent(t.group)}`;

async function drawRules(open = null) {
  const name = shown, templates = await ask(`${at(name)}/rules`);
  if (tab !== "Rules" || name !== shown) return;
  $("panel").replaceChildren(...(templates.length ? templates.map((t) => template(name, t, open === t.group || templates.length === 1))
    : [el("p", { class: "hint" }, "No rules yet. They are learned where a site has many pages of one kind, such as products or jobs.")]));
}

function template(name, t, open) {
  const title = `${t.site}, ${t.kind ?? "unknown kind"}`;
  const found = el("div", { class: "tried", role: "status" });
  const rows = t.fields.map((field) => fieldRow(field));
  const act = async (work, said) => { try { await work(); say(said); drawRules(t.group); } catch (error) { say(error.message); } };
  const form = el("form", { onsubmit: (event) => { event.preventDefault(); act(() => ask(ruleAt(name, t), "PATCH", changes(rows)), "Saved."); } },
    table(["Field", "Type", "All values", "Sure", "On pages", "Agree", "From", "Drop", "Rules"], rows.map((row) => row.cells), [3, 4, 5]),
    el("menu", {},
      el("button", { type: "button", onclick: () => tryRules(name, t, found) }, "Test on stored pages"),
      el("button", { type: "button", class: "danger", onclick: () => { if (confirm(`Forget the rules of ${title}?`)) act(() => ask(ruleAt(name, t), "DELETE"), "Forgotten."); } }, "Forget"),
      el("button", { class: "main" }, t.origin === "edited" ? "Save" : "Accept and save")));
  return el("details", { class: "rules", open }, el("summary", {}, el("b", {}, title),
    el("span", { class: "sub" }, ` ${t.fields.length} fields from ${number(t.pages)} pages, version ${t.version}, ${t.origin}`)), form, found);
}

function fieldRow(field) {
  const input = el("input", { value: field.name, maxlength: 100, required: true, "aria-label": `Name of ${field.name}` });
  const type = el("select", { "aria-label": `Type of ${field.name}` }, ...TYPES.map((each) => el("option", { selected: each === field.type }, each)));
  const many = el("input", { type: "checkbox", checked: field.many, "aria-label": `All values of ${field.name}` });
  const drop = el("input", { type: "checkbox", "aria-label": `Drop ${field.name}` });
  const rules = el("details", {}, el("summary", {}, `${field.rules.length}`), el("ul", {}, ...field.rules.map((rule) => el("li", {}, el("code", {}, rule.xpath)))));
  return { field, input, type, many, drop, cells: [input, type, many, percent(field.confidence), percent(field.coverage), percent(field.agreement), field.origin, drop, rules] };
}

function changes(rows) {
  const change = { rename: {}, types: {}, many: {}, drop: [] };
  for (const { field, input, type, many, drop } of rows) {
    if (drop.checked) { change.drop.push(field.name); continue; }
    if (input.value.trim() !== field.name) change.rename[field.name] = input.value.trim();
    if (type.value !== field.type) change.types[field.name] = type.value;
    if (many.checked !== field.many) change.many[field.name] = many.checked;
  }
  return change;
}

async function tryRules(name, t, found) {
  let pages;
  try { pages = await ask(`${ruleAt(name, t)}/test?limit=20`); } catch (error) { found.replaceChildren(el("p", { class: "fault" }, error.message)); return; }
  const fields = t.fields.map((field) => field.name);
  const cell = (page, field) => el("span", { class: page.agreement[field] < 0.5 ? "doubt" : undefined, title: `${plain(page.values[field])} (${percent(page.agreement[field] ?? 0)} of the rules agree)` }, shortened(plain(page.values[field])));
  found.replaceChildren(...(pages.length ? [table(["Page", ...fields], pages.map((page) => [
    el("button", { type: "button", onclick: () => openRecord(page.record) }, new URL(page.url).pathname), ...fields.map((field) => cell(page, field))])), mendForm(name, t, pages)]
    : [el("p", { class: "hint" }, "None of the stored pages is of this kind.")]));
}

function mendForm(name, t, pages) {
  const page = el("select", {}, ...pages.map((each) => el("option", { value: each.record }, new URL(each.url).pathname)));
  const field = el("input", { required: true, maxlength: 100, value: t.fields[0]?.name ?? "" }), value = el("input", { required: true });
  return el("form", { class: "fields", onsubmit: async (event) => {
    event.preventDefault();
    try { await ask(`${ruleAt(name, t)}/fix`, "POST", { record: Number(page.value), field: field.value.trim(), value: value.value }); say("Mended."); drawRules(t.group); }
    catch (error) { say(error.message); }
  } }, el("label", {}, "On the page", page), el("label", {}, "the field", field), el("label", {}, "has to be, as the page shows it", value), el("menu", {}, el("button", {}, "Mend")));
}
