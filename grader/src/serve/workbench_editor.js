// The editor is CodeMirror if the distribution has it, and otherwise a text field. It holds several files,
// and shows one.
//   new Editor(parent, changed)   changed(name) after each change by the user
//   open(file)  close(name)  show(name)  text(name)  replace(name, text)  mark(name, blanks, places)  go(line, column)
import {el} from "/app/api.js";

const load = (name, attributes) => new Promise((done, failed) => {
  document.head.append(el(name, {...attributes, onload: done, onerror: failed}));
});

/** Creates an Editor, after loading CodeMirror. */
export async function makeEditor(parent, changed) {
  if (document.documentElement.hasAttribute("data-codemirror")) {
    try {
      await Promise.all([load("link", {rel: "stylesheet", href: "/codemirror/lib/codemirror.css"}),
                         load("script", {src: "/codemirror/lib/codemirror.js"})]);
      await load("script", {src: "/codemirror/mode/clike/clike.js"});
      return new CodeEditor(parent, changed);
    } catch {
      // CodeMirror is missing, so the text field is used.
    }
  }
  return new TextEditor(parent, changed);
}

class CodeEditor {
  constructor(parent, changed) {
    this.docs = new Map();
    this.widgets = new Map();
    this.shown = null;
    const leave = {Tab: false, "Shift-Tab": false};  // after Escape, until the editor gets the focus again
    this.mirror = CodeMirror(parent, {
      theme: "kit", lineNumbers: true, indentUnit: 2, tabSize: 2, gutters: ["CodeMirror-linenumbers"],
      screenReaderLabel: "Code. Tab indents; Escape, then Tab, leaves the editor.",
      extraKeys: {Tab: editor => editor.somethingSelected() ? editor.indentSelection("add") : editor.execCommand("insertSoftTab"),
                  "Shift-Tab": editor => editor.indentSelection("subtract"),
                  Esc: editor => editor.addKeyMap(leave)},
    });
    this.mirror.on("change", (_, change) => {
      if (this.shown && change.origin !== "setValue") changed(this.shown);
    });
    this.mirror.on("blur", editor => editor.removeKeyMap(leave));
  }
  open(file) {
    const code = /\.(cu|cuh|cpp|hpp|h|c)$/.test(file.name);
    this.docs.set(file.name, CodeMirror.Doc(file.text, code ? "text/x-c++src" : "text/plain"));
  }
  close(name) { this.docs.delete(name); }
  show(name) {
    this.shown = null;
    this.mirror.swapDoc(this.docs.get(name));
    this.shown = name;
  }
  text(name) { return this.docs.get(name).getValue(); }
  /** Replaces the text by an edit that can be undone. */
  replace(name, text) {
    const doc = this.docs.get(name), cursor = doc.getCursor();
    const shown = this.shown;
    this.shown = null;
    doc.replaceRange(text, {line: 0, ch: 0}, {line: doc.lastLine() + 1, ch: 0});
    doc.setCursor(cursor);
    this.shown = shown;
  }
  mark(name, blanks, places) {
    const doc = this.docs.get(name);
    for (const widget of this.widgets.get(name) ?? []) widget.clear();
    const widgets = [];
    doc.eachLine(line => { doc.removeLineClass(line, "background"); });
    for (const blank of blanks)
      for (let line = blank.begin; line <= blank.end; ++line) doc.addLineClass(line - 1, "background", "blank");
    for (const place of places) {
      if (place.line < 1 || place.line > doc.lineCount()) continue;
      if (place.severity !== "note") doc.addLineClass(place.line - 1, "background", "at-" + place.severity);
      widgets.push(doc.addLineWidget(place.line - 1, el("div", {class: "note-" + place.severity}, placeText(place)),
                                          {noHScroll: true}));
    }
    this.widgets.set(name, widgets);
  }
  go(line, column) {
    this.mirror.setCursor({line: line - 1, ch: Math.max(0, column - 1)});
    this.mirror.scrollIntoView(null, 120);
    this.mirror.focus();
  }
  line() { return this.mirror.getCursor().line + 1; }
  refresh() { this.mirror.refresh(); }
}

class TextEditor {
  constructor(parent, changed) {
    this.texts = new Map();
    this.shown = null;
    this.field = el("textarea", {"aria-label": "Code", spellcheck: "false", autocapitalize: "off", wrap: "off", oninput: () => {
      this.texts.set(this.shown, this.field.value);
      changed(this.shown);
    }});
    parent.append(this.field);
  }
  open(file) { this.texts.set(file.name, file.text); }
  close(name) { this.texts.delete(name); }
  show(name) {
    this.shown = name;
    this.field.value = this.texts.get(name);
  }
  text(name) { return this.texts.get(name); }
  replace(name, text) {
    this.texts.set(name, text);
    if (this.shown === name) this.field.value = text;
  }
  mark() {}  // the verdict lists the places instead
  go(line, column) {
    const lines = this.field.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + Math.max(0, column - 1);
    this.field.focus();
    this.field.setSelectionRange(at, at);
    this.field.scrollTop = (line - 5) / lines.length * this.field.scrollHeight;
  }
  line() { return this.field.value.slice(0, this.field.selectionStart).split("\n").length; }
  refresh() {}
}

export function placeText(place) {
  return (place.rule ? place.rule + ": " : "") + place.message + (place.hint ? "\nHint: " + place.hint : "");
}
