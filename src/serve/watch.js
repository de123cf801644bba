"use strict";
// The live view. All texts become text nodes, never markup.
{
  const ENTRIES_MAX = 2000;
  const at = (id) => document.getElementById(id);
  const sessions = new Map();
  let followed = null, chosen = false, source = null, last = "", shown = new Map(), cut = 0;

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const textElement = (name, words, kind) => { const made = element(name, words, kind); made.dir = "auto"; return made; };

  const showConnection = (words, lost) => { at("link").textContent = words; at("link").classList.toggle("lost", lost); };

  // One connection carries the state and the records of the followed session. `from` is the id to resume from.
  const connect = (from) => {
    if (source) source.close();
    const query = new URLSearchParams({ session: followed === null ? "" : followed });
    if (from) query.set("from", from);
    source = new EventSource(`live?${query}`);
    const own = source;
    source.addEventListener("open", () => showConnection("Connected: records appear as they are written.", false));
    source.addEventListener("error", () => {
      showConnection("Connection lost. Reconnecting; no record will be missing.", true);
      // A refused source stays closed, so open a new one that resumes where this one stopped.
      if (own.readyState === EventSource.CLOSED) setTimeout(() => { if (own === source) connect(last); }, 2000);
    });
    source.addEventListener("state", (event) => showState(JSON.parse(event.data)));
    for (const kind of ["record", "again", "gone", "unreadable"]) {
      source.addEventListener(kind, (event) => {
        if (own === source) { last = event.lastEventId; showEvent(kind, JSON.parse(event.data)); }
      });
    }
  };

  const followSession = (name) => {
    followed = name;
    last = "";
    clearTranscript();
    at("which").replaceChildren("Session ", element("bdi", name), ". ", makeReportLink(name));
    for (const [other, known] of sessions) markFollowed(other, known);
    connect("");
  };

  const makeReportLink = (name) => {
    const made = element("a", "Open it in the report");
    made.href = `./?report#${encodeURIComponent(name)}`;
    return made;
  };

  const clearTranscript = () => { at("talk").replaceChildren(); shown = new Map(); cut = 0; at("cut").hidden = true; };

  const markFollowed = (name, known) => {
    if (name === followed) known.button.setAttribute("aria-current", "true"); else known.button.removeAttribute("aria-current");
  };

  // The difference to the server's clock, so that ages are right on another machine.
  let clock = 0, isRunning = false;

  const STAGES = { begun: "starting", unfinished: "unfinished", completed: "done", failed: "failed", unreadable: "unreadable" };

  const showState = (state) => {
    const counts = state.counts;
    if (state.whole) { at("sessions").replaceChildren(); sessions.clear(); }
    at("bar").max = counts.planned || 1;
    at("bar").value = counts.completed + counts.failed;
    at("done").textContent = `${counts.completed} of ${counts.planned === null ? "an unknown number" : counts.planned}`;
    at("unfinished").textContent = counts.unfinished;
    at("failed").textContent = counts.failed;
    at("unreadable").textContent = counts.unreadable;
    at("records").textContent = counts.records;
    at("answers").textContent = counts.answers === null ? "being counted" : counts.answers;
    at("spent-line").hidden = state.spent === null;
    at("spent").textContent = state.spent;
    showRate(counts, state.running);
    clock = Date.now() - state.now;
    isRunning = state.running;
    at("announced").textContent = state.announced;
    at("problems").replaceChildren(...state.problems.map((problem) => element("li", problem)));
    for (const name of state.gone) {
      const known = sessions.get(name);
      if (known) { known.row.remove(); sessions.delete(name); }
    }
    if (state.whole) {
      at("unsaid").hidden = state.unsaid === 0;
      at("unsaid").textContent = `${state.unsaid} more sessions are not listed here.`;
    }
    for (const session of state.sessions) listSession(session, state.look);
    chooseSession();
  };

  // The rate covers the last minutes. The time left assumes that all sessions are as long as those that have ended.
  const RATE_OVER = 120000;
  let samples = [];
  const showRate = (counts, running) => {
    if (counts.answers === null) return;
    const now = Date.now();
    samples.push([now, counts.answers]);
    while (samples.length > 2 && now - samples[1][0] > RATE_OVER) samples.shift();
    const [from, before] = samples[0], minutes = (now - from) / 60000, per = (counts.answers - before) / minutes;
    if (!running) { at("rate").textContent = "no active run"; at("left").textContent = "–"; return; }
    if (minutes < 0.05 || !(per > 0)) return;
    at("rate").textContent = `${per < 10 ? per.toFixed(1) : Math.round(per)} answers a minute`;
    const ended = counts.completed + counts.failed;
    if (!counts.planned || !ended) { at("left").textContent = "known after the first session"; return; }
    const share = Math.min(0.999, (ended + counts.unfinished / 2) / counts.planned);
    const left = (counts.answers / share - counts.answers) / per;
    if (left < 1.5) at("left").textContent = `${Math.max(1, Math.round(60 * left))} s`;
    else at("left").textContent = left < 90 ? `${Math.round(left)} min` : `${(left / 60).toFixed(1)} h`;
  };

  const openSessions = () => [...sessions].filter(([, known]) => known.stage === "unfinished" || known.stage === "begun");

  // A card for each session under way: its position, whom it waits for and since when, and the last stances.
  const CARDS_MAX = 12;
  const showCards = () => {
    // A replaced card keeps the keyboard's focus.
    const focused = at("cards").contains(document.activeElement) ? document.activeElement.dataset.session : undefined;
    const open = openSessions();
    open.sort((one, other) => (other[1].grew || 0) - (one[1].grew || 0));
    at("cards").replaceChildren(...open.slice(0, CARDS_MAX).map(([name, known]) => makeCard(name, known)));
    const again = [...at("cards").querySelectorAll("button")].find((button) => button.dataset.session === focused);
    if (again) again.focus({ preventScroll: true });
  };
  setInterval(showCards, 1000);

  const makeCard = (name, known) => {
    const card = element("li"), head = element("button");
    head.type = "button";
    head.dataset.session = name;
    head.append(element("bdi", name));
    head.addEventListener("click", () => { chosen = true; followSession(name); });
    card.append(head, element("small", known.at || "starting"));
    if (isRunning && known.asked.length > 0) {
      const waits = element("small", "waits for ");
      for (const [place, [seat, step, since]] of known.asked.slice(0, ASKED_MAX).entries()) {
        waits.append(place > 0 ? ", " : "", element("bdi", seat), ` (${step}, ${showAge(since)})`);
      }
      const more = known.asked.length - ASKED_MAX;
      if (more > 0) waits.append(` and ${more} more`);
      card.append(waits);
    } else if (known.written > 0) {
      const said = element("small", known.last ? "last record: " : "last record ");
      if (known.last) said.append(element("bdi", known.last), ", ");
      said.append(`${showAge(known.written)} ago`);
      card.append(said);
    }
    const board = element("dl");
    for (const [seat, stance] of known.stances) {
      const line = element("div");
      line.append(textElement("dt", seat), textElement("dd", stance));
      board.append(line);
    }
    card.append(board);
    return card;
  };

  const ASKED_MAX = 3;
  const showAge = (since) => {
    const seconds = Math.max(0, Math.round((Date.now() - clock - since) / 1000));
    return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  };

  const listSession = (session, look) => {
    let known = sessions.get(session.session);
    if (!known) {
      known = { row: element("li"), button: element("button") };
      known.button.type = "button";
      known.button.addEventListener("click", () => { chosen = true; followSession(session.session); });
      known.row.append(known.button);
      sessions.set(session.session, known);
      at("sessions").append(known.row);
    }
    Object.assign(known, {
      stage: session.stage, grew: session.grew, look, at: session.at,
      stances: session.stances, last: session.last_seat, asked: session.asked, written: session.written,
    });
    const where = session.stage === "unfinished" && session.at ? `, ${session.at}` : "";
    const progress = `${STAGES[session.stage]}${where} · ${session.records} records`;
    known.button.replaceChildren(element("bdi", session.session), element("small", progress));
    markFollowed(session.session, known);
  };

  // Without a choice, the view follows the session that grew last until it ends, then the next one.
  const chooseSession = () => {
    const own = followed === null ? null : sessions.get(followed);
    const open = openSessions();
    const newest = (list) =>
      list.reduce((best, one) => (best === null || (one[1].grew || 0) > (best[1].grew || 0) ? one : best), null);
    if (followed === null) {
      const first = newest(open) || [...sessions].pop();
      if (first) followSession(first[0]);
      return;
    }
    const ended = !own || own.stage === "completed" || own.stage === "failed";
    const growing = newest(open.filter(([, known]) => known.grew !== null));
    if (at("auto").checked && ended && growing && !waiting) {
      waiting = true;
      setTimeout(() => { waiting = false; if (at("auto").checked) followSession(growing[0]); }, 1500);
    }
  };
  let waiting = false;

  const showEvent = (kind, data) => {
    if (data.session !== followed) return;
    if (kind === "again" || kind === "gone") {
      clearTranscript();
      const restarted = "This session was started again. Its new records follow.", removed = "This session no longer exists.";
      appendEntry(element("li", kind === "again" ? restarted : removed, "fault"));
      return;
    }
    if (kind === "unreadable") { appendEntry(element("li", `The rest cannot be read: ${data.why}`, "fault")); return; }
    if (shown.has(data.seq)) throw new Error(`record ${data.seq} was sent twice`);
    appendEntry(makeEntry(data));
    shown.set(data.seq, true);
  };

  const makeEntry = (data) => {
    const made = element("li", undefined, data.form), head = element("div", undefined, "head");
    made.dataset.seq = data.seq;
    if (data.is_private) made.classList.add("unheard");
    if (data.who) { const who = element("bdi", data.who, "who"); head.append(who); }
    head.append(element("span", data.what));
    if (data.is_private || data.form === "speech") head.append(element("span", data.heard, "tag"));
    const place = element("span", `${data.when} · `, "tag"), link = element("a", `record ${data.seq}`);
    link.href = `./?report#${encodeURIComponent(data.session)}/${data.seq}`;
    place.append(link);
    head.append(place);
    made.append(head);
    for (const line of data.notes) made.append(textElement("p", line, "more"));
    for (const line of data.lines) made.append(textElement("p", line, "more"));
    if (data.words) made.append(textElement("p", data.words, "words"));
    return made;
  };

  const appendEntry = (made) => {
    at("talk").append(made);
    while (at("talk").childElementCount > ENTRIES_MAX) { at("talk").firstElementChild.remove(); cut += 1; }
    if (cut > 0) {
      at("cut").hidden = false;
      at("cut").textContent = `The first ${cut} records are not shown here. The report shows them.`;
    }
    scrollToNewest();
  };

  const scrollToNewest = () => {
    if (at("stick").checked) requestAnimationFrame(() => { at("scroller").scrollTop = at("scroller").scrollHeight; });
  };

  at("private").addEventListener("change", () => at("talk").classList.toggle("public", !at("private").checked));
  at("stick").addEventListener("change", scrollToNewest);
  new ResizeObserver(scrollToNewest).observe(at("talk"));
  showConnection("Connecting.", false);
  connect("");
}
