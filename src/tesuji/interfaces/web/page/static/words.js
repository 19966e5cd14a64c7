// The strings of this page in the visitor's language: the section `browser` of the table, put here by the server.
function tesujiWord(name, values = {}) {
  return tesujiWords[name].replace(/\{(\w+)\}/g, (_, brace) => values[brace]);
}

document.body.dataset.drop = tesujiWord("drop_here");
