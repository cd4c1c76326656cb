// What can be done now, as text; waits for a change until it differs from `before`, or for `most`
// milliseconds: then it is ''. Elements are kept in `globalThis.offered`.
({before, most}) => {
  const seen = (one) => one.checkVisibility({visibilityProperty: true});
  const usable = (one) => seen(one) && !one.disabled
    && one.getAttribute('aria-disabled') !== 'true';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(usable);
  const label = (one) => one.getAttribute('aria-label') ?? one.innerText;
  // A card is its colour and what is seen of it; it may be in a box with the signs beside it.
  const move = (one) => {
    if (one.dataset?.colour) return one.dataset.colour + one.querySelector('.seen').textContent;
    return one.childNodes.length ? [...one.childNodes].map(move).join('') : one.textContent;
  };

  const look = () => {
    const state = {over: false, dialog: '', line: false, typing: false, asks: '', offers: []};
    const found = [];
    const offer = (kind, one, more = {}) => {
      state.offers.push({
        kind, at: found.length, text: label(one).trim(), on: one.getAttribute('aria-pressed'),
        card: one.querySelector('[data-card]')?.dataset.card ?? '', ...more,
      });
      found.push(one);
    };
    state.held = [...document.querySelectorAll('.hand [data-card]')]
      .map((one) => one.dataset.card).join(' ');
    const dialog = [...document.querySelectorAll('dialog[open]')].filter(seen).at(-1);
    if (dialog) {
      state.dialog = dialog.innerText;
      state.walk = dialog.classList.contains('walk');
      all('button.primary, button.strong', dialog).slice(-1).forEach((one) => offer('dialog', one));
    } else if (document.querySelector('.end h2')) {
      state.over = true;
    } else if (all('button.begin').length) {
      all('button.begin').forEach((one) => offer('begin', one));
    } else {
      // Which trick lies: two that lie one after the other are two things to go on from.
      const lying = () => [...document.querySelectorAll('.middle [data-card]')]
        .map((one) => one.dataset.card).join(' ');
      all('button.go-on').forEach((one) => offer('go-on', one, {card: lying()}));
      const panels = [...document.querySelectorAll('.middle .choice')].filter(seen);
      for (const panel of panels.slice(-1)) {
        state.asks = panel.innerText;
        state.waits = [...panel.querySelectorAll('button.primary')].some((one) => one.disabled);
        // What has a value is dragged or moved with arrows; what expands only tells more.
        const answers = all('button:not([data-value], [aria-expanded])', panel);
        answers.forEach((one) => offer('choice', one, {
          primary: one.classList.contains('primary'),
          hold: one.hasAttribute('aria-pressed'),
        }));
        [...panel.querySelectorAll('input[type=radio]')].forEach((one) =>
          offer('radio', one, {text: one.value, on: String(one.checked)}));
      }
      all('button.choose').forEach((one) => offer('target', one, {place: one.dataset.place}));
      all('.targets button').forEach((one) => offer('target', one));
      all('.status button.primary').forEach((one) => offer('play', one));
      all('.hand button.legal').forEach((one) => offer('hand', one));
      const line = document.querySelector('.typed input');
      state.line = !!line;
      state.typing = !!line && document.activeElement === line;
      // A line takes moves as soon as they are known; whoever looks sees a trick lie before.
      const now = document.querySelector('.status.mine') !== null;
      [...document.querySelectorAll('.typed [role=option]')].filter((one) => now && seen(one))
        .forEach((one) => offer('move', one, {move: move(one)}));
    }
    globalThis.offered = found;
    return state.over || state.offers.length ? JSON.stringify(state) : '';
  };

  return new Promise((done) => {
    let asked = false;
    const check = () => {
      asked = false;
      const text = look();
      if (text && text !== before) end(text);
    };
    const soon = () => {
      if (asked) return;
      asked = true;
      setTimeout(check, 8); // once for many changes
    };
    const watch = new MutationObserver(soon);
    const again = setInterval(soon, 300); // what no change of the page tells, as the end of a style
    const late = setTimeout(() => end(''), most);
    const end = (text) => {
      watch.disconnect();
      clearInterval(again);
      clearTimeout(late);
      done(text);
    };
    const changes = {subtree: true, childList: true, attributes: true, characterData: true};
    watch.observe(document, changes);
    check();
  });
}
