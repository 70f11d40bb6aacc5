// Files chosen at the desk are sent with progress, and can be stopped. What the desk refuses is
// said in the form as it stands, so that neither text nor chosen files are lost. Without this
// module the form is sent as any form.

import { graftErrors } from "./form_errors.js";

const FORMS = "#episode_form, #show_form, #person_form";
const SAYS = {
  0: "The connection broke off. Nothing was changed: save again to send it once more.",
  403: "The desk does not know this session any more. Sign in in another tab, then save again.",
  413: "This upload is larger than the site takes. Nothing was changed.",
  504: "The server took too long to answer. Look whether it was saved before you send it again.",
};

for (const form of document.querySelectorAll(FORMS)) {
  form.addEventListener("submit", (event) => {
    // A window of its own for a related row answers with a script for the window behind it.
    if (!filesOf(form).length || form.elements.namedItem("_popup")) return;
    event.preventDefault();
    send(form, event.submitter);
  });
}

function filesOf(form) {
  return [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
}

function send(form, button) {
  const data = new FormData(form, button);
  // Signing in again in another tab changes the token; the cookie has the present one.
  const token = /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie);
  if (token) data.set("csrfmiddlewaretoken", token[1]);
  const request = new XMLHttpRequest();
  const panel = new Panel(form, () => request.abort());
  const stay = (event) => event.preventDefault();
  const finish = (message) => {
    window.removeEventListener("beforeunload", stay);
    panel.end(message);
  };
  window.addEventListener("beforeunload", stay);
  request.upload.addEventListener("progress", (event) => panel.show(event.loaded, event.total));
  request.upload.addEventListener("load", () => panel.received());
  request.addEventListener("abort", () => finish("Stopped. Nothing was changed."));
  request.addEventListener("error", () => finish(SAYS[0]));
  request.addEventListener("load", async () => {
    const type = request.getResponseHeader("Content-Type") ?? "";
    if (request.status === 200 && type.startsWith("application/json")) {
      finish("Saved.");
      location.assign(JSON.parse(request.responseText).location);
    } else {
      finish(await refusal(form, request, type));
    }
  });
  request.open("POST", form.action || location.href);
  request.setRequestHeader("X-Upload", "progress");
  request.send(data);
}

/** What to say of an answer that is no success; a form with errors speaks for itself. */
async function refusal(form, request, type) {
  // Only a signed-in editor may send much; to anybody else too much is all the site says.
  if (request.status === 413 && (await signedOut())) return SAYS[403];
  if (!type.startsWith("text/html")) {
    return request.responseText.trim().slice(0, 500) || SAYS[request.status] || SAYS[0];
  }
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const answered = page.getElementById(form.id);
  if (request.status === 200) {
    return answered ? graftErrors(form, answered) : SAYS[403];
  }
  return SAYS[request.status] ?? page.querySelector("p")?.textContent ?? SAYS[0];
}

async function signedOut() {
  const answer = await fetch(location.href, { redirect: "manual", cache: "no-store" });
  return answer.type === "opaqueredirect";
}

/** Where the upload is: a bar, words that screen readers say now and then, and a way to stop. */
class Panel {
  constructor(form, stop) {
    document.querySelector(".desk-upload")?.remove();
    this.began = performance.now();
    this.buttons = [...form.querySelectorAll("input[type=submit]")];
    for (const button of this.buttons) button.disabled = true;
    this.element = document.createElement("section");
    this.element.className = "desk-upload";
    this.element.setAttribute("aria-label", "Upload");
    this.bar = document.createElement("progress");
    this.bar.setAttribute("aria-label", "Sent so far");
    this.words = document.createElement("p");
    this.words.setAttribute("role", "status");
    this.words.textContent = "Sending…";
    this.stop = document.createElement("button");
    this.stop.type = "button";
    this.stop.textContent = "Stop";
    this.stop.addEventListener("click", stop);
    this.element.append(this.bar, this.words, this.stop);
    document.body.append(this.element);
    this.spoken = 0;
  }

  show(loaded, total) {
    this.bar.max = total;
    this.bar.value = loaded;
    const now = performance.now();
    if (now - this.spoken < 1000) return;
    this.spoken = now;
    const seconds = ((now - this.began) / 1000 / loaded) * (total - loaded);
    const left = seconds > 90 ? `${Math.round(seconds / 60)} minutes` : `${Math.ceil(seconds)} s`;
    this.words.textContent = `${megabytes(loaded)} of ${megabytes(total)}, about ${left} left`;
  }

  received() {
    this.bar.removeAttribute("value");
    this.stop.hidden = true; // what has arrived is being saved
    this.words.textContent = "Everything has arrived and is being read…";
  }

  /** Take the bar away; `message` stays, unless there is none. */
  end(message) {
    for (const button of this.buttons) button.disabled = false;
    this.bar.remove();
    this.stop.remove();
    this.words.textContent = message;
    if (!message) this.element.remove();
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
