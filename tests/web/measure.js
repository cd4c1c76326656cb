/* What is wrong with how a page lies at its size now: a list of sentences, empty if nothing is.

   - Nothing is wider than the window, and no sheet scrolls sideways but what is made for that.
   - No text sticks out of its box or is cut by it, unless it ends with an ellipsis on purpose; only in
     a low window may a line scroll in a box of its own. A card or a colour in a text is in one piece.
   - The slip of who leads is not on the words of its seat, and your plate holds what is on it.
   - Every target can be scrolled to and be hit in its middle, is 24 px wide and high, a main action 44;
     no two overlap.
   - Of each card in the hand a square of 40 px is free, of 32 on the narrowest and lowest phones:
     sampled point by point, whatever lies on it, if it is wider than 8 px or reaches over an edge.
   - At the table, unless the window is low: hand, actions, and what plays or confirms are in sight
     without scrolling; of a fanned card four fifths.
   - At the table at every size, unless a question, a hint, a typed
     move or the plate of a patch needs the room: every seat, every card of a trick and
     the forecast are in the window, and nothing covers them.
   - Beside a question on a low screen: every seat, every card of a trick and the head of every card
     of the hand are in sight, and the question scrolls a little at most.
*/
() => {
  const HAND = innerWidth < 390 || innerHeight < 480 ? 32 : 40;
  const FOOT = 0.2; // share of a fanned card that may be below the edge of the window
  const LEAST = 24;
  const MAIN = 44;
  const ROUNDING = 0.5;
  const EDGE = 0.25; // pixels from the edge of a card to its first sample
  const ASCENT = 3; // pixels by which the box of a letter is higher than its line
  const LOWEST = 320; // pixels of height of the lowest phone on its side
  const LOW = 560; // below, a table may scroll: a phone on its side, a page at 200 %
  const QUESTION = 600; // up to this height of the window, a question leaves little room
  const LITTLE = 40; // pixels that a question may scroll
  const SMALL_BOX = 120; // pixels: whoever reads in a lower box does not see that it scrolls
  const STEP = 4; // pixels between two samples; what lies on a card is wider
  const NEAR = 5; // samples from the corner of a card, whose own corners are round
  const MAINS = '.primary, .begin, .actions button, .targets button, .choose, header.bar button,'
    + ' .seats .chip, dialog header button, .menu > *, .choice button:not(.note, [aria-expanded])';
  const SCROLLERS = '.wide, .scroller, .scroll, .targets, [role=listbox], pre';

  const wrong = [];
  const round = (value) => Math.round(value * 10) / 10;
  const name = (one) => `${one.tagName.toLowerCase()}.${[...one.classList].join('.')}`
    + ` "${(one.getAttribute('aria-label') ?? one.innerText ?? '').slice(0, 40)}"`;
  const root = document.documentElement;
  const width = root.clientWidth;
  const top = document.querySelector(':popover-open')
    ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const shown = (one) => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})
    && !one.closest('.unseen, .ghost');
  const styleOf = (one) => getComputedStyle(one);
  const isTable = top === document.body && document.querySelector('main > .bottom .acts') !== null;

  // -- Width ---------------------------------------------------------------------------------------
  if (root.scrollWidth > width) wrong.push(`overflow: ${root.scrollWidth} px in ${width}`);

  // -- Texts ---------------------------------------------------------------------------------------
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  const sideways = new Set();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (!node.data.trim() || !shown(holder) || holder.closest('svg, textarea')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter((one) => one.width > 0);
    if (!rects.length) continue;
    const text = {
      left: Math.min(...rects.map((one) => one.left)),
      right: Math.max(...rects.map((one) => one.right)),
      up: Math.min(...rects.map((one) => one.top)),
      low: Math.max(...rects.map((one) => one.bottom)),
    };
    const words = node.data.trim().slice(0, 40);
    let scrolls = false;
    for (let box = holder; box && top.contains(box); box = box.parentElement) {
      const style = styleOf(box);
      if (style.display === 'inline' || style.display === 'contents') continue;
      if (style.overflowX !== 'visible' && style.textOverflow === 'ellipsis') break;
      if (style.webkitLineClamp !== 'none') break;
      if (style.transform !== 'none' || style.rotate !== 'none') break;
      const frame = box.getBoundingClientRect();
      if (frame.width <= 1) break; // only for ears
      if (/auto|scroll/.test(style.overflowX) && box !== document.body) {
        if (box.scrollWidth > box.clientWidth && !box.matches(SCROLLERS)) sideways.add(box);
        if (box.matches(SCROLLERS)) break;
      }
      if (/auto|scroll/.test(style.overflowY) && box !== document.body) {
        if (box.scrollHeight > box.clientHeight + ASCENT && box.clientHeight < SMALL_BOX
            && innerHeight >= LOW && !box.matches(SCROLLERS))
          wrong.push(`cut: "${words}" is ${box.scrollHeight} px high in ${box.clientHeight} of ${name(box)}`);
        scrolls = true;
      }
      if (text.right > frame.right + ROUNDING || text.left < frame.left - ROUNDING) {
        wrong.push(`sticks out: "${words}" ${round(text.left)}-${round(text.right)} of`
          + ` ${name(box)} ${round(frame.left)}-${round(frame.right)}`);
        break;
      }
      if (!scrolls && /hidden|clip/.test(style.overflowY)
          && (text.low > frame.bottom + ASCENT || text.up < frame.top - ASCENT)) {
        wrong.push(`cut: "${words}" ${round(text.up)}-${round(text.low)} of`
          + ` ${name(box)} ${round(frame.top)}-${round(frame.bottom)}`);
        break;
      }
      if (style.position === 'absolute' || style.position === 'fixed') break;
    }
  }
  for (const box of sideways) wrong.push(`sideways: ${name(box)} ${box.scrollWidth} px in ${box.clientWidth}`);

  for (const chip of top.querySelectorAll('[data-colour]'))
    if (shown(chip) && styleOf(chip).display === 'inline' && chip.getClientRects().length > 1)
      wrong.push(`in pieces: ${name(chip)}`);

  // -- Targets -------------------------------------------------------------------------------------
  const wanted = 'button, a[href], summary, label, input, textarea, [role=option]';
  const isField = (one) => one.matches('label') ? one.querySelector('input') !== null
    && (one.querySelector('input[type=radio], input[type=checkbox], input[type=file]') !== null) : true;
  const targets = [...top.querySelectorAll(wanted)].filter((one) => shown(one) && isField(one)
    && (one.tagName === 'LABEL' || one.closest('label:has(input:is([type=radio],[type=checkbox],[type=file]))') === null)
    && !(one.tagName === 'A' && styleOf(one).display === 'inline'));
  const cards = targets.filter((one) => one.matches('.hand button'));
  const others = targets.filter((one) => !cards.includes(one));
  // What scrolls in a box of its own is cut there, and so is what the hand or the tabs lie on.
  const lidsBelow = [...top.querySelectorAll('.bottom, nav.pages')]
    .filter((one) => /sticky|fixed/.test(styleOf(one).position));
  const part = (one) => {
    let {left, right, top: up, bottom: low} = one.getBoundingClientRect();
    for (let box = one.parentElement; box && box !== top; box = box.parentElement) {
      const style = styleOf(box);
      const frame = box.getBoundingClientRect();
      if (style.overflowX !== 'visible') [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      if (style.overflowY !== 'visible') [up, low] = [Math.max(up, frame.top), Math.min(low, frame.bottom)];
    }
    for (const lid of lidsBelow.filter((each) => !each.contains(one))) {
      const frame = lid.getBoundingClientRect();
      if (left < frame.right && right > frame.left) low = Math.min(low, frame.top);
    }
    return {left, right, up, low};
  };
  const boxes = others.map(part);
  others.forEach((one, at) => {
    const whole = one.getBoundingClientRect();
    const least = one.matches(MAINS) ? MAIN : LEAST;
    if (whole.width < least - ROUNDING || whole.height < least - ROUNDING)
      wrong.push(`small: ${name(one)} ${round(whole.width)}x${round(whole.height)}, not ${least}`);
    if ((whole.left < -ROUNDING || whole.right > width + ROUNDING) && !one.closest(SCROLLERS))
      wrong.push(`outside: ${name(one)} ${round(whole.left)}-${round(whole.right)} of ${width}`);
    for (let next = at + 1; next < others.length; next += 1) {
      if (one.contains(others[next]) || others[next].contains(one)) continue;
      const [a, b] = [boxes[at], boxes[next]];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.low, b.low) - Math.max(a.up, b.up);
      // Cards that are laid one upon the other are meant to cover each other, but for their heads.
      const laid = one.matches('.laid') && others[next].matches('.laid');
      if (wide > 1 && high > 1 && !laid)
        wrong.push(`overlap: ${name(one)} and ${name(others[next])} by ${round(wide)}x${round(high)}`);
    }
  });
  const seats = [...top.querySelectorAll('.seats > .seat')].filter(shown);
  seats.forEach((one, at) => seats.slice(at + 1).forEach((other) => {
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
      wrong.push(`overlap: ${name(one)} and ${name(other)}`);
  }));

  for (const tag of [...top.querySelectorAll('.seat .leads')].filter(shown)) {
    const words = tag.closest('.seat').querySelector('.part');
    if (!words || !shown(words)) continue;
    const [a, b] = [tag.getBoundingClientRect(), words.getBoundingClientRect()];
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
      wrong.push(`on words: ${name(tag)} of ${name(tag.closest('.seat'))}`);
  }
  for (const own of [...top.querySelectorAll('main > .own')].filter(shown))
    if (own.scrollWidth > own.clientWidth + 1)
      wrong.push(`own plate: ${own.scrollWidth} px in ${own.clientWidth}`);

  // -- The hand, and what one needs at the table ---------------------------------------------------
  const hits = (one, x, y) => {
    const found = document.elementFromPoint(x, y);
    return found !== null && (one.contains(found) || found.closest('label, button, a') === one);
  };
  const middle = (one) => {
    const {left, right, up, low} = part(one);
    return hits(one, (left + right) / 2, (up + Math.min(low, innerHeight)) / 2);
  };
  if (isTable && innerHeight >= LOW) {
    const needed = '.hand button, .actions button, .status button, .go-on, .choice button.primary';
    for (const one of [...top.querySelectorAll(needed)].filter(shown)) {
      const {top: up, bottom, height} = one.getBoundingClientRect();
      const low = cards.includes(one) ? bottom - FOOT * height : bottom;
      if (up < 0 || low > innerHeight + 6 || (!cards.includes(one) && !one.closest('.targets') && !middle(one)))
        wrong.push(`not in sight: ${name(one)} ${round(up)}-${round(low)} of ${innerHeight}`);
    }
  }
  const asks = top.querySelector('.middle > .choice, .urgent, .hints > *, .typed, .seat.open') !== null;
  if (isTable && !asks && innerHeight >= LOWEST) {
    const lids = '.hand, .seats, .own, .bottom, .acts, header.bar';
    const look = (one, share, allowed) => {
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + share[0] * box.width, box.top + share[1] * box.height];
      const found = document.elementFromPoint(x, y);
      const lid = found?.closest(lids) ?? null;
      const inside = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
      if (!inside || (lid !== null && !lid.matches(allowed)))
        wrong.push(`hidden: ${name(one)} at ${round(x)}, ${round(y)} by ${lid ? name(lid) : 'the edge'}`);
    };
    const seen = (where) => [...top.querySelectorAll(where)].filter(shown);
    for (const one of seen('.seats > .seat :is(.plate, .chip)')) look(one, [0.5, 0.5], '.seats');
    for (const one of seen('.middle .spot .card, .middle .lying:not(.preview) .card')) look(one, [0.2, 0.18], '.none');
    for (const one of seen('.status')) {
      for (const share of [[0.5, 0.1], [0.5, 0.5], [0.5, 0.9]]) look(one, share, '.bottom, .line');
    }
  }
  const question = isTable ? top.querySelector('main.urgent > .middle') : null;
  if (question !== null && innerHeight >= LOWEST && innerHeight <= QUESTION) {
    const more = question.scrollHeight - question.clientHeight;
    if (more > LITTLE) wrong.push(`question: ${more} px of it are out of sight`);
    const all = (where) => [...top.querySelectorAll(where)].filter(shown);
    const places = all('.seats > .seat :is(.plate, .chip)');
    const missing = Number(question.parentElement.dataset.others) - places.length;
    if (missing > 0) wrong.push(`question: ${missing} seats are not shown`);
    const before = question.scrollTop;
    question.scrollTop = 0;
    const head = (one) => {
      const {left, top: up, width: wide, height: high} = one.getBoundingClientRect();
      return hits(one, left + 0.2 * wide, up + 0.18 * high);
    };
    const parts = [...places, ...all('.middle .spot .placed, .middle .lying'), ...cards];
    for (const one of parts.filter((each) => !head(each)))
      wrong.push(`question: ${name(one)} is not in sight beside it`);
    question.scrollTop = before;
  }
  const scrolled = [root, ...top.querySelectorAll('*')]
    .filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
    .map((one) => [one, one.scrollTop, one.scrollLeft]);
  const samples = HAND / STEP + 1;
  // Samples of a square, its corners first: nothing reaches over its edges, nothing lies within.
  const square = [];
  for (let y = 0; y < samples; y += 1) {
    for (let x = 0; x < samples; x += 1) {
      const ends = [x, y].filter((at) => at % (samples - 1) === 0).length;
      if (ends > 0 || (x % 2 === 0 && y % 2 === 0)) square.push({x, y, ends});
    }
  }
  square.sort((a, b) => b.ends - a.ends);
  for (const one of cards) {
    one.scrollIntoView({block: 'nearest'});
    const {left, top: up, width: wide, height: high} = one.getBoundingClientRect();
    const columns = Math.floor((wide - 2 * EDGE) / STEP) + 1;
    const rows = Math.floor((high - 2 * EDGE) / STEP) + 1;
    const known = new Map();
    const free = (x, y) => {
      const at = y * columns + x;
      if (!known.has(at)) known.set(at, hits(one, left + EDGE + STEP * x, up + EDGE + STEP * y));
      return known.get(at);
    };
    // Usually a square near the corner is free; otherwise the side of the largest free square that
    // ends at each sample.
    const isFree = (right, down) => right + samples <= columns && down + samples <= rows
      && square.every(({x, y}) => free(right + x, down + y));
    const near = [...Array(NEAR * NEAR).keys()].map((at) => [at % NEAR, Math.floor(at / NEAR)]);
    if (near.some(([right, down]) => isFree(right, down))) continue;
    let best = 0;
    let above = [];
    for (let y = 0; y < rows; y += 1) {
      const line = [];
      for (let x = 0; x < columns; x += 1) {
        line.push(free(x, y) ? 1 + Math.min(line[x - 1] ?? 0, above[x] ?? 0, above[x - 1] ?? 0) : 0);
        best = Math.max(best, line[x]);
      }
      above = line;
      if (best >= samples) break;
    }
    if (best < samples) wrong.push(`hand: of ${name(one)} only ${STEP * (best - 1)} px are free`);
  }
  for (const one of others) {
    if (one.matches('.laid')) continue;
    const ways = ['nearest', 'center', 'start', 'end'];
    const found = middle(one) || ways.some((block) => {
      one.scrollIntoView({block, inline: 'nearest'});
      return middle(one);
    });
    if (!found) wrong.push(`covered: ${name(one)} cannot be hit, wherever one scrolls`);
  }
  for (const [one, up, left] of scrolled) one.scrollTo({top: up, left, behavior: 'instant'});
  return wrong;
}
