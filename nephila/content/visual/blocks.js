// Finds every text block of the page: the closest ancestor of each text that is displayed as a block and has an area.
// Called once in a page that is ready; changes nothing in it. Shadow trees and same-origin frames are part of the page.
// Styles and paths are sent once each, blocks name them by number: a page of 2,000 blocks stays under a megabyte.
() => {
  "use strict";
  const started = performance.now();
  const MOST_BLOCKS = 20000, MOST_TEXT = 200000, MOST_RULES = 20000, MOST_DEPTH = 300, MOST_FRAMES = 30;
  const top = document.body || document.documentElement;
  if (!top) return null;
  const view = top.getBoundingClientRect();
  const originX = window.scrollX, originY = window.scrollY;

  // -- which properties to read ---------------------------------------------------------------------------------------
  // Reading a computed value costs a microsecond or two, and there are 440 of them. What no style sheet, style
  // attribute or built-in style speaks of has the same value everywhere, and logical names repeat physical ones.
  const SIZES = /^(width|height|top|left|right|bottom|block-size|inline-size|perspective-origin|transform-origin)$/;
  const TWINS = /(^|-)(inline|block)(-|$)|^inset|(start|end)-(start|end)/;
  const isRead = (name) => name[0] !== "-" && !SIZES.test(name) && !TWINS.test(name);
  const NAMED = new Set((
    "appearance background-color background-image border-bottom-color border-bottom-style border-bottom-width " +
    "border-collapse border-left-color border-left-style border-left-width border-right-color border-right-style " +
    "border-right-width border-top-color border-top-style border-top-width box-sizing caret-color clear color " +
    "cursor direction display float font-family font-size font-style font-variant font-weight letter-spacing " +
    "line-height list-style-type list-style-position margin-bottom margin-left margin-right margin-top opacity " +
    "outline-color outline-style outline-width overflow-x overflow-y padding-bottom padding-left padding-right " +
    "padding-top position resize text-align text-decoration text-decoration-color text-decoration-line " +
    "text-emphasis-color text-indent text-transform text-wrap-mode unicode-bidi user-select vertical-align " +
    "visibility white-space-collapse word-break word-spacing z-index column-rule-color row-rule-color min-width min-height " +
    "text-shadow overflow-wrap text-overflow max-width max-height tab-size quotes stroke fill"
  ).split(" "));

  const declared = (root, names) => {
    let rules = 0;
    const visit = (list) => {
      for (const rule of list) {
        if (++rules > MOST_RULES) throw new Error("too many rules");
        if (rule.style) for (const name of rule.style) names.add(name);
        if (rule.cssRules && rule.cssRules.length) visit(rule.cssRules);
        else if (rule.styleSheet) visit(rule.styleSheet.cssRules);
      }
    };
    for (const sheet of [...root.styleSheets, ...(root.adoptedStyleSheets || [])]) visit(sheet.cssRules);
    for (const element of root.querySelectorAll("[style]")) for (const name of element.style) names.add(name);
  };
  const base = getComputedStyle(top);
  const learnNames = (root) => {
    // A style sheet of another origin cannot be looked into: then everything is read.
    try { declared(root, NAMED); } catch { return false; }
    return true;
  };

  // -- styles ---------------------------------------------------------------------------------------------------------
  const body = {};
  let names = [], defaults = [];
  const chooseNames = (all) => {
    names = [...base].filter((name) => isRead(name) && (all || NAMED.has(name)));
    defaults = names.map((name) => base.getPropertyValue(name));
    names.forEach((name, index) => { body[name] = defaults[index]; });
  };
  const styles = [], styleNumbers = new Map(), keptStyles = new Map();
  const readStyle = (computed) => {
    const style = {};
    for (let index = 0; index < names.length; index++) {
      const value = computed.getPropertyValue(names[index]);
      if (value !== defaults[index]) style[names[index]] = value.slice(0, 300);
    }
    const text = JSON.stringify(style);
    let number = styleNumbers.get(text);
    if (number === undefined) {
      number = styles.push(style) - 1;
      styleNumbers.set(text, number);
    }
    return number;
  };
  // Elements of the same descent with the same marks have the same style, but for what depends on their place among
  // their siblings; those rules speak of these properties.
  const PROBES = ["color", "background-color", "font-size", "font-weight", "margin-top", "border-top-width",
                  "padding-left"];
  const marks = new WeakMap();
  let lastMark = 0;
  const markNumbers = new Map();
  const markOf = (element) => {
    if (!element || element === top) return 0;
    let mark = marks.get(element);
    if (mark !== undefined) return mark;
    let own = markOf(parentOf(element)) + "|" + element.localName;
    for (const attribute of element.attributes) {
      const name = attribute.name;
      if (name !== "href" && name !== "src" && name !== "title" && name !== "alt" && !name.startsWith("data-") &&
          !name.startsWith("on")) own += "|" + name + "=" + attribute.value;
    }
    mark = markNumbers.get(own);
    if (mark === undefined) markNumbers.set(own, mark = ++lastMark);
    marks.set(element, mark);
    return mark;
  };
  const styleOf = (element) => {
    const computed = getComputedStyle(element);
    let key = String(markOf(element));
    for (const probe of PROBES) key += "|" + computed.getPropertyValue(probe);
    let number = keptStyles.get(key);
    if (number === undefined) keptStyles.set(key, number = readStyle(computed));
    return number;
  };

  // -- the tree as it is drawn: shadow trees, slots, frames ---------------------------------------------------------------
  const frameOf = new Map();  // body of a frame's document -> the frame's element
  const parentOf = (node) => {
    const outer = frameOf.get(node) || node.assignedSlot;
    if (outer) return outer;
    const parent = node.parentNode;
    if (parent && parent.nodeType === 11 && parent.host) return parent.host;
    return parent && parent.nodeType === 1 ? parent : null;
  };
  const steps = new WeakMap();
  const stepOf = (node) => {
    let step = node.localName + (node.id ? "#" + node.id : "");
    if (node.classList.length) step += "." + [...node.classList].sort().join(".");
    return step;
  };
  const chains = [[]], chainNumbers = new Map();
  const chainNumber = (element) => {
    if (!element || element === top) return 0;
    let number = steps.get(element);
    if (number !== undefined) return number;
    const outer = chainNumber(parentOf(element));
    if (frameOf.has(element) || chains[outer].length >= MOST_DEPTH) number = outer;
    else {
      const step = stepOf(element), key = outer + ">" + step;
      number = chainNumbers.get(key);
      if (number === undefined) chainNumbers.set(key, number = chains.push([...chains[outer], step]) - 1);
    }
    steps.set(element, number);
    return number;
  };

  const isBlock = new WeakMap();
  const blockOf = (element) => {
    for (let node = element; node; node = parentOf(node)) {
      let found = isBlock.get(node);
      if (found === undefined) {
        const computed = getComputedStyle(node);
        found = parseInt(computed.width) > 0 && parseInt(computed.height) > 0;  // "auto", hence NaN, where inline
        isBlock.set(node, found);
      }
      if (found) return node;
      if (node === top) return null;
    }
    return null;
  };

  // -- the walk ---------------------------------------------------------------------------------------------------------
  const found = new Map();  // element -> what is gathered of it
  const order = [];
  const areas = new WeakMap();
  const hasArea = (element) => {
    let area = areas.get(element);
    if (area === undefined) {
      const box = element.getBoundingClientRect();
      areas.set(element, area = box.width * box.height > 0);
    }
    return area;
  };
  const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "option"]);
  let last = null, roots = [], frames = 0;

  const addText = (node, parent, linked, shift) => {
    const text = node.nodeValue;
    if (!/\S/.test(text)) {
      if (last && text) last.text += " ";
      return;
    }
    if (!hasArea(parent)) return;
    const block = blockOf(parent);
    if (!block) return;
    let gathered = found.get(block);
    if (!gathered) {
      if (order.length >= MOST_BLOCKS) return;
      gathered = { element: block, text: "", linked: 0, shift };
      found.set(block, gathered);
      order.push(gathered);
    } else if (gathered !== last) gathered.text += "\n";
    last = gathered;
    if (gathered.text.length < MOST_TEXT) {
      gathered.text += text;
      if (linked) gathered.linked += text.replace(/\s+/g, " ").trim().length;
    }
  };
  const keepsLines = new WeakMap();
  const isPreformatted = (element) => {
    let kept = keepsLines.get(element);
    if (kept === undefined) {
      const collapse = getComputedStyle(element).getPropertyValue("white-space-collapse");
      keepsLines.set(element, kept = collapse.startsWith("preserve") || collapse === "break-spaces");
    }
    return kept;
  };
  const walkFrame = (frame, linked, shift) => {
    let inner = null;
    try { inner = frame.contentDocument; } catch { return; }
    if (!inner || !inner.body || ++frames > MOST_FRAMES || !hasArea(frame)) return;
    const box = frame.getBoundingClientRect();
    frameOf.set(inner.body, frame);
    roots.push(inner);
    walk(inner.body, linked, [shift[0] + box.left + frame.clientLeft, shift[1] + box.top + frame.clientTop], 0);
  };
  const walk = (element, linked, shift, depth) => {
    if (depth > 2 * MOST_DEPTH) return;
    const name = element.localName;
    if (SKIPPED.has(name)) return;
    if (name === "iframe" || name === "frame") return walkFrame(element, linked, shift);
    if (name === "br") { if (last) last.text += "\n"; return; }
    if (name === "a") linked = true;
    let children = element.childNodes;
    if (element.shadowRoot) { roots.push(element.shadowRoot); children = element.shadowRoot.childNodes; }
    else if (name === "slot" && element.assignedNodes) {
      const given = element.assignedNodes();
      if (given.length) children = given;
    }
    for (const child of children) {
      if (child.nodeType === 3) {
        if (child.nodeValue.includes("\n") && /\S/.test(child.nodeValue) && !isPreformatted(element))
          addText({ nodeValue: child.nodeValue.replace(/\s+/g, " ") }, element, linked, shift);
        else addText(child, element, linked, shift);
      } else if (child.nodeType === 1) walk(child, linked, shift, depth + 1);
    }
  };
  roots.push(document);
  walk(top, false, [0, 0], 0);
  chooseNames(!roots.every((root) => learnNames(root)));

  // -- what goes out ------------------------------------------------------------------------------------------------------
  const round = (value) => Math.round(value * 10) / 10;
  const blocks = [];
  for (const { element, text, linked, shift } of order) {
    const box = element.getBoundingClientRect();
    if (!(box.width * box.height > 0)) continue;
    blocks.push([
      round(box.left + shift[0] + originX), round(box.top + shift[1] + originY), round(box.width), round(box.height),
      styleOf(element), chainNumber(element), text, linked,
      element.getElementsByTagName("*").length, element.getElementsByTagName("a").length,
    ]);
  }
  const metas = (kind) => [...document.querySelectorAll(
    `meta[name="${kind}" i], meta[name="og:${kind}" i], meta[property="og:${kind}" i], ` +
    `meta[name="twitter:${kind}" i], meta[property="twitter:${kind}" i]`)].map((meta) => meta.content);
  return {
    url: location.href,
    titles: [document.title, ...metas("title")].filter(Boolean),
    descriptions: metas("description").filter(Boolean),
    width: round(Math.max(view.width, document.documentElement.clientWidth)),
    height: round(Math.max(view.height, document.documentElement.scrollHeight)),
    body, styles, chains, blocks,
    milliseconds: performance.now() - started,
  };
}
