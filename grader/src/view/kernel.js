// The controls of a kernel's page: the current step, its description, and buttons, keys, mouse and touch.

// ---- time, and words ------------------------------------------------------------------------------------------------

const player = {
  time: 0, warp: -1, thread: -1, zoom: 1, playing: false, chosen: null, marked: new Map(), memory: null, clashes: new Map(),

  // Selects a block, and shows its beginning.
  enter(launch, block) {
    this.launchNumber = launch;
    this.blockNumber = block;
    this.launch = trace.launches[launch];
    this.block = this.isGrid() ? gridAt(launch) : blockAt(launch, block);
    this.before = this.isGrid() ? memoryBeforeGrid(launch) : memoryBefore(launch, block);
    this.touched = trace.arrays.map(() => new Set());
    for (const step of this.block.steps)
      if (step.does <= ATOMIC)
        for (const touch of step.touches)
          for (let k = 0; k < touch.count; ++k) this.touched[step.array].add(touch.first + k);
    this.wrong = trace.arrays.map(array => array.wrong ? new Set(array.wrong) : null);
    const clashes = this.isGrid() ? clashesOfGrid(this.block) : null;
    this.phaseClashes = this.block.phases.map((_, p) => clashes || clashesIn(this.block, p));
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
    element("warp").disabled = this.isGrid();
    if (this.isGrid()) this.thread = -1;
    this.offerThreads();
    for (const grid of grids) grid.fit();
    source.heat();
  },
  // Whether the page shows a whole launch, block by block.
  isGrid() {
    return this.blockNumber === GRID;
  },
  // The steps of the selected block, one warp after the other.
  ownSteps() {
    return this.isGrid() ? this.launch.blocks.flatMap((_, b) => blockAt(this.launchNumber, b).steps) : this.block.steps;
  },
  // The writer or reader of an element in words.
  who(thread) {
    return this.isGrid() ? gridWords.blockText(this.launchNumber, thread / warpWidth) : `thread ${point(threadPoint(this.launch, thread))}`;
  },
  // The last completed step; null if there is none.
  step() {
    return this.time > 0 ? this.block.steps[this.time - 1] : null;
  },
  phaseAt() {
    const step = this.step();
    return step ? step.phase : 0;
  },
  // Whether all steps of the phase are complete, so that the barrier is reached.
  atEnd() {
    const phase = this.block.phases[this.phaseAt()];
    return !phase || this.time === phase.end;
  },
  lanesIn(warp) {
    return Math.min(warpWidth, threadsOf(this.launch) - warp * warpWidth);
  },
  // Whether the element already has the last value that this block gives it.
  isFinal(array, flat) {
    const last = this.finals[array].get(flat);
    if (last !== undefined) return this.time > last;
    return this.before.arrays[array].get(flat)?.writer >= 0 || !written()[array].has(flat);
  },
  go(time) {
    const phase = this.phaseAt();
    time = Math.min(Math.max(time, 0), this.block.steps.length);
    // A step forward changes only the arrays of the last and the current step. Any other move may change all
    // arrays.
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
      grid.describe(-1);
    }
    drawThreads();
    drawAccess();
    // If a thread is selected, shows the place of the thread's last step.
    const stands = this.thread < 0 ? step : this.lastOf(this.thread);
    const places = stands ? (stands.places || [stands.place]).map(place => trace.places[place]) : [];
    if (this.finding) for (const party of this.finding.parties) places.push(party);
    source.show(places);
    this.describeElement();
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
        states[thread] = waits(phase, thread) ? "waits" : phase.how === "stopped" || phase.how === "cut" ? "ready" : "returned";
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
  // Whether the thread takes part in the step.
  has(step, thread) {
    return step.warp === Math.floor(thread / warpWidth) && (step.mask >>> thread % warpWidth & 1) === 1;
  },
  // The thread's last step so far; null if it had none.
  lastOf(thread) {
    for (let i = this.time; i > 0; --i) if (this.has(this.block.steps[i - 1], thread)) return this.block.steps[i - 1];
    return null;
  },
  // The place and the last access of the selected thread, in words.
  threadStory(states) {
    const thread = this.thread, lane = thread % warpWidth, last = this.lastOf(thread);
    const is = { active: "takes part", masked: "takes no part", waits: "waits at the barrier", returned: "has returned", ready: "is still to go on" };
    const words = `Thread ${point(threadPoint(this.launch, thread))}, lane ${lane} of warp ${Math.floor(thread / warpWidth)}, ${is[states[thread]]}.`;
    if (!last) return words + " It has touched nothing yet.";
    if (last.does > ATOMIC) return `${words} It met others of its block at ${placeText(last.place)}.`;
    const touch = last.touches.find(touch => touch.thread === thread), did = ["read", "wrote", "updated"][[READ, WRITE, ATOMIC].indexOf(last.does)];
    return `${words} Last it ${did} ${elementName(trace.arrays[last.array], touch.first)} (${valueText(touch.value(0))}) at ${placeText(last.place)}.`;
  },
  stepWords(step) {
    if (this.isGrid()) return gridWords.step(this.launchNumber, step);
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
      if (fresh) words += ` ${counted(fresh, "lane")} found unwritten memory.`;
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
    if (this.isGrid()) return gridWords.ends(this.launchNumber, phase);
    const threads = threadsOf(this.launch), waiting = phase.waiting.reduce((sum, group) => sum + sizeOf(group.threads), 0);
    const groups = phase.waiting.map(group => `${sizeOf(group.threads)} at ${placeText(group.place)}`);
    const who = (groups.length === 1 ? `${waiting} of ${threads} threads wait at ${placeText(phase.waiting[0].place)}`
      : `of ${threads} threads wait ${groups.join(", ")}`) + (waiting < threads ? `; ${threads - waiting} have returned` : "");
    switch (phase.how) {
      case "barrier": return `Barrier: ${who}.`;
      case "cluster": return `Barrier of the cluster: ${who}.`;
      case "grid": return `Barrier of the grid: ${who}.`;
      case "deadlock": return `Deadlock, since no other thread comes: ${who}.`;
      case "stopped": return "Here the kernel was stopped.";
      case "cut": return "The recording of this block ends here: the block does too much.";
      default: return "The block's end: all threads have returned.";
    }
  },
  nowWords() {
    const step = this.step();
    if (!step && this.isGrid()) return gridWords.begins(this.launchNumber);
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
      if (cell.writer >= 0) words.push(`Written by ${this.who(cell.writer)}${this.isGrid() ? "" : `, warp ${Math.floor(cell.writer / warpWidth)}`}, at ${placeText(cell.place)}${cell.write === null ? ", of a block before" : ""}.`);
      if (cell.reader >= 0) words.push(`Last read by ${this.who(cell.reader)}.`);
    }
    if (array.expected && this.wrong[number].has(flat) && this.isFinal(number, flat)) words.push(`It should be ${valueText(array.expected[flat])}.`);
    const clash = this.clashes.get(number + ":" + flat);
    if (clash) {
      const writer = this.who(clash.writer.thread);
      words.push(`${writer[0].toUpperCase()}${writer.slice(1)} writes it (${placeText(clash.writer.place)}) and ${this.who(clash.other.thread)} ${clash.writes ? "writes" : "reads"} it (${placeText(clash.other.place)}) with ${this.isGrid() ? "nothing that says who comes first" : "no barrier between"}.`);
    }
    return words.join(" ");
  },
  choose(array, flat) {
    this.chosen = { array, flat };
    this.order();
    this.describeElement();
    for (const grid of grids) grid.draw();
  },
  // The arrays in the order of the page: that of the selected element, then the block's shared arrays, then
  // the result.
  order() {
    grids.forEach((grid, i) => {
      const { shared, output } = grid.array;
      grid.box.style.order = this.chosen && this.chosen.array === i ? 0 : shared ? 1 : output ? 2 : 3;
    });
  },
  // Describes who wrote the selected element: each write of this block, with the values that its thread had
  // read since its previous write.
  describeElement() {
    element("element").hidden = this.chosen === null;
    if (this.chosen === null) return;
    const { array, flat } = this.chosen, its = trace.arrays[array];
    element("element-head").textContent = elementName(its, flat);
    element("element-words").textContent = this.elementWords(array, flat);
    const story = [this.launchNumber, this.blockNumber, array, flat].join();
    const box = element("element-story").parentElement;
    box.hidden = !this.finals[array].has(flat);
    if (this.announced === story || !box.open || box.hidden) return;
    this.announced = story;
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
          button.textContent = `step ${i + 1}: = ${valueText(touch.value(flat - touch.first))}, by ${this.who(touch.thread)} at ${placeText(step.place)}`;
          button.addEventListener("click", () => this.go(i + 1));
          const read = reads.get(touch.thread) || [], most = 40;
          from.className = "reads";
          from.textContent = read.length === 0 ? "before that its thread read no memory"
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

  // The step of a party of a finding in this launch; null if it was not recorded.
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
  // The two accesses of a race: accesses to the same element between the same two barriers of a block.
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
  // A barrier has no access. So this finds the phase that ends with threads at the barrier's line.
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
    if (target.launch !== this.launchNumber || target.block !== this.blockNumber) {
      this.enter(target.launch, target.block);
      this.offerBlocks();
    }
    seen.forEach((one, i) => {
      if (one && one.thread >= 0 && one.launch === target.launch && one.block === target.block) this.marked.set(one.thread, "AB"[i] || "C");
    });
    if (target.array !== undefined) this.chosen = { array: target.array, flat: target.flat };
    this.order();
    this.go(target.time);
  },

  // ---- moving

  isShown(step) {
    return this.isGrid() || (this.thread >= 0 ? this.has(step, this.thread) : this.warp < 0 || step.warp === this.warp);
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
  // Switches between a block and the whole grid. From a block, the grid is shown as it is after that block.
  turnToGrid() {
    const grid = this.isGrid(), step = this.step(), block = grid ? (step ? step.warp : 0) : this.blockNumber;
    this.enter(this.launchNumber, grid ? block : GRID);
    this.offerBlocks();
    this.go(grid ? 0 : this.block.phases[block].end);
  },
  nextWarp(all) {
    if (this.isGrid()) return;
    const count = Math.ceil(threadsOf(this.launch) / warpWidth);
    this.chooseWarp(all ? -1 : (this.warp + 1) % count);
  },
  chooseWarp(warp) {
    element("warp").value = this.warp = warp;
    this.chooseThread(-1);
  },
  // Selects a thread, and its warp. -1 selects no thread.
  chooseThread(thread) {
    if (thread >= 0) element("warp").value = this.warp = Math.floor(thread / warpWidth);
    this.thread = thread;
    this.offerThreads();
    this.show(new Set());
  },
  nextThread(none) {
    if (this.isGrid()) return;
    const warp = Math.max(this.warp, 0), lane = this.thread < 0 ? 0 : (this.thread + 1) % warpWidth % this.lanesIn(warp);
    this.chooseThread(none ? -1 : warp * warpWidth + lane);
  },

  // ---- choices

  offerBlocks() {
    const select = element("block");
    select.replaceChildren(new Option("all, one by one", GRID), ...this.launch.blocks.map((block, i) => new Option(point(block.block) + (block.cut ? " (its beginning)" : ""), i)));
    select.value = this.blockNumber;
    const warps = Math.ceil(threadsOf(this.launch) / warpWidth);
    element("warp").replaceChildren(new Option("all warps", -1), ...Array.from({ length: warps }, (_, w) => new Option("warp " + w, w)));
    element("warp").value = this.warp = this.warp < warps ? this.warp : -1;
    this.offerThreads();
  },
  // Lists the threads of the selected warp.
  offerThreads() {
    const select = element("thread"), warp = this.warp;
    if (this.thread >= threadsOf(this.launch)) this.thread = -1;
    const threads = warp < 0 ? [] : Array.from({ length: this.lanesIn(warp) }, (_, lane) => warp * warpWidth + lane);
    select.replaceChildren(new Option(warp < 0 ? "any" : "the whole warp", -1), ...threads.map(thread => new Option(point(threadPoint(this.launch, thread)), thread)));
    select.value = this.thread;
    select.disabled = this.isGrid() || warp < 0;
  }
};

