// Records on their way to the server: dropped, chosen or pasted; too large ones are refused here already.
const MOST = 2 * 1024 * 1024;

let tesujiWaiting = null; // the record last sent, should the server ask back

async function tesujiOpen(data, answers = {}) {
  const size = typeof data === "string" ? new Blob([data]).size : data.size;
  if (size > MOST) return tesujiSay(tesujiWord("too_large", { size: (size / 1048576).toFixed(1).replace(".", tesujiWords.decimal) }));
  if (!size) return tesujiSay(tesujiWord("empty"));
  try {
    tesujiWaiting = { data, answers };
    const answer = await fetch(`/open?${new URLSearchParams(answers)}`, { method: "POST", body: data, headers: { "Content-Type": "application/x-go-sgf" } });
    const told = await answer.json().catch(() => ({})), reason = told.detail;
    if (answer.ok) emitEvent("tesuji-record", told);
    else tesujiSay(reason ? tesujiWord("cannot_open_because", { reason }) : tesujiWord("cannot_open"));
  } catch { tesujiSay(tesujiWord("no_answer")); }
}

// Which of several games, or that the present one may be left.
function tesujiGoOn(answers) { if (tesujiWaiting) tesujiOpen(tesujiWaiting.data, { ...tesujiWaiting.answers, ...answers }); }

function tesujiOpenText() { tesujiOpen(document.querySelector("textarea.sgf-text").value); }

function tesujiSay(message) { Quasar.Notify.create({ message, color: "dark", position: "bottom", classes: "notice" }); }

// The link to this board; an address without TLS has no clipboard but the old one, which copies what is selected.
async function tesujiCopy() {
  const field = document.querySelector("input.share-link");
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  tesujiSay(tesujiWord("copied"));
}

const tesujiFile = Object.assign(document.createElement("input"), { type: "file", accept: ".sgf,text/plain", hidden: true });
document.body.append(tesujiFile);
tesujiFile.onchange = () => {
  if (tesujiFile.files[0]) tesujiOpen(tesujiFile.files[0]);
  tesujiFile.value = ""; // so that the same file can be chosen again
};

function tesujiChoose() { tesujiFile.click(); }

// When all else is there: the worker is for later. An address without TLS has none.
addEventListener("load", () => setTimeout(() => navigator.serviceWorker?.register("/worker.js").catch(() => {}), 1000));

document.addEventListener("visibilitychange", () => emitEvent("tesuji-hidden", document.hidden));

// A dialog or menu has the keys for itself: nothing is played behind it. What closes it is its own; what only fades has
// no keys any more.
const TESUJI_IN_FRONT = ':is(.q-dialog--modal .q-dialog__inner, .q-menu):not([class*="leave-active"])';
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" && document.querySelector(TESUJI_IN_FRONT)) event.stopImmediatePropagation();
});

// These keys walk through the game; the page stays where it is.
const WALKING = ["Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
addEventListener("keydown", (event) => {
  const elsewhere = document.activeElement.closest("input, textarea, select, .q-dialog, .q-menu");
  if (!WALKING.includes(event.key) || elsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  // With Shift the arrows move a cursor on the board, wherever one is on the page.
  const board = document.querySelector(".table .goban-play");
  if (!event.shiftKey || !board || board === document.activeElement) return;
  board.focus();
  board.dispatchEvent(new KeyboardEvent("keydown", { key: event.key, shiftKey: true }));
});

// A guest has no board of the own here: what is dropped or pasted would open where nobody sees it.
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.toggle("dropping", !tesujiGuest); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  tesujiTake(event.dataTransfer);
});

// Pasted anywhere but where one writes, a record opens as if it had been dropped.
addEventListener("paste", (event) => {
  const writing = event.target instanceof Element && event.target.closest("input, textarea, .q-dialog");
  if (!writing && (event.clipboardData.files[0] || event.clipboardData.getData("text").includes("(;"))) tesujiTake(event.clipboardData);
});

function tesujiTake(brought) {
  const taken = brought.files[0] || brought.getData("text");
  if (taken && !tesujiGuest) tesujiOpen(taken);
}
