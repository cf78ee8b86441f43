// The verdict: shows the running job case by case, then the whole result with points, places, and hints on
// request.
import {by, call, el, levelPath} from "/app/api.js";
import {placeText} from "/app/editor.js";

const kind = verdict => verdict === "passed" ? "good" : ["todo", "unsupported", "grader_fault"].includes(verdict) ? "faint" : "bad";
const isCommand = text => text.startsWith("grader ");
const words = one => one.words ?? one.verdict.replaceAll("_", " ");

export class Verdict {
  /** @param go go(place) shows a place in the editor @param failed failed(error) reports a failure */
  constructor(go, failed) {
    this.go = go;
    this.report = failed;
    this.pane = by("verdict");
  }

  begin(verb) {
    this.cases = new Map();
    this.progress = el("progress", {"aria-label": "Progress", max: 1, value: 0});
    this.step = el("p", {class: "faint"}, "Starting …");
    this.rows = el("tbody");
    this.pane.replaceChildren(el("h2", {}, verb === "check" ? "Checking" : "Grading"),
                              this.progress, this.step, el("table", {}, this.rows));
  }
  stepTo({what, done, of}) {
    if (!this.progress) return;
    this.progress.max = of;
    this.progress.value = done;
    this.step.textContent = what;
  }
  addCase(one) {
    if (!this.rows) return;
    const row = this.caseRow(one);
    this.cases.get(one.id)?.remove();
    this.cases.set(one.id, row);
    this.rows.append(row);
  }
  failed(text) {
    this.progress = null;
    this.pane.replaceChildren(el("h2", {}, "Not graded"), el("p", {class: "bad"}, text));
  }
  cancelled() {
    this.progress?.remove();
    if (this.step) this.step.textContent = "Cancelled. Nothing was recorded.";
    this.progress = null;
  }

  caseRow(one) {
    const explanation = one.mismatch?.explanation;
    return el("tr", {}, el("th", {scope: "row"}, one.id), el("td", {},
      el("span", {class: kind(one.verdict)}, words(one)),
      one.message ? el("div", {}, one.message) : null,
      explanation && !one.message?.includes(explanation) ? el("div", {}, explanation) : null));
  }

  /** One sentence. */
  static summary(grading) {
    return [grading.words, grading.points_words].filter(Boolean).join(", ");
  }

  show(lab, grading) {
    this.progress = null;
    if (!grading) {
      this.pane.replaceChildren(el("h2", {}, "Not graded yet"), el("p", {}, "Fill in the blanks, then grade."), this.hints(lab));
      return;
    }
    const children = [
      el("h2", {class: kind(grading.verdict)}, Verdict.summary(grading)),
      grading.wrong ? el("p", {}, grading.wrong) : null,
      ...grading.advice.map(one => el("p", {}, one.label + " ", isCommand(one.text) ? el("code", {}, one.text) : one.text)),
    ];
    if (grading.places.length)
      children.push(el("h3", {}, "Lines"), el("ul", {}, ...grading.places.map(place => el("li", {},
        el("button", {class: "place", onclick: () => this.go(place)},
           el("strong", {class: place.severity === "error" ? "bad" : ""}, `${place.file}:${place.line} `), placeText(place))))));
    const has_error = grading.places.some(place => place.severity === "error" && !place.rule);
    if (grading.diagnostics && !has_error) children.push(el("h3", {}, "The compiler"), el("pre", {tabindex: 0}, grading.diagnostics));
    if (grading.parts.length)
      children.push(el("h3", {}, "Parts"), el("table", {}, el("tbody", {}, ...grading.parts.map(part =>
        el("tr", {}, el("td", {class: "n"}, part.points), el("td", {}, `${part.id}. ${part.title}`,
           el("div", {class: part.done ? "good" : "faint"}, part.state)))))));
    if (grading.cases.length)
      children.push(el("h3", {}, "Cases"), el("table", {}, el("tbody", {}, ...grading.cases.map(one => this.caseRow(one)))));
    children.push(...grading.notes.map(note => el("p", {class: "faint"}, note)), this.hints(lab));
    this.pane.replaceChildren(...children.filter(Boolean));
  }

  hints(lab) {
    const out = el("div", {}, el("h3", {}, "Hints"));
    for (const part of lab.parts) {
      const list = el("ol");
      const button = el("button", {onclick: async () => {
        const answer = await call("POST", `${levelPath(lab.lab, lab.level)}/hints/${part.id}`).catch(this.report);
        if (!answer) return;
        list.replaceChildren(...answer.hints.map(hint => el("li", {}, hint.text)));
        const last = answer.hints.at(-1);
        if (!last || last.number === last.of) button.disabled = true;
      }}, `Hint for part ${part.id}`);
      if (part.hints) out.append(el("div", {"aria-live": "polite"}, button, list));
    }
    return out;
  }
}
