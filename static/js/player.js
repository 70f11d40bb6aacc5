// Time links move the player of this page: chapters, transcript stamps and #t=83 in the
// address (Media Fragments). Without this module they are ordinary links.

const audio = document.getElementById("audio");

/** Start the audio at `seconds`; metadata is fetched first when it is not there yet. */
export function seek(seconds, { play = true } = {}) {
  if (!audio || !Number.isFinite(seconds)) return;
  const go = () => {
    audio.currentTime = seconds;
    if (play) audio.play().catch(() => {});
  };
  if (audio.readyState >= HTMLMediaElement.HAVE_METADATA) {
    go();
  } else {
    audio.addEventListener("loadedmetadata", go, { once: true });
    audio.preload = "metadata";
    audio.load();
  }
}

/** The start in seconds that an address fragment asks for, or NaN. */
export function fragmentTime(hash) {
  const value = new URLSearchParams(hash.slice(1)).get("t") ?? "";
  const parts = value.split(",")[0].split(":").map(Number);
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
  const start = fragmentTime(location.hash);
  if (Number.isFinite(start)) seek(start, { play: false });
}
