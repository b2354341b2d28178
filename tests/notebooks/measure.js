// Appended to the tour's page by test_reads_well.py: measures the cards, leaves the numbers in
// an element that chromium --dump-dom prints.
(() => {
  const CARD = '[role="group"][aria-label]';
  const parse = text => text.match(/[\d.]+/g).map(Number);
  const light = rgb =>
    rgb
      .map(v => v / 255)
      .map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const over = (top, under) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map(i => top[i] * alpha + under[i] * (1 - alpha));
  };
  const paper = element =>
    element
      ? over(parse(getComputedStyle(element).backgroundColor), paper(element.parentElement))
      : [255, 255, 255];
  const contrast = element => {
    const ground = paper(element);
    const pair = [light(over(parse(getComputedStyle(element).color), ground)), light(ground)];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  };
  const all = selector => [...document.querySelectorAll(selector)];
  const frame = document.querySelector('iframe');
  const copy = document.createElement('iframe');
  copy.style.width = frame.getBoundingClientRect().width + 'px';
  copy.onload = () => {
    const measured = {
      width: document.documentElement.clientWidth,
      labels: all(CARD).map(card => card.getAttribute('aria-label')),
      over: all(CARD).map(card => card.scrollWidth - card.clientWidth),
      right: Math.max(...all(CARD).map(card => card.getBoundingClientRect().right)),
      contrast: ['', ' code', ' li', ' strong'].map(part =>
        Math.min(...all(CARD + part).map(contrast))
      ),
      scripts: all(CARD + ' script').length,
      frames: all('iframe[sandbox]').length,
      sandbox: frame.getAttribute('sandbox'),
      frameHeight: frame.getBoundingClientRect().height,
      frameNeeds: copy.contentDocument.documentElement.scrollHeight,
      frameText: copy.contentDocument.body.innerText
    };
    const note = document.createElement('pre');
    note.id = 'measured';
    note.textContent = JSON.stringify(measured);
    copy.remove();
    document.body.append(note);
  };
  copy.srcdoc = frame.srcdoc;
  copy.style.height = '10px';
  document.body.append(copy);
})();
