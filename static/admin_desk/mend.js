// Mending a transcript: the cue that is heard is marked, the keyboard plays and saves, and
// nothing typed is left behind unnoticed. Without this module everything works by its buttons.

import { indexAt } from "../js/follow.js";
import { audio, seek } from "../js/player.js";

const form = document.querySelector(".mend-form");
const cues = [...document.querySelectorAll(".mend-cue")];
const timed = cues.filter((cue) => cue.dataset.start);
const starts = Float64Array.from(timed, (cue) => cue.dataset.start);
let now = -1;
let sending = false;

function mark() {
  const index = indexAt(starts, audio.currentTime);
  if (index === now) return;
  timed[now]?.classList.remove("is-now");
  now = index;
  timed[now]?.classList.add("is-now");
}

if (audio && timed.length) {
  audio.addEventListener("timeupdate", mark);
  audio.addEventListener("seeked", mark);
}

for (const keys of document.querySelectorAll(".mend-keys")) keys.hidden = false;

function changed(cue) {
  return [...cue.querySelectorAll("textarea, .mend-speaker")].some(
    (field) => field.value !== field.defaultValue,
  );
}

form?.addEventListener("input", (event) => {
  const cue = event.target.closest(".mend-cue");
  cue?.classList.toggle("is-changed", changed(cue));
});

form?.addEventListener("keydown", (event) => {
  const cue = event.target.closest(".mend-cue");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[name=save]"));
  } else if (event.altKey && event.code === "KeyP" && cue?.dataset.start) {
    event.preventDefault();
    if (audio.paused || !cue.classList.contains("is-now")) seek(Number(cue.dataset.start));
    else audio.pause();
  }
});

form?.addEventListener("submit", (event) => {
  sending = true;
  const button = event.submitter;
  if (button?.name !== "split") return;
  // Where no line break says where to split, the cursor does.
  const text = button.closest(".mend-cue").querySelector("textarea");
  const at = text.selectionStart;
  if (!text.value.includes("\n") && at > 0 && at < text.value.length) {
    text.value = `${text.value.slice(0, at)}\n${text.value.slice(at)}`;
  }
});

addEventListener("beforeunload", (event) => {
  if (!sending && cues.some(changed)) event.preventDefault();
});
addEventListener("pageshow", () => {
  sending = false;
});
