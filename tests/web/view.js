// What is there to see and to hear at a table, piece by piece: texts, names and states.
() => {
  const found = [];
  const states = ['aria-pressed', 'aria-disabled', 'disabled', 'checked', 'aria-selected'];
  const classes = ['legal', 'illegal', 'raised', 'queued', 'marked', 'on-turn', 'winning', 'mine'];
  // Of the log what belongs to the match: who sat down before it is told only to those who saw it.
  const before = new Set();
  for (const log of document.querySelectorAll('.log ol')) {
    const lines = [...log.children];
    const first = lines.findIndex((line) => line.classList.contains('round'));
    lines.slice(0, first).forEach((line) => before.add(line));
  }
  const visit = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent.trim();
      if (text) found.push(text);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    // An element without a box of its own is never visible, but its children may be.
    if (!node.checkVisibility() && getComputedStyle(node).display !== 'contents') return;
    if (before.has(node)) return;
    const facts = [
      node.getAttribute('aria-label'), node.getAttribute('data-card'),
      ...states.filter((one) => node[one] === true || node.getAttribute(one) === 'true'),
      ...classes.filter((one) => node.classList.contains(one)),
    ].filter(Boolean);
    if (facts.length) found.push(`${node.tagName.toLowerCase()}: ${facts.join(', ')}`);
    node.childNodes.forEach(visit);
  };
  const parts = 'header.bar, .seats, main > .middle, main > .own, .status, .hand, .actions, aside';
  document.querySelectorAll(parts).forEach((part) => {
    found.push(`== ${[...part.classList].sort().join(' ')}`); // their order tells what came first
    visit(part);
  });
  return found;
}
