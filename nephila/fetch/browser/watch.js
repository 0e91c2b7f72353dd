// Runs in every page before its own scripts: counts the requests that its scripts have under way, and answers when
// draw.js asks for the number. A page that tampers with it gains nothing but to be taken too early.
(() => {
  "use strict";
  const LONG = 4000; // ms after which a request is a long poll, that no page is waiting for
  const started = new Map();
  let last = 0;
  const begin = () => {
    started.set(++last, performance.now());
    return last;
  };
  const end = (id) => started.delete(id);

  const realFetch = window.fetch;
  if (realFetch) {
    window.fetch = function (...args) {
      const id = begin();
      const answer = realFetch.apply(this, args);
      answer.then(
        // The body is still to come: its reader runs first, then what the page does with it.
        (response) => setTimeout(end, 30, id),
        () => end(id),
      );
      return answer;
    };
  }
  const realSend = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...args) {
    const id = begin();
    this.addEventListener("loadend", () => end(id), { once: true });
    try {
      return realSend.apply(this, args);
    } catch (error) {
      end(id);
      throw error;
    }
  };
  // A script, style sheet or frame that a script has added: done when it has loaded or failed.
  const adds = new WeakSet();
  const awaited = (node) => {
    const tag = node.nodeName;
    const loads = (tag === "SCRIPT" && node.src) || (tag === "LINK" && /stylesheet|modulepreload/.test(node.rel));
    if (!loads || adds.has(node)) return;
    adds.add(node);
    const id = begin();
    const over = () => setTimeout(end, 10, id);
    node.addEventListener("load", over, { once: true });
    node.addEventListener("error", over, { once: true });
  };
  new MutationObserver((changes) => {
    if (document.readyState === "loading") return; // what the parser adds, the load event waits for
    for (const change of changes) change.addedNodes.forEach(awaited);
  }).observe(document, { childList: true, subtree: true });

  document.addEventListener("nephila-ask", () => {
    const now = performance.now();
    let count = 0;
    for (const since of started.values()) if (now - since < LONG) count += 1;
    document.dispatchEvent(new CustomEvent("nephila-count", { detail: count }));
  });
  window.open = () => null;
  window.print = () => {};
})();
