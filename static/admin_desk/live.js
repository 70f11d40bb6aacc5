// What goes on in the background, looked at every two seconds without loading the page anew.
// Without this module the page reloads itself by a meta element.
const SECONDS = 2;

async function look() {
  const here = document.querySelector("[data-live]");
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const now = page.querySelector("[data-live]");
    if (!answer.ok) throw new Error(answer.status);
    if (!now) {
      location.reload(); // it has ended, or the editor was signed out
      return;
    }
    const focused = here.contains(document.activeElement) && document.activeElement.value;
    if (now.innerHTML !== here.innerHTML) here.replaceWith(now);
    if (focused) now.querySelector(`input[value="${CSS.escape(focused)}"]`)?.focus();
  } catch {
    // The server may be starting anew; it is asked again.
  }
  setTimeout(look, SECONDS * 1000);
}

if (document.querySelector("[data-live]")) setTimeout(look, SECONDS * 1000);
