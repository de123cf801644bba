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

  // A bar leads to where the numbers in its row lead: to the one session, or to the list of several.
  overview.addEventListener('click', ({ target }) => {
    const bar = target.closest('td.bar');
    const lists = bar ? list(bar.parentElement, 'details.of') : [];
    if (!lists.length) { return; }
    const links = list(lists[0], 'a');
    if (links.length === 1) { links[0].click(); return; }
    lists[0].open = !lists[0].open;
    if (lists[0].open) { links[0].focus(); }
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

  const isWanted = (line, { phrases, numbers }) => {
    const text = line.textContent.toLowerCase();
    const own = /-r0*(\d+)(?:-w\d+)?$/.exec(line.querySelector('a').textContent);
    return phrases.every((phrase) => text.includes(phrase))
      && (numbers.length === 0 || (own !== null && numbers.includes(own[1])));
  };

  const filter = document.getElementById('filter');
  const groups = list(document, 'details.arm');
  const were = groups.map((group) => group.open);
  if (filter) {
    filter.addEventListener('input', () => {
      const words = wanted(filter.value);
      const isFiltered = words.phrases.length + words.numbers.length > 0;
      let all = 0;
      groups.forEach((group, place) => {
        let own = 0;
        list(group, 'li').forEach((line) => {
          line.hidden = !isWanted(line, words);
          own += line.hidden ? 0 : 1;
        });
        group.open = isFiltered ? own > 0 : were[place];
        all += own;
      });
      found.textContent = isFiltered ? all + (all === 1 ? ' session' : ' sessions') : '';
    });
  }
  // What is folded up and belongs on paper is opened for it, and closed again.
  let unfolded = [];
  window.addEventListener('beforeprint', () => {
    const here = stage.hidden ? overview : stage;
    unfolded = list(here, 'details.numbers:not([open]), details.more:not([open])');
    unfolded.forEach((details) => { details.open = true; });
  });
  window.addEventListener('afterprint', () => { unfolded.forEach((details) => { details.open = false; }); });
  window.addEventListener('hashchange', show);
  show();
})();
