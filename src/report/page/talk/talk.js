'use strict';
(() => {
  const WORDS = 180;
  const element = (parent, tag, words, name) => {
    const made = document.createElement(tag);
    if (words !== undefined) { made.textContent = words; }
    if (name) { made.className = name; }
    parent.append(made);
    return made;
  };
  const outside = (parent, tag, words, name) => {
    const made = element(parent, tag, words, name ? name + ' text' : 'text');
    made.dir = 'auto';
    return made;
  };
  const link = (parent, name, number) => {
    const made = element(parent, 'a', number);
    made.href = '#' + encodeURIComponent(name) + '/' + number;
    return made;
  };

  const entries = (after, name, numbers) => {
    const all = document.createElement('ol');
    all.className = 'entries';
    numbers.forEach((number) => {
      const turn = document.getElementById(name + '/' + number);
      const line = element(all, 'li');
      link(line, name, number);
      const who = turn && turn.querySelector('.who');
      const what = turn && ['.words', '.lines', '.title', '.head .text:not(.who)'].map((one) => turn.querySelector(one)).find(Boolean);
      if (who) { line.append(' '); outside(line, 'strong', who.textContent); }
      if (what) {
        const words = what.textContent;
        line.append(' ');
        outside(line, 'span', words.length > WORDS ? words.slice(0, WORDS) + '…' : words);
      }
    });
    after.after(all);
  };

  const fill = (details, talk, data) => {
    const name = talk.dataset.name;
    details.querySelectorAll('.refs').forEach((refs) => {
      const parts = refs.textContent.split(/(\d+)/);
      const numbers = parts.filter((_, place) => place % 2 === 1);
      refs.textContent = '';
      parts.forEach((part, place) => { if (place % 2 === 1) { link(refs, name, part); } else { refs.append(part); } });
      if (refs.parentElement.matches('.was-shown, .was-replaced')) { entries(refs.parentElement, name, numbers); }
    });
    const answer = data.answers[details.dataset.of];
    if (!answer) { return; }
    (answer.messages || []).forEach(([role, runs]) => {
      const lines = runs.flatMap(([first, count]) => data.lines.slice(first, first + count));
      element(details, 'h5', 'Prompt, ' + role);
      const words = outside(details, 'pre', lines.join('\n'));
      words.tabIndex = 0;
    });
    if (answer.thinking) {
      element(details, 'h5', 'The model’s thinking');
      outside(details, 'pre', answer.thinking).tabIndex = 0;
    }
    if (answer.reply) {
      element(details, 'h5', 'The raw reply');
      outside(details, 'pre', answer.reply).tabIndex = 0;
    }
  };

  const filter = (talk) => {
    const seat = talk.querySelector('.by-seat').value;
    const phase = talk.querySelector('.by-phase').value;
    const isPrivate = talk.querySelector('.with-private').checked;
    const isProcedure = talk.querySelector('.with-procedure').checked;
    let shown = 0;
    let all = 0;
    talk.querySelectorAll('section.phase').forEach((section) => {
      section.hidden = phase !== '' && section.dataset.phase !== phase;
    });
    talk.querySelectorAll('div.turn').forEach((turn) => {
      const other = seat !== '' && turn.dataset.seat !== undefined && turn.dataset.seat !== seat;
      turn.hidden = other || (!isPrivate && turn.classList.contains('private'))
        || (!isProcedure && turn.classList.contains('procedure'));
      all += 1;
      shown += turn.hidden || turn.closest('section.phase[hidden]') ? 0 : 1;
    });
    talk.querySelector('.found').textContent = shown === all ? '' : shown + ' of ' + all + ' entries';
  };

  document.addEventListener('session-opened', ({ detail: article }) => {
    article.querySelectorAll('.talk').forEach((talk) => {
      const packed = talk.querySelector('script.prompts');
      let data = null;
      talk.addEventListener('toggle', ({ target }) => {
        if (!target.matches('details.sight') || !target.open || target.dataset.filled) { return; }
        target.dataset.filled = 'yes';
        data = data || (packed ? JSON.parse(packed.textContent) : { lines: [], answers: {} });
        fill(target, talk, data);
      }, true);
      const filters = talk.querySelector('.filters');
      if (filters) {
        filters.addEventListener('change', () => filter(talk));
        filter(talk);
      }
    });
  });
})();
