// The transcript's page: it follows the audio, moves it on click, and can be searched.
// Without this module the page is complete: every time is a link to its place.

import { finder } from "./find.js";
import { follower, indexAt } from "./follow.js";
import { audio, fragmentTime, seek } from "./player.js";

const text = document.querySelector(".transcript-text");
const tools = document.querySelector(".transcript-tools");
const cues = [...text.querySelectorAll(".cue")];

layOut([...text.querySelectorAll(".said")]);
finder(tools.querySelector(".find"), text);
if (audio && cues.length) follow();

/**
 * Paragraphs out of sight are not laid out when the page comes (content-visibility), so that
 * its first words are there at once. That would cost a frame now and then while scrolling,
 * so the rest is laid out whenever nothing else is to be done, and nobody scrolls.
 */
function layOut(paragraphs) {
  if (!globalThis.requestIdleCallback) return;
  let scrolled = -Infinity;
  addEventListener("scroll", () => (scrolled = performance.now()), { passive: true });
  const next = (idle) => {
    const still = performance.now() - scrolled > 250;
    while (still && paragraphs.length && idle.timeRemaining() > 3) {
      const paragraph = paragraphs.shift();
      paragraph.classList.add("is-laid-out");
      paragraph.getBoundingClientRect();
    }
    if (!paragraphs.length) return;
    if (still) requestIdleCallback(next);
    else setTimeout(() => requestIdleCallback(next), 250);
  };
  requestIdleCallback(next);
}

function follow() {
  const starts = Float64Array.from(cues, (cue) => cue.dataset.start);
  const place = follower({
    cues,
    starts,
    top: () => tools.getBoundingClientRect().bottom,
    button: tools.querySelector("[data-follow]"),
  });
  text.classList.add("is-followed");
  audio.addEventListener("timeupdate", () => place.mark(audio.currentTime));
  audio.addEventListener("seeked", () => place.mark(audio.currentTime));
  audio.addEventListener("play", place.start);

  text.addEventListener("click", (event) => {
    const cue = event.target.closest(".cue");
    if (!cue || !getSelection().isCollapsed) return; // the reader is selecting words
    seek(Number(cue.dataset.start));
  });

  /** `#t=83` is the cue that begins in second 83, else the one that is being said then. */
  function land() {
    const seconds = fragmentTime(location.hash);
    if (!Number.isFinite(seconds)) return;
    const before = indexAt(starts, seconds);
    const begins = before + 1 < starts.length && Math.floor(starts[before + 1]) === seconds;
    const index = starts[before] === seconds || !begins ? Math.max(before, 0) : before + 1;
    seek(starts[index], { play: false });
    place.mark(starts[index]);
    place.reveal();
  }

  addEventListener("hashchange", land);
  land();
}
