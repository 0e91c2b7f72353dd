// Called in a world of its own (the page's scripts cannot reach it) once the page is there: waits till the page is
// ready, scrolls and presses "load more" while that brings something, and gives the markup back.
async (wish) => {
  "use strict";
  const born = performance.now();
  const out_of_time = () => performance.now() - born > wish.patience;
  const sleep = (ms) => new Promise((go) => setTimeout(go, ms));

  let changed = performance.now();
  const observer = new MutationObserver(() => (changed = performance.now()));
  observer.observe(document, { childList: true, characterData: true, subtree: true });

  let underWay = 0;
  document.addEventListener("nephila-count", (event) => (underWay = Number(event.detail) || 0));
  const requests = () => {
    underWay = 0;
    document.dispatchEvent(new Event("nephila-ask"));
    return underWay;
  };
  // Not innerText: it makes the browser lay the whole page out.
  const SILENT = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE"]);
  const scant = () => {
    let count = 0;
    const walker = document.createTreeWalker(document.body || document, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (SILENT.has(walker.currentNode.parentNode.nodeName)) continue;
      count += walker.currentNode.data.trim().length;
      if (count >= 200) return false;
    }
    return true;
  };
  const waiting = () => document.querySelector("[aria-busy=true], [role=progressbar], .skeleton, .spinner, .loading");

  // Ready: loaded, no request under way, and no change for a while. A page that says next to nothing yet, or shows
  // that it is busy, is given five times as long. Tickers and adverts change for ever: without a request they are
  // not waited for more than a second.
  const ready = async (quiet) => {
    let calm = performance.now();
    let long = false;
    let judged = 0;
    while (!out_of_time()) {
      const now = performance.now();
      const loading = document.readyState === "loading" || (document.readyState !== "complete" && now - born < 5000);
      if (loading || requests() > 0 || (wish.selector && !document.querySelector(wish.selector))) {
        calm = now;
      } else {
        const still = now - Math.max(calm, changed);
        if (still >= quiet && judged < changed) {
          judged = changed;
          long = scant() || waiting() !== null;
        }
        if (still >= (long && judged ? 5 * quiet : quiet)) return true;
        if (now - calm > 1000 + 5 * quiet) return true;
      }
      await sleep(25);
    }
    return false;
  };

  const size = () => document.getElementsByTagName("*").length;
  const amount = () => size() + (document.body ? document.body.textContent.length : 0);
  const scroller = document.scrollingElement || document.documentElement;
  // Till the page was told what came into sight, as we are: on a busy machine that is later than a glance.
  const shown = () =>
    new Promise((go) => {
      const observer = new IntersectionObserver(() => {
        observer.disconnect();
        setTimeout(go);
      });
      observer.observe(document.documentElement);
    });
  const goTo = async (top) => {
    const before = size();
    scroller.scrollTop = top;
    await Promise.all([sleep(60), Promise.race([shown(), sleep(2000)])]);
    if (requests() > 0 || performance.now() - changed < 60) await ready(wish.quiet);
    return size() !== before;
  };
  // To the end, and again as long as more comes there; then screen by screen where the page says that it has pieces
  // that load on sight.
  const scroll = async () => {
    let turns = wish.scrolls;
    const ended = () => turns <= 0 || out_of_time();
    while (!ended() && scroller.scrollHeight - scroller.scrollTop - innerHeight > 1) {
      turns -= 1;
      if (!(await goTo(scroller.scrollHeight))) break;
    }
    if (!document.querySelector("[loading=lazy], [data-src], [data-lazy], .lazy, .lazyload")) return;
    for (let top = 0; !ended() && top < scroller.scrollHeight; top += innerHeight, turns -= 1) await goTo(top);
  };
  const MORE = new RegExp(
    "^\\W*((load|show|see|view|read) (\\d+ )?more( \\w+)?|more (results|posts|articles|comments|items|stories)|next \\d+" +
      "|mehr (laden|anzeigen)|weitere \\w+( laden| anzeigen)?|(charger|voir|afficher) plus|plus de \\w+|cargar más|ver más" +
      "|mostrar más|carregar mais|ver mais|carica altro|mostra altro|meer laden|toon meer|załaduj więcej|pokaż więcej" +
      "|показать ещё|показать еще|загрузить ещё|загрузить еще|ещё|加载更多|查看更多|更多|もっと見る|더보기|더 보기|عرض المزيد)\\W*$",
    "i",
  );
  const stays = (element) => {
    const href = element.getAttribute("href");
    return !href || href.startsWith("#") || href.startsWith("javascript:");
  };
  const button = () => {
    for (const element of document.querySelectorAll("button, a, [role=button]")) {
      if (element.disabled || !stays(element) || element.offsetParent === null) continue;
      if (element.type === "submit" && element.form) continue;
      const label = (element.textContent || element.getAttribute("aria-label") || "").trim();
      if (label.length < 40 && (MORE.test(label) || /load-?more|show-?more/i.test(element.className + element.id))) {
        return element;
      }
    }
    return null;
  };
  const press = async () => {
    for (let turn = 0; turn < wish.clicks && !out_of_time(); turn++) {
      const found = button();
      if (!found) return;
      const before = amount();
      found.click();
      await sleep(60);
      await ready(wish.quiet);
      if (amount() === before) return;
    }
  };

  // Open shadow trees are drawn into the markup, in place of their host's children: a parser sees what a reader sees.
  const drawn = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return node.cloneNode(false);
    const copy = node.cloneNode(false);
    const children = node.shadowRoot
      ? node.shadowRoot.childNodes
      : node.nodeName === "SLOT" && node.assignedNodes().length
        ? node.assignedNodes()
        : node.childNodes;
    for (const child of children) copy.append(drawn(child));
    return copy;
  };
  const markup = () => {
    const hosts = [...document.getElementsByTagName("*")].some((element) => element.shadowRoot);
    const root = hosts ? drawn(document.documentElement) : document.documentElement;
    return "<!DOCTYPE html>" + root.outerHTML;
  };

  let complete = await ready(wish.quiet);
  if (complete && wish.scrolls) await scroll();
  if (complete && wish.clicks) await press();
  complete = complete && !out_of_time();
  observer.disconnect();
  const html = markup();
  return { html: html.length > wish.size ? null : html, length: html.length, url: location.href, complete };
}
