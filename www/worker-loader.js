// Starts a worker for searches, which has wasm of its own. The build id in the address keeps an old cached worker from meeting a new page.
const build = self.location.search;
importScripts("worker.js" + build);
wasm_bindgen({ module_or_path: "worker_bg.wasm" + build }).catch((error) => {
  // Thrown from a task of its own, so that the page hears of it.
  setTimeout(() => {
    throw error;
  });
});
