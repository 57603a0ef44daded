"use strict";
(() => {
  const get = (id) => document.getElementById(id);
  const root = document.documentElement;
  const theme = get("b-theme");
  if (theme) {
    const words = { auto: "as the system", light: "light", dark: "dark" };
    const order = ["auto", "light", "dark"];
    theme.addEventListener("click", () => {
      const now = root.dataset.theme || "auto";
      const next = order[(order.indexOf(now) + 1) % order.length];
      root.dataset.theme = next;
      theme.textContent = "Theme: " + words[next];
    });
  }
  const open = (target) => {
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  const named = () => open(get(decodeURIComponent(location.hash.slice(1))));
  addEventListener("hashchange", named);
  named();
  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a.by");
    if (!link) return;
    const step = get(link.getAttribute("href").slice(1));
    if (!step) return;
    // Following the link would take the focus away from the step.
    event.preventDefault();
    open(step);
    step.scrollIntoView();
    step.querySelector("summary").focus({ preventScroll: true });
  });
  const all = () => [...document.querySelectorAll("details.step")];
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all().filter((step) => !step.open);
    closed.forEach((step) => (step.open = true));
  });
  addEventListener("afterprint", () => closed.forEach((step) => (step.open = false)));
  const list = get("routes");
  if (!list) return;
  const items = [...list.children];
  const tier = get("f-tier"), steps = get("f-steps"), text = get("f-text"), sort = get("f-sort");
  const count = get("count");
  const shown = () => all().filter((step) => !step.closest("li[data-rank]").hidden);
  get("b-open").addEventListener("click", () => shown().forEach((step) => (step.open = true)));
  get("b-close").addEventListener("click", () => all().forEach((step) => (step.open = false)));
  const falling = new Set(["confidence", "success"]);
  const apply = () => {
    const least = Number(tier.value), most = steps.value === "" ? Infinity : Number(steps.value);
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let kept = 0;
    for (const item of items) {
      const own = item.dataset.text.toLowerCase();
      const fits = Number(item.dataset.tier) >= least && Number(item.dataset.steps) <= most &&
        words.every((word) => own.includes(word));
      item.hidden = !fits;
      kept += fits ? 1 : 0;
    }
    const key = sort.value, sign = falling.has(key) ? -1 : 1;
    const value = (item) => Number(item.dataset[key]);
    const sorted = items.slice().sort((a, b) =>
      sign * (value(a) - value(b)) || Number(a.dataset.rank) - Number(b.dataset.rank));
    list.append(...sorted);
    count.textContent = kept + " of " + items.length + " routes shown";
  };
  for (const field of [tier, steps, text, sort]) field.addEventListener("input", apply);
  document.querySelector("form.controls").addEventListener("submit", (event) => event.preventDefault());
  apply();
})();
