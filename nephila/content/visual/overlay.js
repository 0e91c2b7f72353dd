// Draws the blocks of a page onto it, each with its score: content in green, the rest in grey. For pictures only.
(boxes) => {
  const layer = document.createElement("div");
  layer.style.cssText = "position:absolute;left:0;top:0;width:0;height:0;z-index:2147483647;pointer-events:none";
  for (const [left, top, width, height, score] of boxes) {
    const chosen = score > 0;
    const box = document.createElement("div");
    box.style.cssText =
      `position:absolute;box-sizing:border-box;left:${left}px;top:${top}px;width:${width}px;height:${height}px;` +
      (chosen ? "border:2px solid #0a7d32;background:rgba(10,125,50,.12)" : "border:1px solid rgba(176,64,48,.75)");
    const label = document.createElement("span");
    label.textContent = (score > 0 ? "+" : "\u2212") + Math.abs(score).toFixed(1);
    label.style.cssText =
      "position:absolute;right:0;top:0;font:bold 10px/12px monospace;padding:0 2px;color:#fff;letter-spacing:0;" +
      `direction:ltr;text-indent:0;white-space:nowrap;background:${chosen ? "#0a7d32" : "rgba(176,64,48,.75)"}`;
    box.append(label);
    layer.append(box);
  }
  document.documentElement.append(layer);
}
