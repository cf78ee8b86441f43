// Shows what the blocks of a kernel did, from the trace that lies in the page (docs/ARCHITECTURE.md has its form). In this
// order: the trace, the state of memory at a moment, what an access costs, drawing, words, controls. A moment is a number of
// steps of the chosen block: 0 is its beginning. Text of others goes into the page as text alone.
"use strict";

const element = id => document.getElementById(id);
const trace = JSON.parse(element("trace").textContent);

// ---- the trace ------------------------------------------------------------------------------------------------------

const READ = 0, WRITE = 1, ATOMIC = 2, WARP_MEETS = 3;
const warpWidth = 32;

const lanesOf = mask => {
  const lanes = [];
  for (let lane = 0; lane < warpWidth; ++lane) if (mask >>> lane & 1) lanes.push(lane);
  return lanes;
};

// A step of a warp: what some of its lanes do at once. `where` are bytes from the array's beginning, one for each lane, or
// the first and the way to the next; `values` are numbers of values, one for each element that a lane touches, or one for all.
function unpack([warp, place, array, does, mask, bytes, where, values], phase) {
  const lanes = lanesOf(mask), step = { warp, place, array, does, mask, lanes, bytes, phase };
  if (does > ATOMIC) return step;
  const even = where.length === 2 && lanes.length > 2;
  const its = trace.arrays[array].element, each = Math.max(1, Math.floor(bytes / its));
  const per = Math.floor(values.length / lanes.length);
  step.touches = lanes.map((lane, i) => {
    const at = even ? where[0] + i * where[1] : where[i];
    return {
      thread: warp * warpWidth + lane, at, first: Math.floor(at / its), count: each,
      // Of wide accesses the first 16 bytes are known.
      value: k => values.length === 0 || (k + 1) * its > 16 && k > 0 ? -1 : values.length === 1 ? values[0] : values[i * per + k] ?? -1
    };
  });
  return step;
}

function unpackBlock(block) {
  const steps = [], phases = [];
  block.phases.forEach((phase, p) => {
    const begin = steps.length;
    phase.steps.forEach(step => steps.push(unpack(step, p)));
    phases.push({ ...phase, begin, end: steps.length, how: phase.end });
  });
  return { ...block, steps, phases };
}

const unpacked = new Map();
function blockAt(launch, block) {
  const key = launch * 100000 + block;
  if (!unpacked.has(key)) unpacked.set(key, unpackBlock(trace.launches[launch].blocks[block]));
  return unpacked.get(key);
}

const point = at => `(${at.join(",")})`;
const threadPoint = (launch, thread) => {
  const [x, y] = launch.block;
  return [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))];
};
const threadsOf = launch => launch.block[0] * launch.block[1] * launch.block[2];
const inRanges = (ranges, thread) => ranges.some(([from, to]) => from <= thread && thread <= to);
const sizeOf = ranges => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);

function indicesOf(array, flat) {
  const shape = array.shape, out = [];
  for (let i = shape.length - 1; i > 0; --i) {
    out.unshift(flat % shape[i]);
    flat = Math.floor(flat / shape[i]);
  }
  return [flat, ...out];
}
const nameOf = array => array.name || array.on_device || "an array";
const elementName = (array, flat) =>
  nameOf(array) + (flat < 0 ? `[${flat}]` : indicesOf(array, flat).map(i => `[${i}]`).join(""));
const isOutside = (array, flat) => flat < 0 || flat * array.element >= array.bytes;
const valueText = number => number < 0 ? "?" : number === 0 ? "never written" : trace.values[number];
const placeText = number => {
  const { file, line } = trace.places[number];
  return file ? `${file}:${line}` : "a place that is not known";
};
const counted = (count, word, many = word + "s") => `${count} ${count === 1 ? word : many}`;

// ---- memory at a moment ---------------------------------------------------------------------------------------------

// Of each array the elements that were touched: value, who wrote it last, who read it last.
class Memory {
  constructor(other) {
    this.arrays = trace.arrays.map((_, i) => new Map(other ? other.arrays[i] : []));
  }
  // Elements of the device's memory that a block reads before it writes them had that value before.
  found(array, flat, value) {
    if (!this.arrays[array].has(flat)) this.arrays[array].set(flat, { value, writer: -1, write: null, reader: -1, read: null });
  }
  apply(step, index) {
    if (step.does > ATOMIC) return;
    const cells = this.arrays[step.array], writes = step.does !== READ;
    for (const touch of step.touches)
      for (let k = 0; k < touch.count; ++k) {
        const flat = touch.first + k, old = cells.get(flat), seen = touch.value(k);
        const cell = { ...(old || { value: writes ? 0 : seen, writer: -1, write: null, reader: -1, read: null }) };
        if (writes) {
          cell.value = seen;
          cell.writer = touch.thread;
          cell.write = index;
          cell.place = step.place;
        } else {
          cell.reader = touch.thread;
          cell.read = index;
        }
        cells.set(flat, cell);
      }
  }
}

// What stands in memory when a block begins: what it and the blocks after it find there, and what those before it wrote.
function memoryBefore(launch, block) {
  const memory = new Memory();
  const written = trace.arrays.map(() => new Set());
  trace.launches.forEach((one, l) => one.blocks.forEach((_, b) => {
    for (const step of blockAt(l, b).steps) {
      if (step.does > ATOMIC || trace.arrays[step.array].shared) continue;
      for (const touch of step.touches)
        for (let k = 0; k < touch.count; ++k) {
          const flat = touch.first + k;
          if (step.does === READ && !written[step.array].has(flat)) memory.found(step.array, flat, touch.value(k));
          if (step.does !== READ) written[step.array].add(flat);
        }
    }
  }));
  trace.launches.forEach((one, l) => one.blocks.forEach((_, b) => {
    if (l > launch || (l === launch && b >= block)) return;
    for (const step of blockAt(l, b).steps)
      if (step.does !== READ && step.does <= ATOMIC && !trace.arrays[step.array].shared) memory.apply(step, null);
  }));
  return memory;
}

// Of each array the elements that some block writes.
let writtenElements = null;
function written() {
  if (writtenElements) return writtenElements;
  writtenElements = trace.arrays.map(() => new Set());
  trace.launches.forEach((one, l) => one.blocks.forEach((_, b) => {
    for (const step of blockAt(l, b).steps)
      if (step.does === WRITE || step.does === ATOMIC)
        for (const touch of step.touches)
          for (let k = 0; k < touch.count; ++k) writtenElements[step.array].add(touch.first + k);
  }));
  return writtenElements;
}
const isWhole = () => trace.launches.length === trace.launches_in_all &&
  trace.launches.every(launch => launch.blocks.length === launch.blocks_in_all && launch.blocks.every(block => !block.cut));

// ---- what an access costs -------------------------------------------------------------------------------------------

