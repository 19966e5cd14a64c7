// Records on their way to the server: dropped, chosen or pasted; too large ones are refused here already.
const MOST = 2 * 1024 * 1024;

async function tesujiOpen(data) {
  const size = typeof data === "string" ? new Blob([data]).size : data.size;
  if (size > MOST) return tesujiSay(tesujiWord("too_large", { size: (size / 1048576).toFixed(1) }));
  if (!size) return tesujiSay(tesujiWord("empty"));
  try {
    const answer = await fetch("/open", { method: "POST", body: data, headers: { "Content-Type": "application/x-go-sgf" } });
    if (answer.ok) return;
    const reason = (await answer.json().catch(() => ({}))).detail;
    tesujiSay(reason ? tesujiWord("cannot_open_because", { reason }) : tesujiWord("cannot_open"));
  } catch { tesujiSay(tesujiWord("no_answer")); }
}

function tesujiSay(message) { Quasar.Notify.create({ message, color: "dark", position: "bottom", classes: "notice" }); }

function tesujiChoose() {
  const input = Object.assign(document.createElement("input"), { type: "file", accept: ".sgf,text/plain" });
  input.onchange = () => input.files[0] && tesujiOpen(input.files[0]);
  input.click();
}

// These keys walk through the game; the page stays where it is.
const WALKING = ["Home", "End", "PageUp", "PageDown", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
addEventListener("keydown", (event) => {
  const elsewhere = document.activeElement.closest("input, textarea, select, .q-dialog, .q-menu");
  if (WALKING.includes(event.key) && !elsewhere && !event.ctrlKey && !event.altKey && !event.metaKey) event.preventDefault();
});

addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  const file = event.dataTransfer.files[0], text = event.dataTransfer.getData("text");
  if (file) tesujiOpen(file);
  else if (text) tesujiOpen(text);
});
