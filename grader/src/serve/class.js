// The page of a class: handing in, the queue, the person's own hand-ins, the board. It shows only what the
// API returns (docs/serve.md).
import {by, call, el, levelPath} from "/app/api.js";

let labs = new Map();  // by "LAB/LEVEL": {lab, and the elements for history and board}
let states = new Map();  // those of the last event: hand-ins that wait or are graded
let student = null;

const key = one => `${one.lab}/${one.level}`;
const minute = time => time.slice(0, 16).replace("T", " ") + " UTC";
const clock = time => time.slice(11, 16) + " UTC";
const number = value => String(Math.round(value * 100) / 100);
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function complain(error) {
  by("message").textContent = error.message;
}

function seconds(time) {
  const unit = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]].find(([size]) => time >= size) ?? [1e-9, "ns"];
  return `${(time / unit[0]).toPrecision(3)} ${unit[1]}`;
}

function table(label, heads, rows) {
  return el("div", {class: "scroll", tabindex: "0", role: "group", "aria-label": label},
    el("table", {}, el("thead", {}, el("tr", {}, ...heads.map(head => el("th", {scope: "col"}, head)))),
      el("tbody", {}, ...rows)));
}

// -- Handing in -------------------------------------------------------------------------------------------------------

/** Files as texts. Throws an Error with a sentence for bytes that are no UTF-8: the server gets what the disk has. */
async function texts(files) {
  const out = [];
  for (const file of files) {
    if (file.size > 1 << 20) throw new Error(`${file.name} is larger than 1 MiB. Next: hand in the source alone.`);
    try {
      out.push({name: file.name, text: new TextDecoder("utf-8", {fatal: true, ignoreBOM: true}).decode(await file.arrayBuffer())});
    } catch {
      throw new Error(`${file.name} is not text in UTF-8. Next: save it as UTF-8, and hand it in again.`);
    }
  }
  return out;
}

async function handIn(lab, input, button) {
  by("message").textContent = "";
  button.disabled = true;
  try {
    if (input.files.length === 0) throw new Error(`No file is chosen. Next: choose ${lab.files.slice(0, -1).join(", ")}.`);
    const archive = input.files.length === 1 && input.files[0].name.toLowerCase().endsWith(".zip");
    const body = archive ? input.files[0] : JSON.stringify({files: await texts(input.files)});
    showReceipt(lab, await call("POST", levelPath(lab.lab, lab.level) + "/hand-ins", {body}));
    input.value = "";
    await showHistory(lab);
  } catch (error) {
    complain(error);
  } finally {
    button.disabled = false;
  }
}

function showReceipt(lab, receipt) {
  const said = [
    `Received ${receipt.received_at}, attempt ${receipt.attempt}` + (receipt.place ? `, place ${receipt.place} in the queue` : "") +
      (receipt.expected_at ? `, graded about ${clock(receipt.expected_at)}.` : "."),
    receipt.replaces_waiting && "It replaces your older hand-in, which had not begun.",
    receipt.share < 1 && `It is late: ${number(100 * receipt.share)} % of its points count.`,
    receipt.missing.length > 0 && `Not handed in: ${receipt.missing.join(", ")}. Its blanks count as empty.`,
    receipt.ignored.length > 0 && `Not of this lab, so left out: ${receipt.ignored.join(", ")}.`,
  ].filter(Boolean).join(" ");
  labs.get(key(lab)).receipt.replaceChildren(el("div", {class: "receipt"}, el("p", {}, said),
    el("p", {}, "SHA-256: ", el("code", {}, receipt.sha256)),
    ...receipt.files.map(file => el("p", {}, el("code", {}, `${file.sha256}  ${file.name}`)))));
}

// -- The person's own hand-ins
// ---------------------------------------------------------------------------------------

function stateWords(one) {
  if (one.state === "graded") return one.words;
  if (one.state === "running") return "is graded now" + expected(one);
  if (one.state === "taken back") return "taken back";
  if (one.state === "replaced") return "replaced by a newer one";
  if (one.state === "failed") return `could not be graded: ${one.why}`;
  return (one.place ? `waiting, place ${one.place}` : "waiting") + expected(one);
}

