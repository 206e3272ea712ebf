// Runs the page's own wasm in a worker. The page names its script in the address and sends its wasm, compiled
// already; where a browser does not let that through, it is fetched: it lies beside the script.
const glue = new URLSearchParams(self.location.search).get("glue");
const beside = glue.replace(/\.js$/, "_bg.wasm");
const start = (wasm) =>
  import(glue)
    .then(({ default: init }) => init({ module_or_path: wasm }))
    .catch((error) => {
      // Thrown from a task of its own, so that the page hears of it.
      setTimeout(() => {
        throw error;
      });
    });
self.onmessage = ({ data }) => start(data ?? beside);
self.onmessageerror = () => start(beside);
