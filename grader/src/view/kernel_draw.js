// The drawings of a kernel's page: arrays, threads, the access of a warp, and the source with its lines' costs.

// ---- drawing --------------------------------------------------------------------------------------------------------

// Eight colours that colour-blind readers can distinguish (Okabe and Ito). Black is replaced by a dark grey,
// on which text is readable. Warps after the eighth use the colours again.
const warpColours = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#444444"];
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

// An array as a grid of those elements that the selected block accesses.
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
    this.canvas.addEventListener("pointerleave", () => this.describe(-1));
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
  // Chooses the rows and columns to show.
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
    // Two small arrays are placed side by side if there is enough space.
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
    this.describe(flat);
    if (choose && flat !== -1) player.choose(this.number, flat);
  }
  move(by) {
    const [y, x] = this.cursor < 0 ? [0, 0] : [Math.floor(this.cursor / this.across), this.cursor % this.across];
    const [down, right] = by || [0, 0];
    const row = Math.min(Math.max(y + down, 0), this.rows - 1), column = Math.min(Math.max(x + right, 0), this.across - 1);
    this.cursor = row * this.across + column;
    this.draw();
    this.describe(this.flat(row, column));
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
  describe(flat) {
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
    if (clashing) said.push(`Red bars: ${counted(clashing, "element")} ${player.isGrid() ? "that one block writes and another touches, and nothing says who comes first" : "that one thread writes and another touches between the same two barriers"}.`);
    const errors = wrong ? [...wrong].filter(flat => player.isFinal(this.number, flat)).length : 0;
    if (errors) said.push(`Red corners: ${counted(errors, "element is", "elements are")} wrong.`);
    if (this.outside.length) said.push(`Below the array, under the red bar: ${this.outside.map(flat => elementName(this.array, flat)).slice(0, 4).join(", ")}${this.outside.length > 4 ? " …" : ""}, outside of it.`);
    if (this.cut) said.push("A part of it is shown.");
    this.summary = said.join(" ");
    if (!this.words.textContent || this.words.dataset.summary !== undefined) this.words.textContent = this.summary;
    this.words.dataset.summary = "";
  }
}

// The layout of the block's picture: the threads in a row, the number of rows, and the pixels for a thread.
function threadLayout() {
  const threads = threadsOf(player.launch), wide = player.launch.block[0] <= 32 ? player.launch.block[0] : 32;
  const rows = Math.ceil(threads / wide), room = Math.max(200, element("threads").clientWidth - 8);
  return { threads, wide, rows, size: Math.max(6, Math.min(22, Math.floor(room / wide), Math.floor(300 / rows))) };
}

// The thread at a position in the picture; -1 if there is none.
function threadAt(event) {
  const { threads, wide, size } = threadLayout(), box = element("thread-grid").getBoundingClientRect();
  const x = Math.floor((event.clientX - box.left - 1) / size), thread = Math.floor((event.clientY - box.top - 1) / size) * wide + x;
  return x >= 0 && x < wide && thread >= 0 && thread < threads ? thread : -1;
}

function drawThreads() {
  element("thread-story").hidden = player.thread < 0;
  if (player.isGrid()) return gridPicture.draw();
  const colours = style(), canvas = element("thread-grid"), { threads, wide, rows, size } = threadLayout();
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
    const marked = player.marked.get(thread), chosen = thread === player.thread;
    if (state === "active" || marked || chosen) {
      pen.strokeStyle = marked ? colours.bad : colours.ink;
      pen.lineWidth = marked || chosen ? 3 : 1.5;
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
  element("thread-story").textContent = player.thread < 0 ? "" : player.threadStory(states);
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
  if (player.isGrid()) return;
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
        for (const touch of step.touches)  // the bytes of the sector that were requested
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
    const reported = new Set(trace.findings.flatMap(f => f.parties.map(p => p.file + ":" + p.line)));
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
        if (reported.has(file + ":" + (i + 1))) line.classList.add("reported");
        this.lines.set(file + ":" + (i + 1), line);
        element("source").append(line);
      });
    }
  },
  // The cost of each line's accesses, in the block or in the grid.
  heat() {
    const all = new Map();
    for (const step of player.ownSteps()) {
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