const expected = one => one.expected_at ? `, ready about ${clock(one.expected_at)}` : "";

async function takeBack(lab, one) {
  try {
    await call("DELETE", `${levelPath(lab.lab, lab.level)}/hand-ins/${one.attempt}`);
  } catch (error) {
    complain(error);
  }
  await showHistory(lab);
}

function quotaWords(quota) {
  if (!quota) return "";
  const rule = `You may hand in ${count(quota.per_hour, "time")} in an hour`;
  return quota.left > 0 ? `${rule}: ${quota.left} left now.` : `${rule}: none is left before ${clock(quota.next_at)}.`;
}

function historyRow(lab, one) {
  const points = one.state === "graded" ? `${number(one.points)} of ${number(one.max_points)}` + (one.share < 1 ? ` × ${number(one.share)}` : "") : "";
  return el("tr", {},
    el("td", {class: "n"}, String(one.attempt)),
    el("td", {}, stateWords(one) + (one.counts ? " (counts)" : "")),
    el("td", {class: "n"}, points),
    el("td", {}, one.feedback ? el("a", {href: one.feedback, "aria-label": `Feedback on attempt ${one.attempt} of ${lab.lab}`}, "feedback")
      : one.state === "waiting" ? el("button", {"aria-label": `Take back attempt ${one.attempt} of ${lab.lab}`, onclick: () => takeBack(lab, one)}, "take back") : ""),
    el("td", {class: "n"}, minute(one.received_at)),
    el("td", {}, el("code", {title: one.sha256 ?? ""}, (one.sha256 ?? "").slice(0, 12))));
}

async function showHistory(lab) {
  const answer = await call("GET", levelPath(lab.lab, lab.level) + "/hand-ins");
  const place = labs.get(key(lab)).history;
  labs.get(key(lab)).quota.textContent = quotaWords(answer.quota);
  if (answer.hand_ins.length === 0) return place.replaceChildren(el("p", {}, "You have handed in nothing yet."));
  place.replaceChildren(
    answer.mark ? el("p", {}, `Your mark: ${number(answer.mark.mark)} of ${number(answer.mark.of)}, of attempt ${answer.mark.attempt}.`) : "",
    table(`Your hand-ins of ${lab.lab}`, ["Attempt", "State", "Points", "Report", "Received", "SHA-256"],
      [...answer.hand_ins].reverse().map(one => historyRow(lab, one))));
}

// -- The board --------------------------------------------------------------------------------------------------------

async function showBoard(lab) {
  const board = await call("GET", levelPath(lab.lab, lab.level) + "/board");
  const place = labs.get(key(lab)).board;
  const link = el("a", {href: lab.board_page, "aria-label": `Board of ${lab.lab} with its history`}, "with its history");
  if (board.placings.length === 0) return place.replaceChildren(el("p", {}, "No student has all points yet."));
  place.replaceChildren(
    board.case ? el("p", {}, `Kernel time of case ${board.case}, ${board.source}; `, link) : el("p", {}, link),
    table(`Board of ${lab.lab}`, ["Rank", "Nickname", board.case && "Best time", board.reference_s && "× reference"].filter(Boolean), withReferences(board).map(one =>
      el("tr", {class: one.own ? "own" : one.rank ? null : "reference"},
        el("td", {class: "n"}, one.rank ? String(one.rank) : "–"),
        el("td", {}, one.nickname + (one.own ? " (you)" : "")),
        board.case && el("td", {class: "n"}, seconds(one.time_s)),
        board.reference_s && el("td", {class: "n"}, number(one.time_s / board.reference_s))))),
    ...(board.counted ? countedBoard(lab, board.counted) : []));
}

const counts = ["sectors", "conflicts", "barriers"];

