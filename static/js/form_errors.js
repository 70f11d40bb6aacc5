// Errors of a form that was sent in the background, put where Django's admin would show them.

/**
 * Moves the errors of `answered` (the form in the desk's answer) into `form` (the one an editor
 * has before him), in the place of those from last time. Returns one sentence for the editor.
 */
export function graftErrors(form, answered) {
  for (const old of form.querySelectorAll(".errornote, .errorlist")) old.remove();
  for (const old of form.querySelectorAll(".errors")) old.classList.remove("errors");
  // So that “save again” after somebody else's edit means what it says.
  const seen = answered.elements.namedItem("seen_revision");
  if (seen) form.elements.namedItem("seen_revision").value = seen.value;

  const top = document.createElement("div");
  const note = answered.querySelector(".errornote");
  if (note) top.append(document.importNode(note, true));
  const lists = [...answered.querySelectorAll(".errorlist")];
  for (const list of lists) {
    const place = placeOf(form, list);
    const copy = document.importNode(list, true);
    if (place) {
      place.prepend(copy);
      place.classList.add("errors");
      place.closest("details")?.setAttribute("open", "");
    } else {
      top.append(copy);
    }
  }
  form.querySelector(":scope > div").prepend(...top.childNodes);
  const first = form.querySelector(".errorlist, .errornote");
  first?.scrollIntoView({ block: "center" });
  return lists.length || note ? "Not saved yet: see what is marked in the form." : "Not saved.";
}

/** The row of the field an error list is about, or of the inline it stands in; null for neither. */
function placeOf(form, list) {
  const field = list.id.replace(/_error$/, "");
  if (field) {
    const input = form.querySelector(`#${CSS.escape(field)}, #${CSS.escape(field)}_0`);
    const row = input?.closest("td, .fieldBox, .form-row");
    if (row) return row;
  }
  const row = list.closest(".row-form-errors")?.nextElementSibling ?? list.closest("[id]");
  const known = row && row.id !== form.id && document.getElementById(row.id);
  return known ? (known.matches("tr") ? known.querySelector("td:not(.original)") : known) : null;
}
