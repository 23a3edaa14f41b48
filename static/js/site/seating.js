// Drag seats into order by the arrows beside a name. The rows stay where they are: their contents
// move, with the first dealer's mark. Without this script a tap on an arrow moves a row by one.

let dragged = null; // { row, from, moved } while a finger holds an arrow
let letGo = -1; // when a row was dropped: the click that follows at once is no tap on an arrow
const FAR = 10; // pixels from a tap to a drag

function rowsOf(row) {
  return [...row.parentElement.querySelectorAll("li")];
}

// Where the row would be placed if it were dropped now.
function place({ row, moved }) {
  const rows = rowsOf(row);
  const step = rows.length > 1 ? rows[1].offsetTop - rows[0].offsetTop : 1;
  const wanted = rows.indexOf(row) + Math.round(moved / step);
  return Math.min(rows.length - 1, Math.max(0, wanted));
}

function reorder(rows, from, to) {
  const fields = (row) => [...row.querySelectorAll("input[name=name], input[name=was]")];
  const seats = rows.map((row) => ({
    texts: fields(row).map((field) => field.value),
    deals: row.querySelector("input[name=dealer]").checked,
  }));
  seats.splice(to, 0, ...seats.splice(from, 1));
  seats.forEach(({ texts, deals }, at) => {
    fields(rows[at]).forEach((field, which) => { field.value = texts[which]; });
    if (deals) rows[at].querySelector("input[name=dealer]").checked = true;
  });
}

document.addEventListener("pointerdown", (event) => {
  const arrow = event.target.closest?.(".seating .small");
  if (arrow) dragged = { row: arrow.closest("li"), from: event.clientY, moved: 0 };
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  dragged.moved = event.clientY - dragged.from;
  if (Math.abs(dragged.moved) < FAR) return;
  dragged.row.classList.add("dragged");
  dragged.row.style.transform = `translateY(${dragged.moved}px)`;
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, (event) => {
    if (!dragged) return;
    const { row } = dragged;
    const rows = rowsOf(row);
    if (end === "pointerup" && row.classList.contains("dragged")) {
      reorder(rows, rows.indexOf(row), place(dragged));
      letGo = event.timeStamp;
    }
    row.classList.remove("dragged");
    row.style.transform = "";
    dragged = null;
  });
}

document.addEventListener("click", (event) => {
  if (letGo >= 0 && event.timeStamp - letGo < 50 && event.target.closest?.(".seating")) {
    event.preventDefault();
    event.stopPropagation();
  }
  letGo = -1;
}, true);

// Hide the sentence about the draw once a tap chooses another dealer than the one drawn.
document.addEventListener("change", ({ target }) => {
  const drawn = target.form?.elements.drawn;
  if (!target.matches(".seating [name=dealer]") || !drawn) return;
  const name = target.closest("li").querySelector("[name=name]").value;
  document.querySelector(".lots p").toggleAttribute("data-old", drawn.value !== "" && drawn.value !== name);
});

// Enter after a name leads to the next one, and after the last to one more; it begins no sheet.
let adding = false; // while the row for one more is on its way

document.addEventListener("keydown", (event) => {
  const { target, key, isComposing } = event;
  if (key !== "Enter" || isComposing || !target.matches(".seating input[name=name]")) return;
  event.preventDefault();
  const names = [...target.closest(".seating").querySelectorAll("input[name=name]")];
  const next = names[names.indexOf(target) + 1];
  const more = target.form.querySelector("button[name=do][value=row]");
  if (next) next.focus();
  else if (target.value.trim() && more) {
    adding = true;
    more.click();
  } else [...target.form.querySelectorAll("button.go")].pop().focus();
});

document.addEventListener("htmx:after:swap", () => {
  if (adding) [...document.querySelectorAll(".seating input[name=name]")].pop()?.focus();
  adding = false;
});
