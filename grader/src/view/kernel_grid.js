// Shows a grid block by block, by treating a launch as one block. The steps of this block are the blocks'
// accesses to the device's memory, and its stretches from barrier to barrier are the blocks, in the order in
// which they ran. So the code for the time, memory and arrays of a block (kernel.js) works for a grid, too.
// Only the drawing and the description of the grid are in this file. A block counts as the first thread of
// the warp that has the block's number.

const GRID = -1;  // in place of a block's number

const packed = new Map();
function gridAt(launch) {
  if (!packed.has(launch)) packed.set(launch, packGrid(launch));
  return packed.get(launch);
}

function packGrid(launch) {
  const steps = [], phases = [];
  trace.launches[launch].blocks.forEach((_, b) => {
    const begin = steps.length;
    // For each array, the values before and after the block, by element.
    const did = trace.arrays.map(() => [READ, WRITE, ATOMIC].map(() => ({ values: new Map(), places: new Set(), requests: 0 })));
    for (const step of blockAt(launch, b).steps) {
      if (step.does > ATOMIC || trace.arrays[step.array].shared) continue;
      const of = did[step.array], its = of[step.does];
      its.places.add(step.place);
      ++its.requests;
      for (const touch of step.touches)
        for (let k = 0; k < touch.count; ++k) {
          const flat = touch.first + k, own = of[WRITE].values.has(flat) || of[ATOMIC].values.has(flat);
          if (step.does !== READ) its.values.set(flat, touch.value(k));
          else if (!own && !its.values.has(flat)) its.values.set(flat, touch.value(k));
        }
    }
    for (const does of [READ, WRITE, ATOMIC])
      did.forEach((of, array) => {
        const { values, places, requests } = of[does];
        if (values.size) steps.push(gridStep(b, array, does, values, [...places], requests));
      });
    phases.push({ begin, end: steps.length, how: "end", waiting: [], block: b });
  });
  return { block: null, cut: false, steps, phases };
}

function gridStep(block, array, does, values, places, requests) {
  const touches = [], flats = [...values.keys()].sort((a, b) => a - b);
  for (const flat of flats) {
    const last = touches[touches.length - 1];
    if (last && last.first + last.count === flat) ++last.count;
    else touches.push({ thread: block * warpWidth, at: flat * trace.arrays[array].element, first: flat, count: 1 });
  }
  for (const touch of touches) touch.value = k => values.get(touch.first + k);
  return { warp: block, place: places[0], places, array, does, mask: 1, lanes: [0], bytes: trace.arrays[array].element, phase: block, touches, elements: flats.length, requests };
}

// The memory before the first block: it has the values of earlier launches, but none of this launch.
function memoryBeforeGrid(launch) {
  const memory = memoryBefore(launch, GRID);
  for (const cells of memory.arrays)
    for (const [flat, cell] of cells) cells.set(flat, { ...cell, writer: -1, reader: -1 });
  return memory;
}

// Elements that one block writes and another block accesses, in arrays for which the checker reports races.
function clashesOfGrid(grid) {
  const touched = new Map(), clashes = new Map();
  for (const step of grid.steps) {
    const array = trace.arrays[step.array];
    if (!trace.findings.some(f => f.rule === "race" && f.array && (f.array === array.name || f.array === array.on_device))) continue;
    for (const touch of step.touches)
      for (let k = 0; k < touch.count; ++k) {
        const key = step.array + ":" + (touch.first + k);
        if (!touched.has(key)) touched.set(key, []);
        touched.get(key).push({ thread: touch.thread, place: step.place, does: step.does });
      }
  }
  for (const [key, all] of touched)
    find: for (const writer of all)
      for (const other of all)
        if (writer.does !== READ && other.thread !== writer.thread && !(writer.does === ATOMIC && other.does === ATOMIC)) {
          clashes.set(key, { writer, other, writes: other.does !== READ });
          break find;
        }
  return clashes;
}

