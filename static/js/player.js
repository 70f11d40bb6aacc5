// Time links move the player of this page: chapters, transcript stamps and #t=83 in the
// address (Media Fragments). Without this module they are ordinary links.

export const audio = document.getElementById("audio");

let wanted = null; // where to go once the recording's length is known, and whether to play

function go({ seconds, play }) {
  if (seconds >= audio.duration) return; // a time that this recording does not have
  audio.currentTime = seconds;
  if (play) audio.play().catch(() => {});
}

/** Start the audio at `seconds`; metadata is fetched first when it is not there yet. */
export function seek(seconds, { play = true } = {}) {
  if (!audio || !Number.isFinite(seconds)) return;
  if (audio.readyState >= HTMLMediaElement.HAVE_METADATA) {
    go({ seconds, play });
    return;
  }
  const waiting = wanted !== null;
  wanted = { seconds, play };
  if (waiting) return;
  audio.addEventListener(
    "loadedmetadata",
    () => {
      go(wanted);
      wanted = null;
    },
    { once: true },
  );
  audio.preload = "metadata";
  audio.load();
}

/** The start in seconds that an address fragment asks for, or NaN. */
export function fragmentTime(hash) {
  const value = new URLSearchParams(hash.slice(1)).get("t") ?? "";
  const parts = value.replace(/^npt:/, "").split(",")[0].split(":").map(Number);
  return value ? parts.reduce((total, part) => total * 60 + part, 0) : NaN;
}

if (audio) {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-seek]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, "", `#t=${Math.floor(link.dataset.seek)}`);
    seek(Number(link.dataset.seek));
  });
  const land = () => seek(fragmentTime(location.hash), { play: false });
  addEventListener("hashchange", land);
  land();
}
