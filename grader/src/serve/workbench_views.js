// The views of a lab's runs: its kernels step by step, its film, how an element got its value, its tables
// with plots, and an earlier version beside the present one. For each view, a job makes a page, a text or a
// drawing.
import {by, el} from "/app/api.js";

const time = utc => new Date(utc).toLocaleString([], {dateStyle: "short", timeStyle: "short"});
const option = (label, verb, options = {}) => ({label, verb, options});

export class Views {
  /** run(verb, options) starts a job. */
  constructor(run) {
    this.run = run;
    this.what = el("select", {id: "what", onchange: () => this.chosen()});
    this.element = el("input", {id: "element", size: 12, autocomplete: "off", spellcheck: "false", placeholder: "P[0][0]"});
    this.labelled = el("label", {hidden: true}, "Element ", this.element);
    this.out = el("div", {id: "view-of", "aria-live": "polite"});
    by("views").replaceChildren(
      el("form", {onsubmit: event => this.start(event)}, el("label", {}, "Show ", this.what), this.labelled, el("button", {}, "Run it")), this.out);
  }

  /** A lab, and its last grading. */
  open(lab, grading) {
    this.lab = lab;
    this.list();
    this.suggest(grading);
    if (lab.view) this.page();
    else this.out.replaceChildren(el("p", {}, "Nothing has been run for a view yet."));
  }

  list() {
    const {lab} = this, before = this.what.value;
    this.choices = [
      option("the kernels, step by step", "view"),
      ...(lab.film ? [option("the film of the points", "film")] : []),
      option("why an element has its value", "element"),
      ...lab.tables.map(table => option(`table: ${table.title}`, "table", {table: table.id})),
      ...lab.versions.map(version => option(
        `beside your files of ${[time(version.kept_at), version.words, version.points_words].filter(Boolean).join(", ")}`, "beside", {version: version.id})),
    ];
    this.what.replaceChildren(...this.choices.map(one => el("option", {}, one.label)));
    if (this.choices.some(one => one.label === before)) this.what.value = before;
    this.chosen();
  }

  /** The element that the report of a grading names. */
  suggest(grading) {
    this.wrong = grading?.cases.find(one => one.element);
    if (this.wrong) this.element.value = this.wrong.element;
  }

  chosen() { this.labelled.hidden = this.choices[this.what.selectedIndex].verb !== "element"; }

  start(event) {
    event.preventDefault();
    const {verb, options} = this.choices[this.what.selectedIndex];
    const element = this.element.value;
    this.run(verb, verb !== "element" ? options
                   : this.wrong?.element === element ? {element, case: this.wrong.id} : {element});
  }

  begin() { this.say("Running …", "faint"); }
  failed(text) { this.say(text, "bad"); }
  cancelled() { this.say("Cancelled.", "faint"); }
  say(text, kind) { this.out.replaceChildren(el("p", {class: kind}, text)); }

  /** Shows the page that the last job made, in a separate origin. */
  page() {
    const {lab} = this;
    this.out.replaceChildren(el("iframe", {
      title: "The run of your files, as they were then", sandbox: "allow-scripts", src: `/view/${lab.lab}/${lab.level}?${Date.now()}`}));
  }

  text(text, verb) {
    if (verb === "plot") {
      this.out.append(el("img", {alt: "The table's plot", src: "data:image/svg+xml," + encodeURIComponent(text)}));
      return;
    }
    const {options} = this.choices[this.what.selectedIndex];
    this.out.replaceChildren(el("pre", {tabindex: 0, "aria-label": "The answer"}, text),
                             ...(verb === "table" ? [el("button", {onclick: () => this.run("plot", options)}, "Draw its plot")] : []));
  }
}
