// Sentences used by scripts, embedded by the page in its language, with names in braces for values:
// `sentence("unsent")`, `sentence("cardAs", { card: "8S" })`.

const filledIn = (template, values) => template.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const sentence = (key, values = {}) => filledIn(document.getElementById("sentences").dataset[key], values);

// What an element, or the page, says of `count` things: `sayMany("cards", 3)` is from `data-cards-few`
// if the language has a form for a few.
export function sayMany(key, count, { dataset } = document.getElementById("sentences")) {
  const form = new Intl.PluralRules(document.documentElement.lang).select(count);
  return filledIn(dataset[key + form[0].toUpperCase() + form.slice(1)] ?? dataset[`${key}Other`], { count });
}
