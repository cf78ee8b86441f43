// The page: the open lab, its files, and the path from a save to the verdict. The disk has the authoritative
// files. The browser keeps unsaved text as a draft.
import {by, call, el, follow, levelPath} from "/app/api.js";
import {makeEditor} from "/app/editor.js";
import {showPage} from "/app/handout.js";
import {Verdict} from "/app/verdict.js";
import {Views} from "/app/views.js";

let editor = null;      // created with the first lab
let lab = null;         // as the API describes it
let files = new Map();  // by name: sha256 and text of the disk, blanks
let current = null;     // name of the file in the editor
let shown = null;       // the grading or check in the verdict's pane
let places = [];        // the places that `shown` names
let unfollow = () => {};
let running = 0;        // number of the job that runs; 0: none
const verdict = new Verdict(place => goTo(place), error => complain(error));
const views = new Views((verb, options) => run(verb, options));

const say = text => { by("message").textContent = text; };
const complain = error => say(error.message);

// -- Drafts -----------------------------------------------------------------------------------------------------------

const draftName = name => `draft:${lab.lab}/${lab.level}/${name}`;
const dirty = name => editor.text(name) !== files.get(name).text;

function keepDraft(name) {
  try {
    if (dirty(name)) localStorage.setItem(draftName(name), JSON.stringify({base: files.get(name).sha256, text: editor.text(name)}));
    else if (readDraft(name)?.text === editor.text(name)) localStorage.removeItem(draftName(name));
  } catch {
    // If the browser's store is full, there is no draft. The text is still in the editor.
  }
}

function readDraft(name) {
  try {
    return JSON.parse(localStorage.getItem(draftName(name)));
  } catch {
    return null;
  }
}

// -- Files ------------------------------------------------------------------------------------------------------------

function addFile(file) {
  files.set(file.name, file);
  editor.open(file);
  const draft = readDraft(file.name);
  if (!draft || draft.text === file.text) return;
  editor.replace(file.name, draft.text);
  if (draft.base === file.sha256) say(`${file.name}: what was not saved is here again.`);
  else showConflict(file.name, file);
}

function showFile(name) {
  current = name;
  editor.show(name);
  markFile(name);
  listFiles();
  editor.refresh();
}

function listFiles() {
  by("files").replaceChildren(...[...files.keys()].map(name =>
    el("button", {"aria-pressed": String(name === current), onclick: () => showFile(name)}, name + (dirty(name) ? " •" : ""))));
}

/** The editor moves the blanks of the version on disk while the text is edited. After a save, they are read again. */
function markFile(name) {
  if (!dirty(name)) editor.mark(name, files.get(name).blanks, places.filter(place => place.file === name));
}

function goTo(place) {
  if (!files.has(place.file)) return say(`${place.file} is no file of yours.`);
  showPane("code");
  if (current !== place.file) showFile(place.file);
  editor.go(place.line, place.column);
}

function nextBlank() {
  const all = files.get(current).blanks;
  const blank = all.find(one => one.begin > editor.line()) ?? all[0];
  if (blank) editor.go(blank.begin + 1, 1);
}

function tookDisk(name, file) {
  files.set(name, file);
  keepDraft(name);
  if (name === current) markFile(name);
  listFiles();
}

/** Saves every changed file. Returns whether all are saved. */
async function save() {
  for (const name of files.keys()) {
    if (!dirty(name)) continue;
    const text = editor.text(name);
    try {
      const saved = await call("PUT", `${levelPath(lab.lab, lab.level)}/files/${encodeURI(name)}`, {body: text, base: files.get(name).sha256});
      tookDisk(name, saved);
    } catch (error) {
      if (error.status === 412) showConflict(name, error.data);
      else complain(error);
      return false;
    }
  }
  return true;
}

