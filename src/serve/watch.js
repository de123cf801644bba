"use strict";
// The live view. Every text becomes a text node; nothing that is told is taken for markup.
{
  const TALK_MAX = 2000;
  const at = (id) => document.getElementById(id);
  const sessions = new Map();
  let followed = null, chosen = false, source = null, last = "", shown = new Map(), cut = 0;

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined && text !== null) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const say = (words, lost) => { at("link").textContent = words; at("link").classList.toggle("lost", lost); };

  // One connection tells the state and the records of the session that is followed; `from` is where it goes on.
  const connect = (from) => {
    if (source) source.close();
    const query = new URLSearchParams({ session: followed === null ? "" : followed });
    if (from) query.set("from", from);
    source = new EventSource(`live?${query}`);
    const own = source;
    source.addEventListener("open", () => say("Connected: records appear as they are written.", false));
    source.addEventListener("error", () => {
      say("The connection is lost; trying again. Nothing will be missing.", true);
      // A refusal ends a source for good; another one goes on where it stopped.
      if (own.readyState === EventSource.CLOSED) setTimeout(() => { if (own === source) connect(last); }, 2000);
    });
    source.addEventListener("state", (event) => state(JSON.parse(event.data)));
    for (const kind of ["record", "again", "gone", "unreadable"]) {
      source.addEventListener(kind, (event) => { if (own === source) { last = event.lastEventId; told(kind, JSON.parse(event.data)); } });
    }
  };

  const follow = (name) => {
    followed = name;
    last = "";
    clear();
    at("which").replaceChildren("Session ", element("bdi", name), ". ", whole(name));
    for (const [other, known] of sessions) mark(other, known);
    connect("");
  };

  const whole = (name) => { const made = element("a", "All of it in the report"); made.href = `./#${encodeURIComponent(name)}`; return made; };

  const clear = () => { at("talk").replaceChildren(); shown = new Map(); cut = 0; at("cut").hidden = true; };

  const mark = (name, known) => {
    if (name === followed) known.button.setAttribute("aria-current", "true"); else known.button.removeAttribute("aria-current");
  };

  const words = { begun: "beginning", unfinished: "not finished", completed: "done", failed: "failed", unreadable: "cannot be read" };

  const state = (told) => {
    const counts = told.counts;
    if (told.whole) { at("sessions").replaceChildren(); sessions.clear(); }
    at("bar").max = counts.planned || 1;
    at("bar").value = counts.completed + counts.failed;
    at("done").textContent = `${counts.completed} of ${counts.planned === null ? "an unknown number" : counts.planned}`;
    at("unfinished").textContent = counts.unfinished;
    at("failed").textContent = counts.failed;
    at("unreadable").textContent = counts.unreadable;
    at("records").textContent = counts.records;
    at("answers").textContent = counts.answers === null ? "being counted" : counts.answers;
    at("announced").textContent = told.announced;
    at("problems").replaceChildren(...told.problems.map((problem) => element("li", problem)));
    for (const name of told.gone) { const known = sessions.get(name); if (known) { known.row.remove(); sessions.delete(name); } }
    if (told.whole) {
      at("unsaid").hidden = told.unsaid === 0;
      at("unsaid").textContent = `${told.unsaid} more sessions are not listed here.`;
    }
    for (const session of told.sessions) list(session, told.look);
    choose();
  };

  const list = (session, look) => {
    let known = sessions.get(session.session);
    if (!known) {
      known = { row: element("li"), button: element("button") };
      known.button.type = "button";
      known.button.addEventListener("click", () => { chosen = true; follow(session.session); });
      known.row.append(known.button);
      sessions.set(session.session, known);
      at("sessions").append(known.row);
    }
    Object.assign(known, { stage: session.stage, grew: session.grew, look });
    const where = session.stage === "unfinished" && session.at ? `, ${session.at}` : "";
    known.button.replaceChildren(element("bdi", session.session), element("small", `${words[session.stage]}${where} · ${session.records} records`));
    mark(session.session, known);
  };

  // Without a choice the session that grew last is followed, to its end; then the next one.
  const choose = () => {
    const own = followed === null ? null : sessions.get(followed);
    const open = [...sessions].filter(([, known]) => known.stage === "unfinished" || known.stage === "begun");
    const newest = (list) => list.reduce((best, one) => (best === null || (one[1].grew || 0) > (best[1].grew || 0) ? one : best), null);
    if (followed === null) {
      const first = newest(open) || [...sessions].pop();
      if (first) follow(first[0]);
      return;
    }
    const ended = !own || own.stage === "completed" || own.stage === "failed";
    const growing = newest(open.filter(([, known]) => known.grew !== null));
    if (at("auto").checked && ended && growing && !waiting) { waiting = true; setTimeout(() => { waiting = false; if (at("auto").checked) follow(growing[0]); }, 1500); }
  };
  let waiting = false;

  const told = (kind, data) => {
    if (data.session !== followed) return;
    if (kind === "again" || kind === "gone") {
      clear();
      add(element("li", kind === "again" ? "This session begins again: other minutes lie there now." : "This session is no longer there.", "fault"));
      return;
    }
    if (kind === "unreadable") { add(element("li", `Cannot be read on: ${data.why}`, "fault")); return; }
    if (shown.has(data.seq)) throw new Error(`record ${data.seq} was told twice`);
    add(record(data));
    shown.set(data.seq, true);
  };

  const record = (data) => {
    const made = element("li", undefined, data.form), head = element("div", undefined, "head");
    made.dataset.seq = data.seq;
    if (data.is_private) made.classList.add("unheard");
    if (data.who) { const who = element("bdi", data.who, "who"); head.append(who); }
    head.append(element("span", data.what));
    if (data.is_private || data.form === "speech") head.append(element("span", data.heard, "tag"));
    const place = element("span", `${data.when} · `, "tag"), link = element("a", `record ${data.seq}`);
    link.href = `./#${encodeURIComponent(data.session)}/${data.seq}`;
    place.append(link);
    head.append(place);
    made.append(head);
    for (const line of data.notes) made.append(text("p", line, "more"));
    for (const line of data.lines) made.append(text("p", line, "more"));
    if (data.words) made.append(text("p", data.words, "words"));
    return made;
  };

  const text = (name, words, kind) => { const made = element(name, words, kind); made.dir = "auto"; return made; };

  const add = (made) => {
    at("talk").append(made);
    while (at("talk").childElementCount > TALK_MAX) { at("talk").firstElementChild.remove(); cut += 1; }
    if (cut > 0) { at("cut").hidden = false; at("cut").textContent = `The first ${cut} records are left out here; the report has them.`; }
    down();
  };

  const down = () => { if (at("stick").checked) requestAnimationFrame(() => { at("scroller").scrollTop = at("scroller").scrollHeight; }); };

  at("private").addEventListener("change", () => at("talk").classList.toggle("public", !at("private").checked));
  at("stick").addEventListener("change", down);
  new ResizeObserver(down).observe(at("talk"));
  say("Connecting.", false);
  connect("");
}
