// Before the first paint: the scheme that was chosen here before, if any. Not a module, so that it runs at once.
(() => {
  "use strict";
  try {
    const kept = localStorage.getItem("dragoman-theme");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch {
    // Storage may be forbidden: the system's scheme is used then.
  }
})();