function costOf(step) {
  const array = trace.arrays[step.array], addresses = step.touches.map(touch => touch.at + array.at);
  if (!array.shared) {
    const sectors = new Set(), bytes = new Set();
    for (const address of addresses) {
      bytes.add(address);
      for (let s = Math.floor(address / 32); s <= Math.floor((address + step.bytes - 1) / 32); ++s) sectors.add(s);
    }
    const lines = new Set([...sectors].map(s => Math.floor(s / 4)));
    return { sectors, lines, least: Math.ceil(bytes.size * step.bytes / 32) };
  }
  // Wide accesses take a turn for each half or quarter of the warp.
  const parts = step.bytes <= 4 ? 1 : Math.min(step.bytes / 4, 4);
  const banks = Array.from({ length: parts }, () => Array.from({ length: 32 }, () => new Set()));
  step.touches.forEach((touch, i) => {
    const part = Math.floor(step.lanes[i] * parts / 32);
    for (let word = Math.floor(addresses[i] / 4); word <= Math.floor((addresses[i] + step.bytes - 1) / 4); ++word)
      banks[part][(word % 32 + 32) % 32].add(word);
  });
  const turns = banks.map(part => Math.max(...part.map(words => words.size)));
  return { banks, wavefronts: turns.reduce((a, b) => a + b, 0), least: turns.filter(t => t > 0).length };
}

// Elements of arrays of which the checker says that accesses race, which one thread writes and another touches between the same
// two barriers. Where lanes meet or atomics hand something on, more is ordered than barriers tell.
function clashesIn(block, phase) {
  const { begin, end } = block.phases[phase], steps = block.steps.slice(begin, end);
  const racing = array => trace.findings.some(f => f.rule === "race" && f.array && (f.array === array.name || f.array === array.on_device));
  const meeting = new Set(steps.filter(s => s.does === WARP_MEETS).map(s => s.warp));
  const clashes = new Map();
  if (steps.some(s => s.does === ATOMIC || s.does > WARP_MEETS)) return clashes;
  const touched = new Map();
  for (const step of steps) {
    if (step.does > ATOMIC || !racing(trace.arrays[step.array])) continue;
    for (const touch of step.touches)
      for (let k = 0; k < touch.count; ++k) {
        const key = step.array + ":" + (touch.first + k);
        if (!touched.has(key)) touched.set(key, { reads: [], writes: [] });
        touched.get(key)[step.does === WRITE ? "writes" : "reads"].push({ thread: touch.thread, place: step.place });
      }
  }
  const apart = (a, b) => a.thread !== b.thread &&
    !(Math.floor(a.thread / 32) === Math.floor(b.thread / 32) && meeting.has(Math.floor(a.thread / 32)));
  for (const [key, { reads, writes }] of touched) {
    find: for (const others of [reads, writes])
      for (const writer of writes)
        for (const other of others)
          if (apart(writer, other)) {
            clashes.set(key, { writer, other, writes: others === writes });
            break find;
          }
  }
  return clashes;
}

// ---- drawing --------------------------------------------------------------------------------------------------------

// Eight colours that the colour-blind tell apart (Okabe and Ito); warps beyond them take them again.
const warpColours = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999"];
const colourOfWarp = warp => warpColours[warp % warpColours.length];
const style = () => {
  const its = getComputedStyle(document.documentElement);
  const of = name => its.getPropertyValue(name).trim();
  return { ink: of("--ink"), paper: of("--paper"), line: of("--line"), faint: of("--faint"), bad: of("--bad"), soft: of("--soft") };
};

function prepare(canvas, width, height, words) {
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
  }
  canvas.setAttribute("aria-label", words);
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

function hatch(pen, x, y, size, colour, other = false) {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, size, size);
  pen.clip();
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let i = -size; i < size; i += 6) {
    pen.moveTo(x + i, other ? y : y + size);
    pen.lineTo(x + i + size, other ? y + size : y);
  }
  pen.stroke();
  pen.restore();
}

