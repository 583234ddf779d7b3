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
