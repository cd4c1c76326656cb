() => {
  const seen = (one) => one.checkVisibility({visibilityProperty: true});
  const state = {over: false, dialog: '', line: false, typing: false, asks: '', offers: []};
  const found = [];
  const label = (one) => one.getAttribute('aria-label') ?? one.innerText;
  const offer = (kind, one, more = {}) => {
    state.offers.push({
      kind, at: found.length, text: label(one).trim(), on: one.getAttribute('aria-pressed'),
      card: one.querySelector('[data-card]')?.dataset.card ?? '', ...more,
    });
    found.push(one);
  };
  const usable = (one) => seen(one) && !one.disabled
    && one.getAttribute('aria-disabled') !== 'true';
  const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(usable);
  const move = (one) => [...one.childNodes].map((node) => node.dataset
    ? node.dataset.colour + node.querySelector('.seen').textContent : node.textContent).join('');
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
    all('button.go-on').forEach((one) => offer('go-on', one));
    for (const panel of [...document.querySelectorAll('.middle .choice')].filter(seen).slice(-1)) {
      state.asks = panel.innerText;
      state.waits = [...panel.querySelectorAll('button.primary')].some((one) => one.disabled);
      all('button', panel).forEach((one) => offer('choice', one, {
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
    [...document.querySelectorAll('.typed [role=option]')].filter(seen)
      .forEach((one) => offer('move', one, {move: move(one)}));
  }
  const text = JSON.stringify(state);
  globalThis.offered = found;
  if (!(state.over || state.offers.length)) return '';
  return text;
}
