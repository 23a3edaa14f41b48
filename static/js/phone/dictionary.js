// Sentences used by scripts, embedded by the page in its language, with names in braces for values:
// `sentence("unsent")`, `sentence("cardAs", { card: "8S" })`.

export const sentence = (key, values = {}) =>
  document.getElementById("sentences").dataset[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
