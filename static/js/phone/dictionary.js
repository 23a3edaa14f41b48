// What scripts say: the page brings the sentences in its language, with the places of their values
// in braces; `sentence("unsent")` or `sentence("cardAs", { card: "8S" })` says one.

export const sentence = (key, values = {}) =>
  document.getElementById("sentences").dataset[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