// An array as a grid: the part that the chosen block touches.
class Grid {
  constructor(number) {
    this.number = number;
    this.array = trace.arrays[number];
    this.cursor = -1;
    this.box = document.createElement("section");
    this.box.className = "array";
    this.head = document.createElement("h2");
    this.words = document.createElement("p");
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    const scroll = document.createElement("div");
    scroll.className = "scroll";
    scroll.append(this.canvas);
    this.box.append(this.head, scroll, this.words);
    this.columns = this.array.shape.length > 1 ? this.array.shape[this.array.shape.length - 1]
      : Math.min(32, Math.max(1, this.array.shape[0]));
    const title = document.createElement("span");
    title.textContent = `${this.array.shared ? "Shared" : "Global"}: ${nameOf(this.array)}` +
      (this.array.type ? `, ${this.array.type}` : `, ${this.array.shape.join(" × ")}`);
    this.head.append(title);
    if (this.array.shape.length === 1 && this.array.shape[0] > 1) this.offerColumns();
    this.canvas.addEventListener("pointermove", event => this.point(event, false));
    this.canvas.addEventListener("pointerleave", () => this.tell(-1));
    this.canvas.addEventListener("click", event => this.point(event, true));
    this.canvas.addEventListener("keydown", event => this.key(event));
    this.canvas.addEventListener("focus", () => this.move(0));
    this.canvas.addEventListener("blur", () => { this.cursor = -1; this.draw(); });
  }
  offerColumns() {
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "number";
    input.min = 1;
    input.max = this.array.shape[0];
    input.value = this.columns;
    label.append("in rows of", input);
    input.addEventListener("change", () => {
      this.columns = Math.min(Math.max(1, Math.floor(Number(input.value)) || 1), 1024);
      this.fit();
      this.draw();
    });
    this.head.append(label);
  }
  // The rows and columns to be shown.
  fit() {
    const flats = [...player.touched[this.number]];
    if (this.array.shared && this.array.shape.length > 1)
      flats.push(0, this.array.shape.reduce((a, b) => a * b, 1) - 1);
    if (flats.length) flats.push(...(this.array.wrong || []));
    const known = flats.filter(flat => !isOutside(this.array, flat));
    this.outside = flats.filter(flat => isOutside(this.array, flat)).sort((a, b) => a - b);
    this.box.hidden = flats.length === 0;
    if (known.length === 0) known.push(0);
    const row = flat => Math.floor(flat / this.columns), column = flat => flat % this.columns;
    let top = Infinity, bottom = 0, left = Infinity, right = 0;
    for (const flat of known) {
      top = Math.min(top, row(flat));
      bottom = Math.max(bottom, row(flat));
      left = Math.min(left, column(flat));
      right = Math.max(right, column(flat));
    }
    const most = 96;
    this.cut = bottom - top >= most || right - left >= most;
    this.top = top;
    this.left = left;
    this.rows = Math.min(bottom - top + 1, most);
    this.across = Math.min(right - left + 1, most);
    // Two small arrays stand side by side where there is room.
    const room = Math.max(200, element("data").clientWidth), fits = beside => Math.floor(((room - 14 * (beside - 1)) / beside - 38) / this.across);
    const size = fits(2) >= 22 ? Math.min(this.across <= 10 ? 40 : 26, fits(2)) : Math.min(30, fits(1));
    this.size = Math.round(Math.max(13, size) * player.zoom);
    this.words.style.maxWidth = Math.max(280, this.size * this.across + 34) + "px";
  }
  flatAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left - 30) / this.size), y = Math.floor((event.clientY - box.top - 16) / this.size);
    if (x < 0 || y < 0 || x >= this.across || y >= this.rows + (this.outside.length ? 1 : 0)) return -1;
    if (y === this.rows) return x < this.outside.length ? this.outside[x] : -1;
    return this.flat(y, x);
  }
  flat(row, column) {
    const flat = (this.top + row) * this.columns + this.left + column;
    return this.left + column < this.columns && flat * this.array.element < this.array.bytes ? flat : -1;
  }
  point(event, choose) {
    const flat = this.flatAt(event);
    this.tell(flat);
    if (choose && flat !== -1) player.choose(this.number, flat);
  }
  move(by) {
    const [y, x] = this.cursor < 0 ? [0, 0] : [Math.floor(this.cursor / this.across), this.cursor % this.across];
    const [down, right] = by || [0, 0];
    const row = Math.min(Math.max(y + down, 0), this.rows - 1), column = Math.min(Math.max(x + right, 0), this.across - 1);
    this.cursor = row * this.across + column;
    this.draw();
    this.tell(this.flat(row, column));
  }
  key(event) {
    const ways = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    if (event.key === "Enter") {
      const flat = this.flat(Math.floor(this.cursor / this.across), this.cursor % this.across);
      if (flat >= 0) player.choose(this.number, flat);
    } else if (ways[event.key] && !event.shiftKey) {
      this.move(ways[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
  tell(flat) {
    this.words.textContent = flat === -1 ? this.summary : player.elementWords(this.number, flat);
  }
  draw() {
    if (this.box.hidden) return;
    const colours = style(), size = this.size, left = 30, top = 16, memory = player.memory.arrays[this.number];
    const height = top + size * (this.rows + (this.outside.length ? 1 : 0)) + 4;
    const pen = prepare(this.canvas, left + size * this.across + 4, height,
      `${nameOf(this.array)}, rows ${this.top} to ${this.top + this.rows - 1}, columns ${this.left} to ${this.left + this.across - 1}`);
    const phase = player.phaseAt(), now = new Map(), wrong = player.wrong[this.number];
    const begin = player.block.phases.length ? player.block.phases[phase].begin : 0;
    const step = player.step();
    if (step && step.does <= ATOMIC && step.array === this.number)
      for (const touch of step.touches) for (let k = 0; k < touch.count; ++k) now.set(touch.first + k, touch);
    pen.font = "10px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = colours.faint;
    const each = size < 16 ? 4 : size < 24 ? 2 : 1;
    for (let x = 0; x < this.across; x += each) pen.fillText(this.left + x, left + (x + .5) * size, 8);
    for (let y = 0; y < this.rows; y += each) pen.fillText(this.top + y, 15, top + (y + .5) * size);
    let clashing = 0;
    const one = (flat, x, y) => {
      const cell = memory.get(flat), clash = player.clashes.get(this.number + ":" + flat);
      const written = cell && cell.write !== null && cell.writer >= 0 || cell && cell.writer >= 0;
      const read = cell && cell.read !== null && cell.read >= begin;
      if (written) {
        pen.globalAlpha = .5;
        pen.fillStyle = colourOfWarp(Math.floor(cell.writer / warpWidth));
        pen.fillRect(x, y, size, size);
        pen.globalAlpha = 1;
      } else if (cell && cell.value > 0) {
        pen.fillStyle = colours.soft;
        pen.fillRect(x, y, size, size);
      }
      const empty = cell ? cell.value === 0 : this.array.shared;
      if (empty) hatch(pen, x, y, size, colours.line);
      pen.strokeStyle = colours.line;
      pen.lineWidth = .5;
      pen.strokeRect(x + .5, y + .5, size - 1, size - 1);
      if (read) {
        const corner = Math.max(5, size * .28);
        pen.fillStyle = colourOfWarp(Math.floor(cell.reader / warpWidth));
        pen.strokeStyle = colours.ink;
        pen.beginPath();
        pen.moveTo(x + size - .5, y + size - .5 - corner);
        pen.lineTo(x + size - .5, y + size - .5);
        pen.lineTo(x + size - .5 - corner, y + size - .5);
        pen.closePath();
        pen.fill();
        pen.stroke();
      }
      if (cell && size >= 18) {
        const text = empty ? "" : valueText(cell.value);
        const most = Math.floor(size / (size < 22 ? 4.6 : 5.4));
        pen.fillStyle = text === "nan" ? colours.bad : colours.ink;
        pen.font = `${text === "nan" ? "bold " : ""}${size >= 34 ? 11 : size >= 22 ? 10 : 9}px system-ui, sans-serif`;
        pen.fillText(text.length > most ? text.slice(0, most - 1) + "…" : text, x + size / 2, y + size / 2 + 1);
      } else if (cell && !empty && trace.values[cell.value] === "nan") {
        hatch(pen, x, y, size, colours.bad, true);
      }
      if (wrong && wrong.has(flat) && player.isFinal(this.number, flat)) {
        pen.fillStyle = colours.bad;
        pen.beginPath();
        pen.moveTo(x + size, y);
        pen.lineTo(x + size, y + Math.min(12, size * .55));
        pen.lineTo(x + size - Math.min(12, size * .55), y);
        pen.fill();
      }
      if (clash) {
        ++clashing;
        pen.fillStyle = colours.bad;
        pen.fillRect(x + 1, y + 1, Math.max(3, size * .12), size - 2);
      }
      if (now.has(flat)) {
        pen.strokeStyle = colours.ink;
        pen.lineWidth = size < 24 ? 2 : 3;
        pen.setLineDash(step.does === READ ? [4, 2] : []);
        pen.strokeRect(x + 1.5, y + 1.5, size - 3, size - 3);
        pen.setLineDash([]);
      }
      if (player.chosen && player.chosen.array === this.number && player.chosen.flat === flat) {
        pen.strokeStyle = colours.bad;
        pen.lineWidth = 3;
        pen.strokeRect(x - 1, y - 1, size + 2, size + 2);
      }
    };
    for (let y = 0; y < this.rows; ++y)
      for (let x = 0; x < this.across; ++x) {
        const flat = this.flat(y, x);
        if (flat >= 0) one(flat, left + x * size, top + y * size);
      }
    this.outside.slice(0, this.across).forEach((flat, x) => {
      const y = top + this.rows * size + 2;
      pen.fillStyle = colours.bad;
      pen.fillRect(left + x * size, y, size - 1, 3);
      one(flat, left + x * size, y);
    });
    if (this.cursor >= 0) {
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 2;
      pen.setLineDash([2, 2]);
      pen.strokeRect(left + this.cursor % this.across * size + 1, top + Math.floor(this.cursor / this.across) * size + 1, size - 2, size - 2);
      pen.setLineDash([]);
    }
    const said = [];
    if (clashing) said.push(`Red bars: ${counted(clashing, "element")} that one thread writes and another touches between the same two barriers.`);
    const errors = wrong ? [...wrong].filter(flat => player.isFinal(this.number, flat)).length : 0;
    if (errors) said.push(`Red corners: ${counted(errors, "element is", "elements are")} wrong.`);
    if (this.outside.length) said.push(`Below the array, under the red bar: ${this.outside.map(flat => elementName(this.array, flat)).slice(0, 4).join(", ")}${this.outside.length > 4 ? " …" : ""}, outside of it.`);
    if (this.cut) said.push("A part of it is shown.");
    this.summary = said.join(" ");
    if (!this.words.textContent || this.words.dataset.summary !== undefined) this.words.textContent = this.summary;
    this.words.dataset.summary = "";
  }
}

function drawThreads() {
  const colours = style(), canvas = element("thread-grid"), launch = player.launch, threads = threadsOf(launch);
  const wide = launch.block[0] <= 32 ? launch.block[0] : 32, rows = Math.ceil(threads / wide);
  const room = Math.max(200, element("threads").clientWidth - 8);
  const size = Math.max(6, Math.min(22, Math.floor(room / wide), Math.floor(300 / rows)));
  const states = player.threadStates(), said = player.threadWords(states);
  const pen = prepare(canvas, size * wide + 2, size * rows + 2, "The threads of the block: " + said);
  for (let thread = 0; thread < threads; ++thread) {
    const x = thread % wide * size, y = Math.floor(thread / wide) * size, state = states[thread];
    const colour = colourOfWarp(Math.floor(thread / warpWidth));
    pen.fillStyle = colour;
    pen.globalAlpha = state === "active" ? 1 : state === "returned" ? 0 : state === "masked" ? .12 : .35;
    pen.fillRect(x + 1, y + 1, size - 1, size - 1);
    pen.globalAlpha = 1;
    if (state === "waits") hatch(pen, x + 1, y + 1, size - 1, colours.ink);
    if (state === "returned") {
      pen.strokeStyle = colours.faint;
      pen.lineWidth = 1;
      pen.beginPath();
      pen.moveTo(x + 3, y + 3);
      pen.lineTo(x + size - 2, y + size - 2);
      pen.moveTo(x + size - 2, y + 3);
      pen.lineTo(x + 3, y + size - 2);
      pen.stroke();
    }
    const marked = player.marked.get(thread);
    if (state === "active" || marked) {
      pen.strokeStyle = marked ? colours.bad : colours.ink;
      pen.lineWidth = marked ? 3 : 1.5;
      pen.strokeRect(x + 1.5, y + 1.5, size - 2, size - 2);
    }
    if (marked && size >= 12) {
      pen.fillStyle = colours.ink;
      pen.font = "bold 11px system-ui, sans-serif";
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillText(marked, x + size / 2 + 1, y + size / 2 + 1);
    }
  }
  element("threads-head").textContent = `Block ${point(player.block.block)}: ${counted(threads, "thread")} in ${counted(Math.ceil(threads / 32), "warp")}`;
  element("thread-words").textContent = said;
  const legend = element("legend");
  legend.replaceChildren("Warps: ");
  const used = Math.min(Math.ceil(threads / 32), 8);
  for (let warp = 0; warp < used; ++warp) {
    const box = document.createElement("span");
    box.style.background = colourOfWarp(warp);
    const item = document.createElement("b");
    item.append(box, `${warp}${Math.ceil(threads / 32) > warp + 8 ? ", " + (warp + 8) + (Math.ceil(threads / 32) > warp + 16 ? " …" : "") : ""}`);
    legend.append(item, " ");
  }
}

function drawAccess() {
  const step = player.step(), canvas = element("access-picture"), colours = style();
  const room = Math.max(240, Math.min(element("access").clientWidth - 4, 640));
  const rows = element("lane-rows");
  if (!step || step.does > ATOMIC) {
    element("access-words").textContent = step ? player.stepWords(step) : "No access in this step.";
    canvas.hidden = element("lanes").hidden = true;
    return;
  }
  canvas.hidden = element("lanes").hidden = false;
  const array = trace.arrays[step.array], cost = costOf(step), words = player.costWords(step, cost);
  element("access-words").textContent = words;
  if (array.shared) {
    const banks = Array.from({ length: 32 }, (_, b) => cost.banks.reduce((most, part) => Math.max(most, part[b].size), 0));
    const most = Math.max(1, ...banks), unit = Math.max(3, Math.min(14, 96 / most)), width = Math.floor((room - 4) / 32);
    const pen = prepare(canvas, width * 32 + 4, most * unit + 20, words);
    pen.textAlign = "center";
    pen.font = "9px system-ui, sans-serif";
    banks.forEach((count, bank) => {
      for (let i = 0; i < count; ++i) {
        pen.fillStyle = i === 0 ? colourOfWarp(step.warp) : colours.bad;
        pen.fillRect(bank * width + 1, (most - 1 - i) * unit + 1, width - 2, unit - 1);
      }
      pen.strokeStyle = colours.line;
      pen.strokeRect(bank * width + 1, 1, width - 2, most * unit);
      pen.fillStyle = colours.faint;
      if (bank % 4 === 0 || width > 16) pen.fillText(bank, bank * width + width / 2, most * unit + 13);
    });
  } else {
    const lines = [...cost.lines].sort((a, b) => a - b), shown = lines.slice(0, 32);
    const perRow = room > 460 ? 4 : 2, width = Math.floor((room - 8) / (perRow * 4)), height = 22;
    const pen = prepare(canvas, room, Math.ceil(shown.length / perRow) * (height + 6) + 4, words);
    shown.forEach((line, i) => {
      const x = i % perRow * (width * 4 + 2), y = Math.floor(i / perRow) * (height + 6) + 1;
      for (let s = 0; s < 4; ++s) {
        const asked = cost.sectors.has(line * 4 + s);
        pen.fillStyle = asked ? colourOfWarp(step.warp) : colours.paper;
        pen.fillRect(x + s * width + 1, y, width - 1, height);
        pen.strokeStyle = colours.line;
        pen.lineWidth = 1;
        pen.strokeRect(x + s * width + 1.5, y + .5, width - 2, height - 1);
        pen.fillStyle = colours.ink;
        const begin = (line * 4 + s) * 32 + 0 - array.at;
        for (const touch of step.touches)  // which bytes of the sector are asked for
          for (let at = Math.max(touch.at, begin); at < Math.min(touch.at + step.bytes, begin + 32); ++at)
            pen.fillRect(x + s * width + 1 + (at - begin) / 32 * (width - 1), y + height - 6, Math.max(1, (width - 1) / 32), 5);
      }
      pen.strokeStyle = colours.ink;
      pen.lineWidth = 1.5;
      pen.strokeRect(x + .5, y - .5, width * 4, height + 1);
    });
  }
  rows.replaceChildren(...(element("lanes").open ? step.touches : []).map((touch, i) => {
    const row = document.createElement("tr");
    for (const text of [step.lanes[i], point(threadPoint(player.launch, touch.thread)), elementName(array, touch.first), valueText(touch.value(0))]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      row.append(cell);
    }
    return row;
  }));
}

// ---- the source -----------------------------------------------------------------------------------------------------

const source = {
  lines: new Map(),
  build() {
    const told = new Set(trace.findings.flatMap(f => f.parties.map(p => p.file + ":" + p.line)));
    for (const { file, text } of trace.sources) {
      const head = document.createElement("h2");
      head.textContent = file + " ";
      const key = document.createElement("small");
      key.textContent = "Beside the lines: sectors and turns of the banks for each request; steps that leave lanes out";
      head.append(key);
      element("source").append(head);
      text.replace(/\n$/, "").split("\n").forEach((words, i) => {
        const line = document.createElement("div");
        line.className = "line";
        for (const [name, content] of [["number", i + 1], ["cost", ""], ["words", words]]) {
          const part = document.createElement("span");
          part.className = name;
          part.textContent = content;
          line.append(part);
        }
        if (told.has(file + ":" + (i + 1))) line.classList.add("told");
        this.lines.set(file + ":" + (i + 1), line);
        element("source").append(line);
      });
    }
  },
  // How dear the block's accesses of each line are.
  heat() {
    const all = new Map();
    for (const step of player.block.steps) {
      if (step.does > ATOMIC) continue;
      const { file, line } = trace.places[step.place], key = file + ":" + line, cost = costOf(step);
      const sum = all.get(key) || { sectors: 0, least: 0, requests: 0, turns: 0, leastTurns: 0, shared: 0, masked: 0, steps: 0 };
      ++sum.steps;
      sum.masked += step.lanes.length < player.lanesIn(step.warp) ? 1 : 0;
      if (cost.sectors) {
        sum.sectors += cost.sectors.size;
        sum.least += cost.least;
        ++sum.requests;
      } else {
        sum.turns += cost.wavefronts;
        sum.leastTurns += cost.least;
        ++sum.shared;
      }
      all.set(key, sum);
    }
    for (const [key, line] of this.lines) {
      const sum = all.get(key), cell = line.querySelector(".cost");
      const words = [], long = [];
      let hot = false;
      if (sum && sum.requests) {
        words.push(`${+(sum.sectors / sum.requests).toFixed(1)} sect`);
        long.push(`${(sum.sectors / sum.requests).toFixed(1)} sectors of 32 bytes for each request of a warp (${(sum.least / sum.requests).toFixed(1)} would do)`);
        hot ||= sum.sectors > 2 * sum.least;
      }
      if (sum && sum.shared) {
        words.push(`${+(sum.turns / sum.shared).toFixed(1)}× bank`);
        long.push(`${(sum.turns / sum.shared).toFixed(1)} turns of the banks for each request of a warp (${(sum.leastTurns / sum.shared).toFixed(1)} would do)`);
        hot ||= sum.turns > sum.leastTurns;
      }
      if (sum && sum.masked) {
        words.push(`${Math.round(100 * sum.masked / sum.steps)}%`);
        long.push(`${sum.masked} of ${sum.steps} steps without some of the warp's lanes`);
      }
      cell.textContent = words.join(" ");
      cell.title = long.join("; ");
      cell.classList.toggle("hot", hot);
    }
  },
  show(places) {
    for (const line of this.lines.values()) line.classList.remove("here");
    places.forEach((place, i) => {
      const line = this.lines.get(place.file + ":" + place.line);
      if (!line) return;
      line.classList.add("here");
      const box = element("source");
      if (i === 0 && (line.offsetTop < box.scrollTop + 40 || line.offsetTop > box.scrollTop + box.clientHeight - 40))
        box.scrollTop = line.offsetTop - box.clientHeight / 2;
    });
  }
};

// ---- time, and words ------------------------------------------------------------------------------------------------

const player = {
  time: 0, warp: -1, zoom: 1, playing: false, chosen: null, marked: new Map(), memory: null, clashes: new Map(), slowest: 0,

  // Chooses a block, and stands at its beginning.
  enter(launch, block) {
    this.launchNumber = launch;
    this.blockNumber = block;
    this.launch = trace.launches[launch];
    this.block = blockAt(launch, block);
    this.before = memoryBefore(launch, block);
    this.touched = trace.arrays.map(() => new Set());
    for (const step of this.block.steps)
      if (step.does <= ATOMIC)
        for (const touch of step.touches)
          for (let k = 0; k < touch.count; ++k) this.touched[step.array].add(touch.first + k);
    this.wrong = trace.arrays.map(array => array.wrong ? new Set(array.wrong) : null);
    this.phaseClashes = this.block.phases.map((_, p) => clashesIn(this.block, p));
    this.finals = trace.arrays.map(() => new Map());
    this.block.steps.forEach((step, i) => {
      if (step.does === WRITE || step.does === ATOMIC)
        for (const touch of step.touches)
          for (let k = 0; k < touch.count; ++k) this.finals[step.array].set(touch.first + k, i);
    });
    this.time = 0;
    this.memory = null;
    element("time").max = this.block.steps.length;
    element("block").value = block;
    element("launch").value = launch;
    for (const grid of grids) grid.fit();
    source.heat();
  },
  // The step that was done last; null at the beginning.
  step() {
    return this.time > 0 ? this.block.steps[this.time - 1] : null;
  },
  phaseAt() {
    const step = this.step();
    return step ? step.phase : 0;
  },
  // All of the phase is done: its barrier is reached.
  atEnd() {
    const phase = this.block.phases[this.phaseAt()];
    return !phase || this.time === phase.end;
  },
  lanesIn(warp) {
    return Math.min(warpWidth, threadsOf(this.launch) - warp * warpWidth);
  },
  // An element holds what it holds at the block's end.
  isFinal(array, flat) {
    const last = this.finals[array].get(flat);
    if (last !== undefined) return this.time > last;
    return this.before.arrays[array].get(flat)?.writer >= 0 || !written()[array].has(flat);
  },
  go(time) {
    const started = performance.now(), phase = this.phaseAt();
    time = Math.min(Math.max(time, 0), this.block.steps.length);
    // A step on changes the arrays of the last step and of this one; all else may change any.
    let changed = new Set();
    const note = () => { if (this.step() && changed) changed.add(this.step().array); };
    note();
    if (this.memory === null || time < this.time) {
      this.memory = new Memory(this.before);
      this.time = 0;
      changed = null;
    }
    for (; this.time < time; note()) this.memory.apply(this.block.steps[this.time], this.time++);
    if (this.phaseAt() !== phase || time === this.block.steps.length) changed = null;
    this.clashes = this.phaseClashes[this.phaseAt()] || new Map();
    this.show(changed);
    this.slowest = Math.max(this.slowest, performance.now() - started);
  },
  show(changed = null) {
    const step = this.step();
    element("time").value = this.time;
    element("time").setAttribute("aria-valuetext", this.nowWords());
    element("place").textContent = `${this.time} of ${this.block.steps.length}`;
    element("now").textContent = this.nowWords();
    for (const grid of grids) {
      if (changed !== null && !changed.has(grid.number)) continue;
      grid.draw();
      grid.tell(-1);
    }
    drawThreads();
    drawAccess();
    const places = step ? [trace.places[step.place]] : [];
    if (this.finding) for (const party of this.finding.parties) places.push(party);
    source.show(places);
    this.tellElement();
  },
  threadStates() {
    const phase = this.block.phases[this.phaseAt()], count = threadsOf(this.launch), step = this.step();
    const states = new Array(count).fill("ready");
    if (!phase) return states;
    const before = this.phaseAt() > 0 ? this.block.phases[this.phaseAt() - 1] : null;
    const waits = (its, thread) => its.waiting.some(group => inRanges(group.threads, thread));
    const gone = thread => before !== null && !waits(before, thread);
    const done = warp => {
      for (let i = this.time; i < phase.end; ++i) if (this.block.steps[i].warp === warp) return false;
      return true;
    };
    const over = new Map();
    for (let thread = 0; thread < count; ++thread) {
      const warp = Math.floor(thread / warpWidth);
      if (!over.has(warp)) over.set(warp, this.atEnd() || done(warp));
      if (gone(thread)) states[thread] = "returned";
      else if (over.get(warp) && (this.time > phase.begin || this.atEnd()) && this.time > 0)
        states[thread] = waits(phase, thread) ? "waits" : phase.how === "stopped" ? "ready" : "returned";
      if (step && step.warp === warp && states[thread] !== "returned")
        states[thread] = step.mask >>> thread % warpWidth & 1 ? "active" : states[thread] === "waits" ? "waits" : "masked";
      else if (step && step.warp === warp && step.mask >>> thread % warpWidth & 1) states[thread] = "active";
    }
    return states;
  },
  threadWords(states) {
    const count = state => states.filter(s => s === state).length;
    const words = [];
    if (count("active")) words.push(`${count("active")} active (framed)`);
    if (count("masked")) words.push(`${count("masked")} of the same warp not taking part (pale)`);
    if (count("waits")) words.push(`${count("waits")} wait at the barrier (hatched)`);
    if (count("returned")) words.push(`${count("returned")} have returned (crossed)`);
    if (count("ready")) words.push(`${count("ready")} still to run`);
    return words.join(", ") + ".";
  },
  stepWords(step) {
    if (step.does > ATOMIC)
      return `${step.lanes.length} lanes of warp ${step.warp} meet (${step.does === WARP_MEETS ? "a warp's barrier or exchange" : "a barrier for a part of the block"}) at ${placeText(step.place)}.`;
    const array = trace.arrays[step.array], all = this.lanesIn(step.warp);
    const does = step.does === READ ? (step.lanes.length === 1 ? "reads" : "read") : step.does === WRITE ? (step.lanes.length === 1 ? "writes" : "write") : (step.lanes.length === 1 ? "updates" : "update");
    const first = step.touches[0], last = step.touches[step.touches.length - 1];
    const range = first.first === last.first ? elementName(array, first.first) : `${elementName(array, first.first)} … ${elementName(array, last.first)}`;
    let words = `Warp ${step.warp}: ${step.lanes.length} of ${all} lanes ${does}${step.does === ATOMIC ? " atomically" : ""} ${range} at ${placeText(step.place)}.`;
    const outside = step.touches.filter(touch => isOutside(array, touch.first));
    if (outside.length) words += ` ${outside.length} of them outside of ${nameOf(array)}: ${elementName(array, outside[0].first)}.`;
    if (step.does === READ) {
      const fresh = step.touches.filter(touch => touch.value(0) === 0).length;
      if (fresh) words += ` ${counted(fresh, "lane")} found what nobody had written.`;
    }
    return words;
  },
  costWords(step, cost) {
    const array = trace.arrays[step.array], of = `Warp ${step.warp}, ${counted(step.lanes.length, "lane")}, ${nameOf(array)}`;
    if (!array.shared)
      return `${of}: ${counted(cost.sectors.size, "sector")} of 32 bytes in ${counted(cost.lines.size, "line")} of 128; ${cost.least === cost.sectors.size ? "fewer would not do" : `${cost.least} would do`}.`;
    const more = cost.wavefronts - cost.least;
    return `${of}: ${more ? `bank conflicts, ${counted(cost.wavefronts, "turn")} of the 32 banks where ${cost.least} would do (red: words that wait)` : `no bank conflicts, ${counted(cost.wavefronts, "turn")} of the 32 banks`}.`;
  },
  endWords(phase) {
    const threads = threadsOf(this.launch), waiting = phase.waiting.reduce((sum, group) => sum + sizeOf(group.threads), 0);
    const groups = phase.waiting.map(group => `${sizeOf(group.threads)} at ${placeText(group.place)}`);
    const who = (groups.length === 1 ? `${waiting} of ${threads} threads wait at ${placeText(phase.waiting[0].place)}`
      : `of ${threads} threads wait ${groups.join(", ")}`) + (waiting < threads ? `; ${threads - waiting} have returned` : "");
    switch (phase.how) {
      case "barrier": return `Barrier: ${who}.`;
      case "grid": return `Barrier of the grid: ${who}.`;
      case "deadlock": return `Deadlock, for nobody else comes: ${who}.`;
      case "stopped": return "Here the kernel was stopped.";
      default: return "The block's end: all threads have returned.";
    }
  },
  nowWords() {
    const step = this.step();
    if (!step) return `Block ${point(this.block.block)} begins. ${counted(this.block.phases.length - 1, "barrier")} in ${this.block.steps.length} steps.`;
    const phase = this.block.phases[step.phase];
    return this.stepWords(step) + (this.atEnd() ? " " + this.endWords(phase) : "");
  },
  elementWords(number, flat) {
    const array = trace.arrays[number], cell = this.memory.arrays[number].get(flat), name = elementName(array, flat);
    const words = [];
    if (isOutside(array, flat)) words.push(`${name} is outside of ${nameOf(array)}, which has ${Math.floor(array.bytes / array.element)} elements.`);
    if (!cell && !written()[number].has(flat)) words.push(`${isWhole() ? "No thread" : "No thread that is recorded"} writes ${name}.`);
    else if (!cell) words.push(`${name} is not touched yet.`);
    else {
      words.push(`${name} ${cell.value === 0 ? "was never written" : "= " + valueText(cell.value)}.`);
      if (cell.writer >= 0) words.push(`Written by thread ${point(threadPoint(this.launch, cell.writer))}, warp ${Math.floor(cell.writer / warpWidth)}, at ${placeText(cell.place)}${cell.write === null ? ", of a block before" : ""}.`);
      if (cell.reader >= 0) words.push(`Last read by thread ${point(threadPoint(this.launch, cell.reader))}.`);
    }
    if (array.expected && this.wrong[number].has(flat) && this.isFinal(number, flat)) words.push(`It should be ${valueText(array.expected[flat])}.`);
    const clash = this.clashes.get(number + ":" + flat);
    if (clash) words.push(`Thread ${point(threadPoint(this.launch, clash.writer.thread))} writes it (${placeText(clash.writer.place)}) and thread ${point(threadPoint(this.launch, clash.other.thread))} ${clash.writes ? "writes" : "reads"} it (${placeText(clash.other.place)}) with no barrier between.`);
    return words.join(" ");
  },
  choose(array, flat) {
    this.chosen = { array, flat };
    this.order();
    this.tellElement();
    for (const grid of grids) grid.draw();
  },
  // The array that it is about stands first, then those that the block shares, then the result.
  order() {
    grids.forEach((grid, i) => {
      const { shared, output } = grid.array;
      grid.box.style.order = this.chosen && this.chosen.array === i ? 0 : shared ? 1 : output ? 2 : 3;
    });
  },
  // Who wrote the chosen element, and from what: each write of this block, with what its thread had read since its write before.
  tellElement() {
    element("element").hidden = this.chosen === null;
    if (this.chosen === null) return;
    const { array, flat } = this.chosen, its = trace.arrays[array];
    element("element-head").textContent = elementName(its, flat);
    element("element-words").textContent = this.elementWords(array, flat);
    const story = [this.launchNumber, this.blockNumber, array, flat].join();
    const box = element("element-story").parentElement;
    box.hidden = !this.finals[array].has(flat);
    if (this.told === story || !box.open || box.hidden) return;
    this.told = story;
    const items = [];
    const reads = new Map();
    this.block.steps.forEach((step, i) => {
      if (step.does > ATOMIC) return;
      for (const touch of step.touches) {
        if (step.does === READ) {
          if (!reads.has(touch.thread)) reads.set(touch.thread, []);
          reads.get(touch.thread).push(`${elementName(trace.arrays[step.array], touch.first)} = ${valueText(touch.value(0))}`);
        } else if (step.array === array && flat >= touch.first && flat < touch.first + touch.count) {
          const item = document.createElement("li"), button = document.createElement("button"), from = document.createElement("div");
          button.type = "button";
          button.textContent = `step ${i + 1}: = ${valueText(touch.value(flat - touch.first))}, by thread ${point(threadPoint(this.launch, touch.thread))} at ${placeText(step.place)}`;
          button.addEventListener("click", () => this.go(i + 1));
          const read = reads.get(touch.thread) || [], most = 40;
          from.className = "reads";
          from.textContent = read.length === 0 ? "before that its thread read nothing of memory"
            : `its thread had read ${read.slice(0, most).join(", ")}${read.length > most ? ` and ${read.length - most} more` : ""}`;
          item.append(button, from);
          items.push(item);
          if (its === trace.arrays[step.array] && !its.shared) reads.delete(touch.thread);
        }
      }
    });
    element("element-story").replaceChildren(...items.slice(-8));
  },

  // ---- findings

  // The step in which a party of a finding does what it says, in this launch; null where it is not recorded.
  stepOf(finding, party) {
    const thread = /thread \((\d+),(\d+),(\d+)\)/.exec(party.what), block = /block \((\d+),(\d+),(\d+)\)/.exec(party.what);
    for (let l = 0; l < trace.launches.length; ++l) {
      const launch = trace.launches[l];
      if (finding.kernel && launch.kernel !== finding.kernel) continue;
      for (let b = 0; b < launch.blocks.length; ++b) {
        if (block && point(launch.blocks[b].block) !== `(${block[1]},${block[2]},${block[3]})`) continue;
        const steps = blockAt(l, b).steps;
        const index = thread ? Number(thread[1]) + launch.block[0] * (Number(thread[2]) + launch.block[1] * Number(thread[3])) : -1;
        for (let i = 0; i < steps.length; ++i) {
          const place = trace.places[steps[i].place], array = trace.arrays[steps[i].array];
          if (place.line !== party.line || place.file !== party.file || steps[i].does > ATOMIC) continue;
          if (finding.array && finding.array !== array.name && finding.array !== array.on_device) continue;
          if (/^write/.test(party.what) && steps[i].does === READ || /^read/.test(party.what) && steps[i].does !== READ) continue;
          if (index >= 0 && !steps[i].touches.some(touch => touch.thread === index)) continue;
          if (/out-of-bounds/.test(finding.rule) && !steps[i].touches.some(touch => isOutside(array, touch.first))) continue;
          const found = { launch: l, block: b, time: i + 1, thread: index };
          const touch = steps[i].touches.find(t => index < 0 || t.thread === index);
          if (touch && !(finding.rule === "uninitialised" && index < 0 && touch.value(0) !== 0)) return { ...found, array: steps[i].array, flat: touch.first };
        }
      }
    }
    return null;
  },
  // Two accesses of a race to the same element between the same two barriers of a block.
  raceOf(finding) {
    const [a, b] = finding.parties.map(party => ({ party, thread: /thread \((\d+),(\d+),(\d+)\)/.exec(party.what), block: /block \((\d+),(\d+),(\d+)\)/.exec(party.what) }));
    if (!a || !b || !a.thread || !b.thread) return null;
    for (let l = 0; l < trace.launches.length; ++l) {
      const launch = trace.launches[l], index = one => Number(one[1]) + launch.block[0] * (Number(one[2]) + launch.block[1] * Number(one[3]));
      if (finding.kernel && launch.kernel !== finding.kernel) continue;
      for (let k = 0; k < launch.blocks.length; ++k) {
        const block = blockAt(l, k);
        if (a.block && b.block && (a.block[0] !== b.block[0] || point(block.block) !== a.block[0].slice(6))) continue;
        for (const phase of block.phases) {
          const found = [a, b].map(() => new Map());
          for (let i = phase.begin; i < phase.end; ++i) {
            const step = block.steps[i], place = trace.places[step.place], array = trace.arrays[step.array];
            if (step.does > ATOMIC || finding.array && finding.array !== array.name && finding.array !== array.on_device) continue;
            [a, b].forEach(({ party, thread }, side) => {
              if (place.line !== party.line || place.file !== party.file || /^write/.test(party.what) !== (step.does === WRITE)) return;
              const touch = step.touches.find(one => one.thread === index(thread));
              if (touch && !found[side].has(touch.first)) found[side].set(touch.first, { launch: l, block: k, time: i + 1, thread: touch.thread, array: step.array, flat: touch.first });
            });
          }
          for (const [flat, one] of found[0]) if (found[1].has(flat)) return [one, found[1].get(flat)];
        }
      }
    }
    return null;
  },
  // Barriers have no access: the phase that ends with threads at that line.
  barrierOf(finding) {
    const lines = new Set(finding.parties.map(party => party.file + ":" + party.line));
    for (let l = 0; l < trace.launches.length; ++l)
      for (let b = 0; b < trace.launches[l].blocks.length; ++b) {
        const block = blockAt(l, b), threads = threadsOf(trace.launches[l]);
        for (const phase of block.phases) {
          const waiting = phase.waiting.reduce((sum, group) => sum + sizeOf(group.threads), 0);
          const here = phase.waiting.some(group => lines.has(trace.places[group.place].file + ":" + trace.places[group.place].line));
          if (here && (waiting < threads || phase.waiting.length > 1)) return { launch: l, block: b, time: phase.end };
        }
      }
    return null;
  },
  showFinding(number) {
    const finding = trace.findings[number];
    this.stop();
    this.finding = finding;
    this.findingNumber = number;
    const race = finding.rule === "race" && finding.parties.length === 2 ? this.raceOf(finding) : null;
    const seen = race || finding.parties.map(party => this.stepOf(finding, party));
    const barrier = /barrier|early-exit/.test(finding.rule) ? this.barrierOf(finding) : null;
    const target = barrier || (race && race[0].time > race[1].time ? race[0] : [...seen].reverse().find(one => one !== null)) || null;
    this.marked = new Map();
    document.querySelectorAll("#findings button").forEach((button, i) => button.setAttribute("aria-pressed", i === number));
    if (target === null) return this.show();
    if (target.launch !== this.launchNumber || target.block !== this.blockNumber) this.enter(target.launch, target.block);
    seen.forEach((one, i) => {
      if (one && one.thread >= 0 && one.launch === target.launch && one.block === target.block) this.marked.set(one.thread, "AB"[i] || "C");
    });
    if (target.array !== undefined) this.chosen = { array: target.array, flat: target.flat };
    this.order();
    this.go(target.time);
  },

  // ---- moving

  isShown(step) {
    return this.warp < 0 || step.warp === this.warp;
  },
  on() {
    for (let i = this.time; i < this.block.steps.length; ++i) if (this.isShown(this.block.steps[i])) return this.go(i + 1);
    this.go(this.block.steps.length);
    this.stop();
  },
  back() {
    for (let i = this.time - 1; i > 0; --i) if (this.isShown(this.block.steps[i - 1])) return this.go(i);
    this.go(0);
  },
  barrierOn() {
    const next = this.block.phases.find(phase => phase.end > this.time);
    this.go(next ? next.end : this.block.steps.length);
  },
  barrierBack() {
    const ends = [0, ...this.block.phases.map(phase => phase.end)].filter(end => end < this.time);
    this.go(ends.length ? ends[ends.length - 1] : 0);
  },
  play() {
    this.playing = true;
    element("play").textContent = "Pause";
    if (this.time === this.block.steps.length) this.go(0);
    const turn = () => {
      if (!this.playing) return;
      this.on();
      this.timer = setTimeout(turn, 1000 / Number(element("speed").value));
    };
    turn();
  },
  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    element("play").textContent = "Play";
  },
  nextBlock() {
    const blocks = this.launch.blocks.length, next = this.blockNumber + 1;
    if (next < blocks) this.enter(this.launchNumber, next);
    else this.enter((this.launchNumber + 1) % trace.launches.length, 0);
    this.offerBlocks();
    this.go(0);
  },
  nextWarp(all) {
    const count = Math.ceil(threadsOf(this.launch) / warpWidth);
    this.warp = all ? -1 : (this.warp + 1) % count;
    element("warp").value = this.warp;
  },

  // ---- choices

  offerBlocks() {
    const select = element("block");
    select.replaceChildren(...this.launch.blocks.map((block, i) => new Option(point(block.block) + (block.cut ? " (its beginning)" : ""), i)));
    select.value = this.blockNumber;
    const warps = Math.ceil(threadsOf(this.launch) / warpWidth);
    element("warp").replaceChildren(new Option("all warps", -1), ...Array.from({ length: warps }, (_, w) => new Option("warp " + w, w)));
    element("warp").value = this.warp = this.warp < warps ? this.warp : -1;
  }
};

// ---- controls -------------------------------------------------------------------------------------------------------

const grids = trace.arrays.map((_, i) => new Grid(i));

function words() {
  const launch = trace.launches[0], args = trace.args.join(" ");
  element("about").textContent = `${trace.solution ? "The solution, case" : "Case"} ${trace.case}${args ? ` (${args})` : ""}: ` +
    `${launch.kernel}<<<${point(launch.grid)}, ${point(launch.block)}>>>${trace.launches_in_all > 1 ? ` and ${counted(trace.launches_in_all - 1, "more launch", "more launches")}` : ""}, in emulation. ${trace.left_out.join(" ")}`;
  const output = trace.arrays.find(array => array.output && array.wrong), errors = trace.findings.filter(f => f.error).length;
  const verdict = element("verdict");
  if (trace.end) verdict.textContent = `The program ${trace.end}.`;
  else if (output && output.wrong.length)
    verdict.textContent = `${output.wrong.length} of ${output.expected.length} elements of ${nameOf(output)} are wrong, ${elementName(output, output.wrong[0])} first.`;
  else if (!trace.right) verdict.textContent = "The result is wrong.";
  else verdict.textContent = errors ? "The result is right, but only by luck:" : "The result is right, and the checker found no mistake.";
  verdict.className = trace.right && !errors ? "good" : "bad";
  element("findings").replaceChildren(...trace.findings.map((finding, i) => {
    const item = document.createElement("li"), button = document.createElement("button"), rule = document.createElement("span");
    button.type = "button";
    button.className = finding.error ? "" : "warning";
    rule.className = "rule";
    rule.textContent = finding.rule;
    button.append(rule, " " + finding.headline);
    finding.parties.forEach((party, k) => {
      const small = document.createElement("small");
      const code = document.createElement("span");
      code.className = "code";
      code.textContent = " " + party.text;
      small.append(`${"ABC"[k] || "·"} ${party.what}, ${party.file}:${party.line}`, code);
      button.append(small);
    });
    if (finding.hint) {
      const small = document.createElement("small");
      small.className = "hint";
      small.textContent = "Hint: " + finding.hint;
      button.append(small);
    }
    button.addEventListener("click", () => player.showFinding(i));
    item.append(button);
    return item;
  }));
}

// Where nothing is wrong: after the step with the worst conflicts of banks; 0 where there are none.
function dearest() {
  let time = 0, worst = 0;
  player.block.steps.forEach((step, i) => {
    if (step.does > ATOMIC || !trace.arrays[step.array].shared) return;
    const cost = costOf(step), more = cost.wavefronts - cost.least;
    if (more > worst) [worst, time] = [more, i + 1];
  });
  return time;
}

function begin() {
  words();
  source.build();
  element("data").append(...grids.map(grid => grid.box));
  element("launch").replaceChildren(...trace.launches.map((launch, i) => new Option(`${launch.launch}: ${launch.kernel}`, i)));
  element("launches").hidden = trace.launches.length < 2;
  element("speed").replaceChildren(...[1, 2, 5, 10, 30].map(rate => new Option(`${rate} a second`, rate)));
  element("speed").value = 5;
  const l = Math.max(0, trace.launches.findIndex(launch => launch.blocks.length > 0));
  if (trace.launches[l].blocks.length === 0) {
    element("now").textContent = "No block began.";
    return;
  }
  player.enter(l, 0);
  player.offerBlocks();
  player.go(0);
  // What is wrong is seen first.
  const first = trace.findings.findIndex(finding => finding.error);
  const output = trace.arrays.findIndex(array => array.wrong && array.wrong.length);
  if (first >= 0) {
    player.showFinding(first);
    player.offerBlocks();
  } else if (output >= 0) {
    const flat = trace.arrays[output].wrong[0];
    let b = player.launch.blocks.findIndex((_, i) => blockAt(l, i).steps.some(step => step.does !== READ && step.does <= ATOMIC && step.array === output && step.touches.some(touch => touch.first === flat)));
    if (b < 0) b = player.launch.blocks.length - 1;  // nobody wrote it: all that others wrote is there
    player.enter(l, b);
    player.offerBlocks();
    player.chosen = { array: output, flat };
    player.order();
    player.go(player.block.steps.length);
  } else {
    player.order();
    player.go(dearest());
  }
  const does = {
    "back": () => player.back(), "on": () => player.on(), "barrier-back": () => player.barrierBack(),
    "barrier-on": () => player.barrierOn(), "play": () => player.playing ? player.stop() : player.play()
  };
  for (const [id, act] of Object.entries(does))
    element(id).addEventListener("click", () => {
      if (id !== "play") player.stop();
      act();
    });
  element("time").addEventListener("input", () => {
    player.stop();
    player.go(Number(element("time").value));
  });
  element("launch").addEventListener("change", () => {
    player.enter(Number(element("launch").value), 0);
    player.offerBlocks();
    player.go(0);
  });
  element("block").addEventListener("change", () => {
    player.enter(player.launchNumber, Number(element("block").value));
    player.go(0);
  });
  element("warp").addEventListener("change", () => { player.warp = Number(element("warp").value); });
  element("lanes").addEventListener("toggle", drawAccess);
  element("element-story").parentElement.addEventListener("toggle", () => player.tellElement());
  const faster = by => {
    const select = element("speed");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + by, 0), select.options.length - 1);
  };
  const keys = {
    ArrowRight: does.on, ArrowLeft: does.back, PageDown: does["barrier-on"], PageUp: does["barrier-back"],
    Home: () => player.go(0), End: () => player.go(player.block.steps.length), " ": does.play,
    w: () => player.nextWarp(false), W: () => player.nextWarp(true), b: () => player.nextBlock(),
    f: () => trace.findings.length && player.showFinding(((player.findingNumber ?? -1) + 1) % trace.findings.length),
    ",": () => faster(-1), ".": () => faster(1), "+": () => zoom(1.25), "-": () => zoom(.8)
  };
  document.addEventListener("keydown", event => {
    const on = event.target.tagName;
    if (event.ctrlKey || event.altKey || event.metaKey || on === "SELECT" || (on === "INPUT" && event.target.type !== "range")) return;
    if (event.key === " " && (on === "BUTTON" || on === "SUMMARY")) return;
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    if (event.key !== " ") player.stop();
    act();
  });
  const zoom = by => {
    player.zoom = Math.min(Math.max(player.zoom * by, .5), 3);
    redraw();
  };
  element("larger").addEventListener("click", () => zoom(1.25));
  element("smaller").addEventListener("click", () => zoom(.8));
  const redraw = () => {
    for (const grid of grids) grid.fit();
    player.show();
  };
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}
begin();