const gridWords = {
  blockText: (launch, number) => `block ${point(trace.launches[launch].blocks[number].block)}`,
  begins(launch) {
    const its = trace.launches[launch], all = its.blocks_in_all, recorded = its.blocks.length;
    return `The grid of ${its.kernel} begins: ${counted(all, "block")} of ${counted(threadsOf(its), "thread")}${recorded < all ? `, of which ${recorded === 1 ? "one is" : recorded + " are"} recorded` : ""}.`;
  },
  step(launch, step) {
    const array = trace.arrays[step.array], its = trace.launches[launch], first = step.touches[0], last = step.touches[step.touches.length - 1];
    const does = step.does === READ ? "reads" : step.does === WRITE ? "writes" : "updates atomically";
    const end = last.first + last.count - 1, outside = step.touches.filter(touch => isOutside(array, touch.first + touch.count - 1));
    const range = first.first === end ? elementName(array, end)
      : `${counted(step.elements, "element")} of ${nameOf(array)}, ${elementName(array, first.first)} … ${elementName(array, end)},`;
    return `Block ${point(its.blocks[step.warp].block)}, ${step.warp + 1} of ${its.blocks.length}, ${does} ${range} in ${counted(step.requests, "request")} of its warps, at ${step.places.map(placeText).join(", ")}.` +
      (outside.length ? ` Some lie outside of ${nameOf(array)}.` : "");
  },
  ends(launch, phase) {
    const its = trace.launches[launch], more = its.blocks_in_all - its.blocks.length;
    if (phase.block + 1 < its.blocks.length) return "The block's end.";
    return more > 0 ? `The end of what is recorded: ${counted(more, "more block", "more blocks")} of the grid ${more === 1 ? "is" : "are"} left out.` : "The grid's end.";
  }
};

// Draws the blocks of the grid instead of threads. If a block is selected, its threads can be shown.
const gridPicture = {
  most: 2048,  // cells
  layout() {
    const [x, y, z] = player.launch.grid, all = x * y * z, wide = Math.min(x, 64), rows = Math.ceil(Math.min(all, this.most) / wide);
    const room = Math.max(200, element("threads").clientWidth - 8);
    return { wide, rows, all, size: Math.max(5, Math.min(28, Math.floor(room / wide), Math.floor(300 / rows))) };
  },
  numbers() {
    const [x, y] = player.launch.grid;
    return new Map(player.launch.blocks.map((its, b) => [its.block[0] + x * (its.block[1] + y * its.block[2]), b]));
  },
  draw() {
    const { wide, rows, all, size } = this.layout(), colours = style(), numbers = this.numbers(), now = player.step() ? player.step().warp : -1;
    const done = player.block.phases.filter(phase => phase.end <= player.time && (phase.begin < phase.end || phase.block <= now)).length, recorded = player.launch.blocks.length;
    const said = `${counted(done, "block has", "blocks have")} run${recorded > done ? `, ${recorded - done} still to run (pale)` : ""}${all > recorded ? `, ${all - recorded} not recorded (hatched)` : ""}.`;
    const pen = prepare(element("thread-grid"), size * wide + 2, size * rows + 2, "The blocks of the grid: " + said);
    for (let i = 0; i < Math.min(all, this.most); ++i) {
      const x = i % wide * size, y = Math.floor(i / wide) * size, b = numbers.get(i);
      if (b === undefined) {
        hatch(pen, x + 1, y + 1, size - 1, colours.line);
        continue;
      }
      pen.fillStyle = colourOfWarp(b);
      pen.globalAlpha = b === now ? 1 : player.time >= player.block.phases[b].end && b <= now ? .5 : .12;
      pen.fillRect(x + 1, y + 1, size - 1, size - 1);
      pen.globalAlpha = 1;
      pen.strokeStyle = b === now ? colours.ink : colours.line;
      pen.lineWidth = b === now ? 2 : .5;
      pen.strokeRect(x + 1.5, y + 1.5, size - 2, size - 2);
    }
    element("threads-head").textContent = `Grid ${point(player.launch.grid)}: ${counted(all, "block")} of ${counted(threadsOf(player.launch), "thread")}`;
    element("thread-words").textContent = said;
    element("legend").textContent = "An element has the colour of the block that wrote it last. Choose a block to see its threads.";
    element("access-words").textContent = "A grid shows only its blocks: choose one to see its accesses, lane by lane.";
    element("access-picture").hidden = element("lanes").hidden = true;
  },
  // The recorded block at a position in the picture; -1 if there is none.
  at(event) {
    const { wide, size } = this.layout(), box = element("thread-grid").getBoundingClientRect();
    const x = Math.floor((event.clientX - box.left) / size), y = Math.floor((event.clientY - box.top) / size);
    return x >= 0 && x < wide ? this.numbers().get(y * wide + x) ?? -1 : -1;
  }
};
