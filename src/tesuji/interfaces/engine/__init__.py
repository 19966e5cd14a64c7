"""The engine behind every conversation: GTP, the page in the browser, JSON analysis."""