/** The ranking by what the emulation counts. References come before students with the same counts. */
function countedBoard(lab, board) {
  const lines = board.references.map(one => ({...one, nickname: `${one.name} (reference)`}));
  const first = (a, b) => counts.map(name => a[name] - b[name]).find(difference => difference !== 0) ?? 0;
  return [
    el("p", {}, `Fewest sectors, then bank conflicts, then barriers in case ${board.case}, as the emulation counts them`),
    table(`What the kernels of ${lab.lab} do`, ["Rank", "Nickname", "Sectors", "Bank conflicts", "Barriers"], [...lines, ...board.placings].sort(first).map(one =>
      el("tr", {class: one.own ? "own" : one.rank ? null : "reference"},
        el("td", {class: "n"}, one.rank ? String(one.rank) : "–"),
        el("td", {}, one.nickname + (one.own ? " (you)" : "")),
        ...counts.map(name => el("td", {class: "n"}, String(one[name]))))))];
}

/** The placings, and the teacher's references as lines between them. */
function withReferences(board) {
  const lines = board.references.map(one => ({nickname: `${one.name} (reference)`, time_s: one.time_s}));
  if (lines.length === 0) return board.placings;
  return [...board.placings, ...lines].sort((a, b) => a.time_s - b.time_s);
}

// -- The page ---------------------------------------------------------------------------------------------------------

function labSection(lab) {
  const parts = {lab, quota: el("p", {}, quotaWords(lab.quota)), receipt: el("div", {role: "status"}), history: el("div"), board: el("div")};
  labs.set(key(lab), parts);
  const input = el("input", {type: "file", multiple: true, "aria-label": `Files of ${lab.lab}`});
  const button = el("button", {class: "main", onclick: () => handIn(lab, input, button)}, "Hand in");
  const late = lab.deadline.share_now < 1 ? ` Now ${number(100 * lab.deadline.share_now)} % of the points count.` : "";
  const counts = lab.counts === "latest" ? " The last hand-in counts." : " The best hand-in counts.";
  return el("section", {class: "lab", "aria-label": `${lab.lab}, level ${lab.level}`},
    el("h2", {}, `${lab.lab}: ${lab.title}`),
    el("p", {}, lab.deadline.rule + late + counts),
    lab.problem ? el("p", {class: "bad"}, lab.problem) : "",
    ...(student ? [
      el("p", {}, `Files: ${lab.files.join(", ")} (the last one is a choice: your nickname on the board). Or one zip archive with them.`),
      parts.quota,
      el("div", {class: "hand-in"}, input, button), parts.receipt,
      el("h3", {}, "Your hand-ins"), parts.history,
    ] : [el("p", {}, el("a", {href: lab.class_page}, `The class's results of ${lab.lab}`))]),
    el("h3", {}, "Board"), parts.board);
}

function showQueue(queue) {
  by("queue").textContent = [
    queue.waiting + queue.running === 0 ? "The queue is empty." : `In the queue: ${count(queue.waiting, "hand-in")}; graded now: ${queue.running}.`,
    queue.problem,
  ].filter(Boolean).join(" ");
  const now = new Map([...labs.keys()].map(name => [name, JSON.stringify(queue.own.filter(one => key(one) === name))]));
  for (const [name, text] of now)
    if (student && states.get(name) !== text) showHistory(labs.get(name).lab).catch(complain);
  states = now;
}

/** Follows the server's events. Without a stream, where too many pages are open, the page asks every 10 s. */
function follow() {
  const source = new EventSource("/api/1/events");
  source.addEventListener("queue", event => showQueue(JSON.parse(event.data)));
  source.addEventListener("board", event => {
    const changed = labs.get(key(JSON.parse(event.data)));
    if (changed) showBoard(changed.lab).catch(complain);
  });
  source.onopen = () => { by("connection").textContent = ""; };
  source.onerror = () => {
    by("connection").textContent = "The server does not answer.";
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => { begin().catch(complain); }, 10000);
  };
}

async function begin() {
  const course = await call("GET", "/api/1/class");
  student = course.student;
  labs = new Map();
  states = new Map();
  by("class-name").textContent = course.name;
  by("place").textContent = student ? student.name || student.id : "instructor";
  document.title = `${course.name}: hand in`;
  by("class-labs").replaceChildren(...course.labs.map(labSection));
  follow();
  await Promise.all(course.labs.map(lab => Promise.all([student && showHistory(lab), showBoard(lab)])));
}

begin().catch(complain);
