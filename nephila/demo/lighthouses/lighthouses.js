// Draws the catalogue: everything that a reader sees is made here, from JSON.
"use strict";

const root = document.getElementById("root");

function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function frame(main) {
  const entries = { Logbook: "/logbook", Almanac: "/almanac", About: "/about", Visit: "/visit", Colophon: "/colophon" };
  const nav = make("nav");
  for (const [text, href] of Object.entries(entries)) nav.append(make("a", { href }, text), " ");
  root.replaceChildren(
    make("header", {}, make("a", { class: "brand", href: "/" }, "Nocturne"), nav),
    make("main", {}, main),
    make("footer", {}, "A catalogue of lights that may or may not exist"),
  );
}

function draw(leaf) {
  document.title = leaf.path === "/" ? leaf.title : `${leaf.title} | Nocturne`;
  const article = make("article", {}, make("h1", {}, leaf.title));
  if (leaf.path.startsWith("/light/")) {
    article.append(make("img", { src: `/picture/${leaf.path.slice(7)}.svg`, alt: leaf.title }));
  }
  for (const text of leaf.paragraphs) article.append(make("p", {}, text));
  if (leaf.links.length) {
    const list = make("ul", { class: leaf.path === "/" ? "cards" : "see" });
    for (const { path, title } of leaf.links) {
      const link = make("a", { href: path }, title);
      if (leaf.path === "/" && path.startsWith("/light/")) {
        link.prepend(make("img", { src: `/picture/${path.slice(7)}.svg`, alt: "" }));
      }
      list.append(make("li", {}, link));
    }
    article.append(list);
  }
  frame(article);
}

function drawLogbook() {
  document.title = "The logbook | Nocturne";
  const list = make("div", { class: "log" });
  const button = make("button", { id: "more", type: "button" }, "Load more");
  frame(make("article", {}, make("h1", {}, "The logbook"), list, button));
  let busy = false;
  async function more() {
    if (busy || !button.isConnected) return;
    busy = true;
    const answer = await (await fetch(`/api/logbook?after=${list.childElementCount}`)).json();
    for (const entry of answer.entries) list.append(make("p", {}, entry));
    if (!answer.more) button.remove();
    busy = false;
  }
  button.addEventListener("click", more);
  window.addEventListener("scroll", () => {
    if (window.innerHeight + window.scrollY > document.body.scrollHeight - 200) more();
  });
  more();
}

async function start() {
  const embedded = document.getElementById("__NEXT_DATA__");
  if (embedded) return draw(JSON.parse(embedded.textContent).props.pageProps.leaf);
  if (location.pathname === "/logbook") return drawLogbook();
  const answer = await fetch(`/api/leaf?path=${encodeURIComponent(location.pathname)}`);
  draw(await answer.json());
}

start();