/** Called when a file changed on disk, by Vim, by another page, or by this page's own save. */
async function fileEvent({name, sha256}) {
  const known = files.get(name);
  if (known?.sha256 === sha256) return;
  if (sha256 === null) return say(`${name} is gone from the disk. Your text stays here.`);
  const of = lab;
  const file = await call("GET", `${levelPath(of.lab, of.level)}/files/${encodeURI(name)}`).catch(() => null);
  if (!file || of !== lab) return;
  if (!known) {
    addFile(file);
    listFiles();
  } else if (file.text === editor.text(name)) {
    tookDisk(name, file);
  } else if (dirty(name)) {
    showConflict(name, file);
  } else {
    editor.replace(name, file.text);
    tookDisk(name, file);
    say(`${name} was changed on disk, and is shown as it is now.`);
  }
}

/** Shows two versions of a file, the disk's in a box and yours in the editor, until the box is closed. */
function showConflict(name, disk) {
  const box = by("conflict");
  const other = el("pre", {tabindex: 0, "aria-label": "The other version"}, disk.text);
  const close = el("button", {onclick: () => { box.hidden = true; }}, "Close");
  const settle = (label, text) => {
    box.replaceChildren(el("p", {}, label), (other.textContent = text, other), close);
    close.focus();
  };
  box.replaceChildren(
    el("p", {}, el("strong", {}, `${name} was changed on disk while you typed.`), " Yours is in the editor, the disk's is here:"),
    other,
    el("button", {onclick: async () => {
      files.set(name, {...disk, text: disk.text});
      if (await save()) settle(`Yours is saved. The disk had before:`, disk.text);
    }}, "Save mine"), " ",
    el("button", {onclick: () => {
      const mine = editor.text(name);
      editor.replace(name, disk.text);
      localStorage.removeItem(draftName(name));
      tookDisk(name, disk);
      settle("The editor has the disk's. Yours was:", mine);
    }}, "Take the disk's"));
  box.hidden = false;
  if (files.has(name) && current !== name) showFile(name);
}

// -- Jobs -------------------------------------------------------------------------------------------------------------

const judges = verb => verb === "grade" || verb === "check";

async function run(verb, options = {}) {
  if (!lab || !await save()) return;
  say("");
  try {
    await call("POST", `${levelPath(lab.lab, lab.level)}/jobs/${verb}`, {body: JSON.stringify(options)});
    if (!judges(verb)) showPane("views");
    else if (by("bench").dataset.pane === "handout") showPane("verdict");
  } catch (error) {
    complain(error);
  }
}

function setRunning(job) {
  running = job;
  by("cancel").hidden = !job;
}

function jobEvent(event) {
  if (event.lab !== lab.lab || event.level !== lab.level) return;
  const line = event.line, pane = judges(event.do) ? verdict : views;
  if (line.kind === "begin") {
    setRunning(event.job);
    if (event.do !== "plot") pane.begin(event.do);
  } else if (line.kind === "step") {
    verdict.stepTo(line);
  } else if (line.kind === "case") {
    verdict.addCase(line.case);
  } else if (line.kind === "grading") {
    if (!line.check) lab.grading = line;
    showGrading(line);
    views.suggest(line);
    say(Verdict.summary(line));
  } else if (line.kind === "view") {
    views.page();
  } else if (line.kind === "text") {
    views.text(line.text, event.do);
  } else if (line.error) {
    pane.failed([line.error, line.next].filter(Boolean).join("\nNext: "));
  } else if (line.kind === "end") {
    setRunning(0);
    if (line.cancelled) pane.cancelled();
    else if (event.do === "grade") listVersions();
  }
}

function showGrading(grading) {
  shown = grading;
  verdict.show(lab, grading);
  places = grading?.places ?? [];
  if (grading) for (const name of files.keys()) markFile(name);
}

/** Each grading keeps a version of the files. */
async function listVersions() {
  const of = lab, now = await call("GET", levelPath(of.lab, of.level)).catch(() => null);
  if (!now || of !== lab) return;
  lab.versions = now.versions;
  views.list();
}

// -- Panes and pages ----------------------------------------------------------------------------------------------------

const panes = ["handout", "code", "verdict", "views"];

function showPane(name) {
  const bench = by("bench");
  bench.dataset.pane = name;
  if (name === "handout" || name === "views") bench.dataset.left = name;
  for (const pane of panes) by("tab-" + pane).setAttribute("aria-pressed", String(pane === name));
  if (name === "code") editor?.refresh();
}

