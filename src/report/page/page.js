'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('scripted');
  const overview = document.getElementById('overview-view');
  const stage = document.getElementById('session-view');
  const said = document.getElementById('said');
  const found = document.getElementById('found');
  const title = document.title;
  const list = (parent, selector) => Array.from(parent.querySelectorAll(selector));
  const opened = new Map(list(stage, 'article.session').map((article) => [article.id, article]));

  const unpack = async (letters) => {
    const bytes = Uint8Array.from(atob(letters.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).text();
  };

  const html = async (name) => {
    const block = document.getElementById('block/' + name);
    if (block && block.type === 'application/octet-stream') { return unpack(block.textContent); }
    if (!('served' in root.dataset) || document.getElementById(name)) { return null; }
    const answer = await fetch('s/' + encodeURIComponent(name));
    if (!answer.ok) { throw new Error('the server says ' + answer.status); }
    return answer.text();
  };

  const session = async (name) => {
    if (opened.has(name)) { return opened.get(name); }
    const text = await html(name);
    if (text === null) { return null; }
    const holder = document.createElement('div');
    holder.innerHTML = text;
    const article = holder.querySelector('article.session');
    stage.append(article);
    opened.set(name, article);
    document.dispatchEvent(new CustomEvent('session-opened', { detail: article }));
    return article;
  };

  const unfold = (target) => {
    for (let parent = target; parent && parent !== overview && parent !== stage; parent = parent.parentElement) {
      if (parent.tagName === 'DETAILS') { parent.open = true; }
      if (parent.hidden) { parent.hidden = false; }
    }
  };

  const show = async () => {
    let where = '';
    try { where = decodeURIComponent(location.hash.slice(1)); } catch { where = location.hash.slice(1); }
    where = where || root.dataset.only || '';
    const cut = where.indexOf('/');
    const name = cut < 0 ? where : where.slice(0, cut);
    let article = null;
    said.textContent = '';
    try {
      article = name ? await session(name) : null;
    } catch (error) {
      said.textContent = 'This session cannot be opened: ' + error.message;
    }
    opened.forEach((other) => { other.hidden = other !== article; });
    overview.hidden = article !== null;
    stage.hidden = article === null;
    document.title = article ? name + ' · ' + title : title;
    let target = where ? document.getElementById(where) : null;
    if (name && !article && !target && !said.textContent) {
      said.textContent = 'This file does not hold ' + name + '. The command ekklesia serve opens it.';
    }
    if (article) {
      if (target) { unfold(target); }
      list(article, '.at').forEach((other) => other.classList.remove('at'));
      if (!target || target === article) {
        window.scrollTo(0, 0);
        target = article.querySelector('h2');
      } else {
        target.classList.add('at');
        target.scrollIntoView();
      }
      if (target.tabIndex < 0) { target.tabIndex = -1; }
      target.focus({ preventScroll: true });
    } else if (target) {
      unfold(target);
      target.scrollIntoView();
    }
  };

  list(stage, 'article.session').forEach((article) => {
    document.dispatchEvent(new CustomEvent('session-opened', { detail: article }));
  });

  // The first rule of the style holds the colours for light ground.
  const palette = document.styleSheets[0].cssRules[0].style;
  const drawing = (figure) => {
    const copy = figure.querySelector('.wide svg').cloneNode(true);
    list(copy, 'a').forEach((link) => link.replaceWith(...link.childNodes));
    copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
    copy.setAttribute('font-family', 'DejaVu Sans, Verdana, sans-serif');
    const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    ['width', 'height'].forEach((size) => ground.setAttribute(size, copy.getAttribute(size)));
    ground.setAttribute('fill', palette.getPropertyValue('--page').trim());
    copy.prepend(ground);
    const text = new XMLSerializer().serializeToString(copy);
    return text.replace(/var\((--[a-z0-9]+)\)/g, (_, name) => palette.getPropertyValue(name).trim());
  };
  const save = (blob, name) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  const bytes = (text) => new TextEncoder().encode(text);
  const savers = {
    svg: (figure, name) => save(new Blob([drawing(figure)], { type: 'image/svg+xml' }), name + '.svg'),
    csv: (figure, name) => {
      const letters = figure.querySelector('script.csv').textContent.trim();
      save(new Blob([Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0))], { type: 'text/csv' }), name + '.csv');
    },
    png: (figure, name) => {
      const svg = figure.querySelector('.wide svg');
      const picture = new Image();
      picture.onload = () => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = ['width', 'height'].map((size) => 3 * Number(svg.getAttribute(size)));
        canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
        canvas.toBlob((blob) => save(blob, name + '.png'));
      };
      picture.src = 'data:image/svg+xml;base64,' + btoa(String.fromCharCode(...bytes(drawing(figure))));
    },
  };
  overview.addEventListener('click', ({ target }) => {
    const how = target.dataset.save;
    if (how) {
      const figure = target.closest('figure');
      savers[how](figure, figure.dataset.name);
    }
  });

  // A number is a session's, as its replicate has it: 7, group 7, session 7, r7, replicate 7. What is quoted is looked for as it stands.
  const wanted = (typed) => {
    const phrases = [];
    const numbers = [];
    const rest = typed.toLowerCase().replace(/["“”„]([^"“”„]*)["“”„]?/g, (_, phrase) => {
      if (phrase.trim()) { phrases.push(phrase.trim()); }
      return ' ';
    });
    rest.split(/\s+/).filter(Boolean).forEach((word) => {
      const number = /^(?:group|session|replicate)?[#r]?0*(\d+)$/.exec(word);
      if (number) {
        numbers.push(number[1]);
      } else if (!/^(?:group|session|replicate)s?$/.test(word)) {
        phrases.push(word);
      }
    });
    return { phrases, numbers };
  };

  // Results under other rules were counted beforehand; a choice shows one of them.
  list(overview, '.rules').forEach((place) => {
    const data = JSON.parse(place.querySelector('script').textContent);
    const [rule, quorum] = ['rule', 'quorum'].map((name) => place.querySelector('select.' + name));
    const cell = (row, tag, words, name) => {
      const made = document.createElement(tag);
      made.textContent = words;
      if (tag === 'th') { made.scope = name === 'row' ? 'row' : 'col'; }
      if (name === 'n') { made.className = 'n'; }
      row.append(made);
    };
    [[rule, data.rules], [quorum, data.quorums]].forEach(([select, names]) => {
      names.forEach((name, number) => { select.append(new Option(name, number)); });
    });
    const head = place.querySelector('thead tr');
    ['arm', ...data.outcomes].forEach((name, number) => cell(head, 'th', name, number > 0 ? 'n' : ''));
    const fill = () => {
      place.querySelector('tbody').replaceChildren(...data.arms.map((arm, number) => {
        const row = document.createElement('tr');
        const counts = data.counts[rule.value][quorum.value][number];
        const all = counts.reduce((sum, count) => sum + count, 0);
        cell(row, 'th', arm, 'row');
        counts.forEach((count) => cell(row, 'td', all ? count + ' (' + Math.round(100 * count / all) + ' %)' : '–', 'n'));
        return row;
      }));
    };
    place.addEventListener('change', fill);
    fill();
  });

  const table = document.querySelector('table.sessions');
  const rows = table ? list(table, 'tbody tr') : [];
  const isWanted = (row, { phrases, numbers }) => {
    const text = row.textContent.toLowerCase();
    return phrases.every((phrase) => text.includes(phrase)) && (numbers.length === 0 || numbers.includes(row.dataset.replicate));
  };
  const filter = document.getElementById('filter');
  if (filter) {
    filter.addEventListener('input', () => {
      const words = wanted(filter.value);
      const isFiltered = words.phrases.length + words.numbers.length > 0;
      rows.forEach((row) => { row.hidden = !isWanted(row, words); });
      const left = rows.filter((row) => !row.hidden).length;
      found.textContent = isFiltered ? left + (left === 1 ? ' session' : ' sessions') : '';
    });
  }
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const heads = table ? list(table, 'thead th') : [];
  heads.forEach((head, place) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isUp = head.getAttribute('aria-sort') !== 'ascending';
      heads.forEach((other) => other.removeAttribute('aria-sort'));
      head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending');
      const sign = isUp ? 1 : -1;
      rows.sort((one, other) => sign * compare(one.cells[place].textContent, other.cells[place].textContent));
      table.tBodies[0].append(...rows);
    });
  });
  // What is folded up and belongs on paper is opened for it, and closed again.
  let unfolded = [];
  window.addEventListener('beforeprint', () => {
    const here = stage.hidden ? overview : stage;
    unfolded = list(here, 'details.more:not([open])');
    unfolded.forEach((details) => { details.open = true; });
  });
  window.addEventListener('afterprint', () => { unfolded.forEach((details) => { details.open = false; }); });
  window.addEventListener('hashchange', show);
  show();
})();
