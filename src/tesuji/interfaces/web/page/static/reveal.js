// Brings a row of a list into sight: the list alone is scrolled, never the page.
function tesujiReveal(id) {
  const row = document.getElementById(id), list = row?.parentElement;
  if (!list) return;
  const inner = row.getBoundingClientRect(), outer = list.getBoundingClientRect();
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}
