// What this phone remembers: `local` for good, `session` as long as the tab is open. Where storage is
// blocked or full, nothing is kept: reading finds null, and writing says false.

const storage = (name) => ({
  text(place) {
    try {
      return window[name].getItem(place);
    } catch {
      return null;
    }
  },
  data(place) {
    try {
      return JSON.parse(this.text(place));
    } catch {
      return null; // it was not written here
    }
  },
  keep(place, text) { // null forgets what was there
    try {
      if (text === null) window[name].removeItem(place);
      else window[name].setItem(place, text);
      return true;
    } catch {
      return false;
    }
  },
  places() {
    try {
      return Object.keys(window[name]);
    } catch {
      return [];
    }
  },
});

export const local = storage("localStorage");
export const session = storage("sessionStorage");
