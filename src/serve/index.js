"use strict";
// The list of experiments; the server sends it again after each change. All texts become text nodes.
{
  const rows = document.getElementById("rows"), link = document.getElementById("link");
  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };
  const makeRow = (told) => {
    const cell = (label, text, kind) => {
      const made = element("td", text, kind);
      made.setAttribute("role", "cell");
      made.dataset.label = label;
      return made;
    };
    const made = element("tr"), head = element("th"), anchor = element("a"), seats = cell("Seats");
    made.setAttribute("role", "row");
    head.setAttribute("role", "rowheader");
    head.scope = "row";
    anchor.href = told.address;
    anchor.append(element("bdi", told.folder));
    head.append(anchor);
    if (told.name !== told.folder) head.append(element("small", told.name));
    if (told.is_fork) head.append(element("small", "a fork"));
    seats.append(element("small", told.announced));
    for (const problem of told.problems) seats.append(element("small", problem, "problem"));
    made.append(head, cell("Status", told.standing), cell("Sessions done", told.sessions),
      cell("Records", told.records, "number"), cell("Arms", told.arms.join(", ")), cell("Last activity", told.last), seats);
    return made;
  };
  const source = new EventSource("/live");
  const showConnection = (words, lost) => { link.textContent = words; link.classList.toggle("lost", lost); };
  source.addEventListener("open", () => showConnection("Connected: changes appear automatically.", false));
  source.addEventListener("error", () => showConnection("Connection lost. Reconnecting.", true));
  source.addEventListener("rows", (event) => {
    const told = JSON.parse(event.data), focused = document.activeElement && document.activeElement.getAttribute("href");
    rows.replaceChildren(...told.map(makeRow));
    document.getElementById("none").hidden = told.length > 0;
    document.getElementById("experiments").hidden = told.length === 0;
    for (const anchor of rows.querySelectorAll("a")) if (anchor.getAttribute("href") === focused) anchor.focus();
  });
}
