// The screen of a room asks for its next page every few seconds and puts it in place of this one,
// whatever fails in between. Televisions are old: nothing here is newer than 2012.

var EVERY = 6000; // milliseconds; every second time the next tables come
var asked = 0;

var styles = function (page) {
  return [].map.call(page.querySelectorAll("link[rel=stylesheet]"), function (link) { return link.getAttribute("href"); }).join();
};

var show = function (text) {
  var page = new DOMParser().parseFromString(text, "text/html");
  var old = document.getElementById("room");
  var fresh = page.getElementById("room");
  if (!fresh) return false;
  if (styles(page) !== styles(document)) location.reload(); // there is a new version of the program
  ["lang", "dir"].forEach(function (name) { // another language was chosen on the television
    document.documentElement[name] = page.documentElement[name];
  });
  old.parentNode.replaceChild(document.importNode(fresh, true), old);
  return true;
};

var ask = function () {
  var room = document.getElementById("room");
  var request = new XMLHttpRequest();
  asked += 1;
  request.open("GET", room.getAttribute(asked % 2 ? "data-here" : "data-next"));
  request.timeout = 2 * EVERY;
  request.onloadend = function () {
    var answered = request.status === 200 || request.status === 404;
    if (!answered || !show(request.responseText)) document.getElementById("lost").hidden = false;
    setTimeout(ask, EVERY);
  };
  request.send();
};

// The screen stays on, where the browser can do that.
var awake = function () {
  if (navigator.wakeLock) navigator.wakeLock.request("screen").then(null, function () {});
};

awake();
document.addEventListener("visibilitychange", awake);
setTimeout(ask, EVERY);
