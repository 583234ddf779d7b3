// The finder of a list: choosing a filter searches at once, and empty fields stay out of the address.
document.addEventListener("change", (event) => {
  if (event.target.matches(".finder select")) event.target.form.requestSubmit();
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".finder")) return;
  for (const field of event.target.elements) if (field.name && !field.value) field.disabled = true;
});
window.addEventListener("pageshow", () => {
  for (const field of document.querySelectorAll(".finder :disabled")) field.disabled = false;
});

// The form of a card: what was typed is not left behind unasked, and one click writes once.
const held = (form) => JSON.stringify([...new FormData(form)]);
document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("card-form");
  if (!form) return;
  const before = "unsaved" in form.dataset ? "" : held(form);
  let leaving = false;
  form.addEventListener("submit", (event) => {
    if (leaving) return event.preventDefault();
    leaving = true;
    setTimeout(() => (leaving = false), 10_000);
  });
  window.addEventListener("beforeunload", (event) => {
    if (!leaving && held(form) !== before) event.preventDefault();
  });
  window.addEventListener("pageshow", () => (leaving = false));
  form.querySelector(".refusal")?.focus();
});
