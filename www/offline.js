// Has the page kept for visits without a network, and says when a newer one is ready. The page loads this once its
// first picture is there and it has nothing else to do. Nothing here reloads unasked.
const CHECK_MS = 3_600_000;
// A worker that does not wait has begun by then.
const BEGUN_MS = 1000;
// So long it stands where screen readers find it.
const SAID_MS = 5000;
const container = navigator.serviceWorker;

// The place of the notice is there before its words: else a screen reader would not say them.
const place = document.createElement("div");
place.setAttribute("role", "status");
(document.getElementById("toasts") ?? document.body).prepend(place);

const element = (name, text, id, act) => {
  const made = document.createElement(name);
  made.textContent = text;
  if (id) made.dataset.testid = id;
  if (act) made.addEventListener("click", act);
  return made;
};

// The page is loaded anew, with its address as it is, once the newer worker answers for it.
const change = (registration) => {
  const { waiting } = registration;
  if (!waiting) return location.reload();
  container.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage("take over");
};

const offer = (registration) => {
  // A page that no worker answers for came from the network, and is new.
  if (!registration.waiting || !container.controller || place.hasChildNodes()) return;
  const now = element("button", "Reload", "update-now", () => change(registration));
  const later = element("button", "Later", "update-later", () => place.replaceChildren());
  now.className = "primary";
  const notice = element("div", "", "update");
  notice.className = "update";
  notice.append(element("p", "A new version is ready."), now, later);
  place.append(notice);
};

const follow = (registration) => {
  offer(registration);
  registration.addEventListener("updatefound", () => {
    const coming = registration.installing;
    coming?.addEventListener("statechange", () => setTimeout(offer, BEGUN_MS, registration));
  });
  let checked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - checked < CHECK_MS) return;
    checked = Date.now();
    registration.update().catch(() => {}); // there is no network: next time
  });
};

// Said once, when it becomes so; where keys are explained it stands from then on.
const ready = async (known) => {
  await container.ready;
  const said = "This browser keeps the page: it works without a network.";
  const dialog = document.querySelector("[data-testid=help-dialog] .row.end");
  dialog?.before(element("p", said, "offline-ready"));
  if (known) return;
  // Seen where it covers nothing: at the end of the welcome. A first visit has enough to read above the picture.
  document.querySelector("[data-testid=welcome] .hint")?.append(" From now on it works without a network, too.");
  const notice = element("p", said);
  notice.className = "hidden";
  place.append(notice);
  setTimeout(() => notice.remove(), SAID_MS);
};

const keep = async () => {
  const scope = new URL("./", location.href).href;
  const known = (await container.getRegistration(scope))?.scope === scope;
  if (!known && navigator.connection?.saveData) return;
  ready(known);
  follow(await container.register("service-worker.js", { updateViaCache: "none" }));
};

// Where workers of this kind are not to be had (no secure address, a private window), the page works all the same.
if (container) keep().catch(() => {});
