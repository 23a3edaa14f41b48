// One key for all who put their cards down unseen: whoever has none on the form has mucked.

document.addEventListener("click", (event) => {
  const key = event.target.closest("button[value='@:rest']");
  if (!key) return;
  event.preventDefault();
  const hands = [...key.form.querySelectorAll("[data-docked]")];
  for (const hand of hands) if (!cardsOf(hand).length) layCards(hand, ["-"]);
  hands[0].dispatchEvent(new Event("complete", { bubbles: true }));
});
