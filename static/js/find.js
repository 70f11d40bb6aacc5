// Find in a transcript: counts, goes from match to match, folds case and accents, and finds
// what runs over several cues. The words themselves are left as they are: matches are painted
// as highlights (CSS Custom Highlight API), or the cue is marked where those are unknown.

const MOST_PAINTED = 2000;
const MARKS = /\p{M}+/gu;

/** `text` folded, and for each of its characters the place in `text` it came from. */
export function fold(text) {
  let folded = "";
  const places = [];
  let at = 0;
  for (const character of text) {
    const plain = character.normalize("NFKD").replace(MARKS, "").toLowerCase();
    const piece = /\s/.test(character) ? " " : plain;
    for (let index = 0; index < piece.length; index += 1) places.push(at);
    folded += piece;
    at += character.length;
  }
  places.push(at);
  return { folded, places };
}

/** A paragraph's words as one string, with the text nodes it is made of. */
function read(paragraph) {
  const nodes = [];
  let text = "";
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest(".stamp")) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  return { nodes, ...fold(text) };
}

/** The node and the offset in it of a place in the paragraph. */
function locate(nodes, place, atEnd) {
  let found = nodes[0];
  for (const entry of nodes) {
    if (atEnd ? entry.start >= place : entry.start > place) break;
    found = entry;
  }
  return [found.node, place - found.start];
}

function rangeOf({ page, start, end }) {
  const range = new Range();
  range.setStart(...locate(page.nodes, page.places[start], false));
  // The end of the last character found, marks that follow it included.
  let last = end;
  while (last < page.places.length - 1 && page.places[last] === page.places[end - 1]) last += 1;
  range.setEnd(...locate(page.nodes, page.places[last], true));
  return range;
}

/** Make `form` search `text`; it appears now, for without this module it could do nothing. */
export function finder(form, text) {
  const input = form.querySelector("input");
  const count = form.querySelector("output");
  const buttons = form.querySelectorAll("[data-find]");
  const highlights = globalThis.CSS?.highlights;
  let pages = null;
  let matches = [];
  let current = -1;
  let timer;
  form.hidden = false;

  function search() {
    pages ??= [...text.querySelectorAll(".words")].map(read);
    const wanted = fold(input.value).folded.trim().replace(/\s+/g, " ");
    matches = [];
    for (const page of wanted ? pages : []) {
      for (let at = page.folded.indexOf(wanted); at >= 0; ) {
        matches.push({ page, start: at, end: at + wanted.length });
        at = page.folded.indexOf(wanted, at + wanted.length);
      }
    }
    current = -1;
    paint("found", matches.slice(0, MOST_PAINTED).map(rangeOf));
    paint("found-now", []);
    for (const button of buttons) button.disabled = !matches.length;
    tell();
  }

  function paint(name, ranges) {
    if (highlights) {
      if (ranges.length) highlights.set(name, new Highlight(...ranges));
      else highlights.delete(name);
      return;
    }
    for (const cue of text.querySelectorAll(`.${name}`)) cue.classList.remove(name);
    for (const range of ranges) range.startContainer.parentElement.classList.add(name);
  }

  function tell() {
    const total = matches.length.toLocaleString("en");
    if (!input.value.trim()) count.value = "";
    else if (!matches.length) count.value = "Not found";
    else if (current < 0) count.value = total;
    else count.value = `${(current + 1).toLocaleString("en")} of ${total}`;
  }

  function step(by) {
    clearTimeout(timer);
    if (!matches.length) search();
    if (!matches.length) return;
    if (current < 0) current = by > 0 ? firstBelow() : firstBelow() - 1;
    else current += by;
    current = (current + matches.length) % matches.length;
    const range = rangeOf(matches[current]);
    paint("found-now", [range]);
    range.startContainer.parentElement.scrollIntoView({ block: "center", behavior: "instant" });
    tell();
  }

  /** The first match that is not above what the reader sees; all in one when none is. */
  function firstBelow() {
    const paragraphs = new Map();
    const top = form.getBoundingClientRect().bottom;
    const index = matches.findIndex(({ page }) => {
      if (!paragraphs.has(page)) {
        const box = page.nodes[0].node.parentElement.closest(".said").getBoundingClientRect();
        paragraphs.set(page, box.bottom > top);
      }
      return paragraphs.get(page);
    });
    return Math.max(index, 0);
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 120);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    step(1);
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      input.value = "";
      search();
      input.blur();
    } else if (event.key === "Enter" && event.shiftKey && event.target === input) {
      event.preventDefault();
      step(-1);
    }
  });
  for (const button of buttons) {
    button.addEventListener("click", () => step(button.dataset.find === "next" ? 1 : -1));
  }
}
