// The words that are being said are marked, and kept in view as long as the reader wants that:
// who scrolls away is left alone until the place is in view again or "Follow along" is pressed.

const ROOM = 48; // pixels that shall be free above and below

/** The index of the last of the ascending `starts` at or before `seconds`; -1 before all. */
export function indexAt(starts, seconds) {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle] <= seconds) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Marks one of `cues` (elements in the order of `starts`) as the current one.
 * `top()` is how many pixels of the window something sticky covers; `button` switches
 * following on and off.
 */
export function follower({ cues, starts, top, button }) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let current = -1;
  let following = false;
  let willing = false; // the reader has not switched it off
  let moving = false; // a scroll of ours is under way

  function inView() {
    const cue = cues[current];
    if (!cue) return true;
    const { top: head, bottom } = cue.getBoundingClientRect();
    return head >= top() && bottom <= innerHeight;
  }

  function comfortable() {
    const { top: head, bottom } = cues[current].getBoundingClientRect();
    return head >= top() + ROOM / 2 && bottom <= innerHeight - ROOM;
  }

  function say(on) {
    following = on;
    button?.setAttribute("aria-pressed", String(on));
  }

  function reveal() {
    if (current < 0 || comfortable()) return;
    const far = Math.abs(cues[current].getBoundingClientRect().top) > 2 * innerHeight;
    moving = true;
    cues[current].scrollIntoView({
      block: "center",
      behavior: far || calm.matches ? "instant" : "smooth",
    });
    if ("onscrollend" in window) return;
    clearTimeout(reveal.timer);
    reveal.timer = setTimeout(() => (moving = false), 1500);
  }

  addEventListener("scrollend", () => (moving = false));
  for (const kind of ["wheel", "touchmove"]) {
    addEventListener(kind, () => (moving = false), { passive: true });
  }
  addEventListener(
    "scroll",
    () => {
      if (willing && !moving && !calm.matches) say(inView());
    },
    { passive: true },
  );
  button?.addEventListener("click", () => {
    say(!following);
    willing = following;
    if (following) reveal();
  });

  return {
    /** Mark what is said at `seconds`. */
    mark(seconds) {
      const index = indexAt(starts, seconds);
      if (index === current) return;
      cues[current]?.removeAttribute("aria-current");
      current = index;
      cues[current]?.setAttribute("aria-current", "true");
      if (following) reveal();
    },
    /** Keep the place in view from now on, unless the reader asked for no motion. */
    start() {
      if (calm.matches) return;
      willing = true;
      say(true);
      reveal();
    },
    /** Show the place once. */
    reveal,
  };
}
