() => {
  const wrong = [];
  const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join('.')}`
    + ` "${(one.getAttribute('aria-label') ?? one.innerText ?? '').slice(0, 40)}"`;
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width)
    wrong.push(`overflow: ${document.documentElement.scrollWidth} in ${width}`);
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const shown = (one) => one.checkVisibility({visibilityProperty: true}) && !one.closest('.unseen');
  const targets = [...top.querySelectorAll('button, a[href], input, select, summary, [role=option]')]
    .filter((one) => shown(one) && one.closest('label') === null
      && !(one.tagName === 'A' && getComputedStyle(one).display === 'inline'));
  // What scrolls in a box of its own is cut there, and so is what the hand lies on.
  const bottom = top.querySelector('.bottom');
  const lid = bottom ? bottom.getBoundingClientRect().top : Infinity;
  const part = (one) => {
    let {left, right, top: up, bottom: low} = one.getBoundingClientRect();
    for (let box = one.parentElement; box && box !== top; box = box.parentElement) {
      const style = getComputedStyle(box);
      const cut = box.getBoundingClientRect();
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, cut.left), Math.min(right, cut.right)];
      if (style.overflowY !== 'visible') [up, low] = [Math.max(up, cut.top), Math.min(low, cut.bottom)];
    }
    if (bottom && !bottom.contains(one) && getComputedStyle(bottom).position === 'sticky') low = Math.min(low, lid);
    return {left, right, up, low};
  };
  const boxes = targets.map(part);
  targets.forEach((one, at) => {
    const whole = one.getBoundingClientRect();
    const inHand = one.closest('.hand') !== null;
    const least = inHand ? 40 : 24;
    if (whole.width < least - 0.5 || whole.height < least - 0.5)
      wrong.push(`small: ${name(one)} ${whole.width.toFixed(1)}x${whole.height.toFixed(1)}`);
    if (whole.left < -0.5 || whole.right > width + 0.5)
      if (boxes[at].right - boxes[at].left > 0 && !one.closest('.targets, .scroll'))
        wrong.push(`outside: ${name(one)} ${whole.left.toFixed(0)}-${whole.right.toFixed(0)} of ${width}`);
    if (one.matches('button') && getComputedStyle(one).overflow === 'visible'
        && (one.scrollWidth > one.clientWidth + 4))
      wrong.push(`cut: ${name(one)} ${one.scrollWidth} in ${one.clientWidth}`);
    for (let other = at + 1; other < targets.length; other += 1) {
      if (one.contains(targets[other])) continue;
      const [a, b] = [boxes[at], boxes[other]];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.low, b.low) - Math.max(a.up, b.up);
      // A raised card rises over the row above it: that is how one sees it.
      const risen = one.closest('.hand') && targets[other].closest('.hand') ? 20 : 1;
      if (wide > 1 && high > risen)
        wrong.push(`overlap: ${name(one)} and ${name(targets[other])} by ${wide.toFixed(0)}x${high.toFixed(0)}`);
    }
  });
  const parts = [...document.querySelectorAll('.seats > .seat')].filter(shown);
  parts.forEach((one, at) => parts.slice(at + 1).forEach((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
      wrong.push(`overlap: ${name(one)} and ${name(other)}`);
  }));
  const hand = [...document.querySelectorAll('.bottom .hand button')].map((one) => one.getBoundingClientRect());
  if (top === document.body && innerHeight >= 560
      && hand.some((one) => one.top < 0 || one.bottom > innerHeight + 6))
    wrong.push('the hand is not in sight');
  return wrong;
}