function focusPane(name) {
  showPane(name);
  if (name === "code") editor.go(editor.line(), 1);
  else by(name).focus();
}

async function showLabs() {
  lab = null;
  unfollow();
  by("bench").hidden = true;
  by("place").textContent = "";
  document.title = "Workbench";
  const {labs, broken} = await call("GET", "/api/1/labs");
  const level = (one, of) => el("a", {href: `#${one.id}/${of.level}`}, `Level ${of.level}: `,
    of.graded ? el("span", {class: of.verdict === "passed" ? "good" : ""}, `${Math.round(of.points * 100) / 100} of ${of.max_points}`) : "not graded yet");
  by("labs").replaceChildren(
    el("table", {}, el("thead", {}, el("tr", {}, el("th", {scope: "col"}, "Lab"), el("th", {scope: "col"}, "Title and levels"))),
      el("tbody", {}, ...labs.map(one => el("tr", {}, el("th", {scope: "row"}, one.id),
        el("td", {}, one.title, el("div", {class: "levels"}, ...one.levels.map(of => level(one, of)))))))),
    ...broken.map(one => el("p", {class: "bad"}, `${one.id} can't be used: ${one.error}`)));
  by("labs").hidden = false;
}

async function showLab(id, level) {
  unfollow();
  by("labs").hidden = true;
  by("bench").hidden = false;
  say("");
  setRunning(0);
  by("conflict").hidden = true;
  by("bench").dataset.left = "handout";
  showPane("code");
  const [described, made] = await Promise.all([call("GET", levelPath(id, level)), editor ?? makeEditor(by("editor"), changed)]);
  for (const name of files.keys()) made.close(name);
  lab = described;
  editor = made;
  files = new Map();
  for (const file of lab.files) addFile(file);
  by("place").textContent = `${lab.lab} level ${lab.level}: ${lab.title}`;
  document.title = `${lab.lab} – Workbench`;
  showGrading(lab.grading);
  const first = lab.files.find(file => file.blanks.length) ?? lab.files[0];
  if (first) showFile(first.name);
  views.open(lab, lab.grading);
  showPage(lab.handout);
  unfollow = follow(lab.lab, lab.level, {
    file: fileEvent, job: jobEvent,
    lost: connection,
  });
}

let isLost = false;

/** A page that lost the connection missed events, so it reads the state again. The server repeats a running job. */
async function connection(lost) {
  by("connection").textContent = lost ? "The workbench does not answer. What you type is kept here." : "";
  const again = isLost && !lost;
  isLost = lost;
  if (!again) return;
  setRunning(0);
  const of = lab, now = await call("GET", levelPath(of.lab, of.level)).catch(() => null);
  const newer = now?.grading && now.grading.started_at !== lab?.grading?.started_at;
  if (newer && of === lab && !running) showGrading(lab.grading = now.grading);
}

function changed(name) {
  keepDraft(name);
  listFiles();
}

function route() {
  const [id, level] = decodeURIComponent(location.hash.slice(1)).split("/");
  (id ? showLab(id, level ?? "1") : showLabs()).catch(complain);
}

for (const pane of panes) by("tab-" + pane).addEventListener("click", () => focusPane(pane));
by("grade").addEventListener("click", () => run("grade"));
by("check").addEventListener("click", () => run("check"));
by("view").addEventListener("click", () => run("view"));
by("cancel").addEventListener("click", () => call("DELETE", "/api/1/job").catch(complain));
addEventListener("hashchange", route);
addEventListener("keydown", event => {
  if (!lab) return;
  const key = event.key.toLowerCase(), control = event.ctrlKey || event.metaKey;
  let action = null;
  if (control && (key === "s" || key === "enter")) action = () => run(event.shiftKey ? "check" : "grade");
  else if (event.altKey && panes[Number(key) - 1]) action = () => focusPane(panes[Number(key) - 1]);
  else if (event.altKey && key === "n") action = nextBlank;
  if (!action) return;
  event.preventDefault();
  action();
}, true);
route();
