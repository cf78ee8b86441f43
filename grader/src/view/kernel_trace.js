// Shows what a kernel's blocks do, from the trace that the page contains (docs/ARCHITECTURE.md defines its
// format). Text from students is inserted only as text. The page's script has four files, in this order: the
// trace (this file, with its steps, the contents of memory at a moment, and the cost of an access), the
// drawings (kernel_draw.js), a whole grid block by block (kernel_grid.js), and time, words and controls
// (kernel.js). A moment is a number of completed steps of the selected block, and 0 is its beginning.
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

// A step of a warp: an access by some of its lanes at the same time. `where` contains byte offsets in the
// array: one for each lane, or the first offset and the stride. `values` contains numbers of values: one for
// each accessed element, or one for all.
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
      // Only the first 16 bytes of a wide access are known.
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

// For each array, the accessed elements with their value, last writer and last reader.
class Memory {
  constructor(other) {
    this.arrays = trace.arrays.map((_, i) => new Map(other ? other.arrays[i] : []));
  }
  // Notes a value that a block reads from device memory before it writes the element: this is the earlier
  // value.
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

// The contents of memory when a block begins: what this block and later blocks read before they write, and
// what earlier blocks wrote.
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

// For each array, the elements that some block writes.
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
  // A wide access takes one turn for each half or quarter of the warp.
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

// Elements that one thread writes and another accesses between the same two barriers, in arrays for which the
// checker reports races. Warp barriers and atomics order more accesses than block barriers do.
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