// ---- controls -------------------------------------------------------------------------------------------------------

const grids = trace.arrays.map((_, i) => new Grid(i));

function words() {
  const launch = trace.launches[0], args = trace.args.join(" ");
  const run = trace.program ? (args && `${trace.program} ${args}: `) : `${trace.solution ? "The solution, case" : "Case"} ${trace.case}${args ? ` (${args})` : ""}: `;
  element("about").textContent = run +
    `${launch.kernel}<<<${point(launch.grid)}, ${point(launch.block)}>>>${trace.launches_in_all > 1 ? ` and ${counted(trace.launches_in_all - 1, "more launch", "more launches")}` : ""}, in emulation. ${trace.left_out.join(" ")}`;
  const output = trace.arrays.find(array => array.output && array.wrong), errors = trace.findings.filter(f => f.error).length;
  const verdict = element("verdict");
  if (output && output.wrong.length)
    verdict.textContent = `${output.wrong.length} of ${output.expected.length} elements of ${nameOf(output)} are wrong, ${elementName(output, output.wrong[0])} first.`;
  else if (trace.verdict && trace.verdict !== "passed" && trace.verdict !== "finding")
    verdict.textContent = trace.message[0].toUpperCase() + trace.message.slice(1);
  else if (trace.end) verdict.textContent = `The program ${trace.end}.`;
  else if (trace.right === null) verdict.textContent = errors ? `The checker found ${counted(errors, "mistake")}:` : "The checker found no mistake. It can’t know whether the result is right.";
  else if (!trace.right) verdict.textContent = "The result is wrong.";
  else verdict.textContent = errors ? "The result is right, but only by luck:" : "The result is right, and the checker found no mistake.";
  verdict.className = (trace.verdict ? trace.verdict === "passed" : !trace.end && !errors) ? "good" : "bad";
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

// The place at which the page begins if there is no mistake. It is after the step with the worst bank
// conflicts. Without conflicts, it is where warps first diverge, provided that several lanes take most steps
// of the line, since a single thread that stores a result costs little. Otherwise it is the beginning of the
// block.
function dearest() {
  let time = 0, worst = 0;
  const widest = new Map(), lines = new Map();
  player.block.steps.forEach((step, i) => {
    if (step.does > ATOMIC) return;
    // Inactive lanes beyond the edge of an array don't count.
    const before = widest.get(step.warp) || 0, { file, line } = trace.places[step.place], key = file + ":" + line;
    widest.set(step.warp, Math.max(before, step.lanes.length));
    const sum = lines.get(key) || { steps: 0, parted: 0, first: 0, warps: new Set() };
    ++sum.steps;
    if (step.lanes.length < before) {
      if (++sum.parted === 1) sum.first = i + 1;
      sum.warps.add(step.warp);
    }
    lines.set(key, sum);
    if (!trace.arrays[step.array].shared) return;
    const cost = costOf(step), more = cost.wavefronts - cost.least;
    if (more > worst) [worst, time] = [more, i + 1];
  });
  if (time > 0) return time;
  const [most] = [...lines.values()].filter(sum => 2 * sum.parted > sum.steps && sum.warps.size > 1).sort((a, b) => b.parted - a.parted);
  return most ? most.first : 0;
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
  // The page begins at the mistake.
  const first = trace.findings.findIndex(finding => finding.error);
  const output = trace.arrays.findIndex(array => array.wrong && array.wrong.length);
  if (first >= 0) {
    player.showFinding(first);
    player.offerBlocks();
  } else if (output >= 0) {
    const flat = trace.arrays[output].wrong[0];
    let b = player.launch.blocks.findIndex((_, i) => blockAt(l, i).steps.some(step => step.does !== READ && step.does <= ATOMIC && step.array === output && step.touches.some(touch => touch.first === flat)));
    if (b < 0) b = player.launch.blocks.length - 1;  // no block wrote it, so show the memory after all blocks
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
  element("thread-grid").addEventListener("click", event => {
    player.stop();
    if (!player.isGrid()) {
      const thread = threadAt(event);
      return player.chooseThread(thread === player.thread ? -1 : thread);
    }
    const block = gridPicture.at(event);
    if (block < 0) return;
    player.enter(player.launchNumber, block);
    player.offerBlocks();
    player.go(0);
  });
  element("warp").addEventListener("change", () => player.chooseWarp(Number(element("warp").value)));
  element("thread").addEventListener("change", () => player.chooseThread(Number(element("thread").value)));
  element("lanes").addEventListener("toggle", drawAccess);
  element("element-story").parentElement.addEventListener("toggle", () => player.describeElement());
  const faster = by => {
    const select = element("speed");
    select.selectedIndex = Math.min(Math.max(select.selectedIndex + by, 0), select.options.length - 1);
  };
  const keys = {
    ArrowRight: does.on, ArrowLeft: does.back, PageDown: does["barrier-on"], PageUp: does["barrier-back"],
    Home: () => player.go(0), End: () => player.go(player.block.steps.length), " ": does.play,
    w: () => player.nextWarp(false), W: () => player.nextWarp(true), t: () => player.nextThread(false), T: () => player.nextThread(true), b: () => player.nextBlock(), g: () => player.turnToGrid(),
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
