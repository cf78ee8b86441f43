// Plays a film: unpacks it from the page, draws it with WebGL2, and handles buttons, keys, mouse and touch.
// film.hpp describes the packed format. The parts of this file are the film, the drawing, the view, the time,
// and the controls.
"use strict";

const element = id => document.getElementById(id);
const film = JSON.parse(element("film-head").textContent);
const side = film.high.map((high, axis) => high - film.low[axis]);
const number = (value, digits = 3) => value.toLocaleString("en", { maximumSignificantDigits: digits });
const perTime = film.seconds > 0 ? "a second" : "a frame";

// Shows an error message in place of the picture.
function trouble(sentence) {
  element("trouble").textContent = sentence;
  element("trouble").hidden = false;
}

// ---- the film -------------------------------------------------------------------------------------------------------

const perFrame = 3 * film.points;
let coordinates = new Uint16Array(0);
let loaded = 0;  // frames that are unpacked

// Decodes bytes of the page's text: base64, then zlib.
function unpacked() {
  const text = element("film-data").textContent, step = 1 << 20;
  element("film-data").remove();
  let at = 0;
  const packed = new ReadableStream({
    pull(controller) {
      if (at >= text.length) return controller.close();
      const part = atob(text.slice(at, at += step));
      const bytes = new Uint8Array(part.length);
      for (let i = 0; i < bytes.length; ++i) bytes[i] = part.charCodeAt(i);
      controller.enqueue(bytes);
    }
  });
  const reader = packed.pipeThrough(new DecompressionStream("deflate")).getReader();
  let rest = new Uint8Array(0), from = 0, pause = performance.now() + 30;
  return async function take(bytes, length) {
    for (let filled = 0; filled < length;) {
      if (from === rest.length) {
        const next = await reader.read();
        if (next.done) throw new Error("the film ends early");
        rest = next.value;
        from = 0;
      }
      const count = Math.min(length - filled, rest.length - from);
      bytes.set(rest.subarray(from, from + count), filled);
      filled += count;
      from += count;
    }
    if (performance.now() > pause) {  // shows the frames so far
      await new Promise(go => setTimeout(go));
      pause = performance.now() + 30;
    }
  };
}

// Restores a frame's numbers from their differences to a prediction: zero, the previous frame, or a straight
// line through the two previous frames.
function restore(frame, kind, bytes) {
  const at = frame * perFrame, one = kind > 0 ? at - perFrame : 0, two = kind > 1 ? one - perFrame : 0;
  for (let i = 0; i < perFrame; ++i) {
    const folded = bytes[i] | bytes[perFrame + i] << 8;  // 0, -1, 1, -2, … as 0, 1, 2, 3, …
    const predicted = kind === 0 ? 0 : kind === 1 ? coordinates[one + i] : 2 * coordinates[one + i] - coordinates[two + i];
    coordinates[at + i] = predicted + (folded >>> 1 ^ -(folded & 1));
  }
}

async function load() {
  coordinates = new Uint16Array(perFrame * film.frames);
  const take = unpacked();
  const obstacles = new Uint8Array(16 * film.obstacles);
  await take(obstacles, obstacles.length);
  player.showObstacles(new Float32Array(obstacles.buffer));
  const kind = new Uint8Array(1), bytes = new Uint8Array(2 * perFrame);
  for (let frame = 0; frame < film.frames; ++frame) {
    await take(kind, 1);
    await take(bytes, bytes.length);
    restore(frame, kind[0], bytes);
    loaded = frame + 1;
    if (frame === 0) player.show();
  }
}

// ---- drawing --------------------------------------------------------------------------------------------------------

// Colours from slow to fast grow lighter, so that readers without colour vision can tell them apart. Islands
// have colours that colour-blind readers can distinguish.
const ramp = [[0.23, 0.42, 0.87], [0.16, 0.63, 0.71], [0.56, 0.82, 0.42], [0.99, 0.91, 0.33]];
const islandColours = [
  [0.90, 0.62, 0.00], [0.34, 0.71, 0.91], [0.00, 0.62, 0.45], [0.94, 0.89, 0.26],
  [0.20, 0.50, 0.85], [0.84, 0.37, 0.00], [0.80, 0.47, 0.65], [1.00, 1.00, 1.00]];
const plain = [0.55, 0.78, 1.00];
const css = colour => `rgb(${colour.map(part => Math.round(255 * part)).join(" ")})`;

// A sphere is drawn as a square that faces the eye and has the sphere's apparent size. For each pixel, the
// shader computes where its ray meets the sphere. Small spheres are drawn as points, the fastest kind of
// square, and large spheres as two triangles. `from` and `to` are two frames, with coordinates from 0 to 1 in
// the box.
const sphereVertex = `#version 300 es
layout(location=0) in vec3 from;
layout(location=1) in vec3 to;
layout(location=2) in float radius;
uniform mat4 view, projection;
uniform vec3 low, side, plain, ramp[4], islands[8];
uniform float between, fastest, pixel, least;
uniform int colouring, island, only;   // colouring: 0 speed, 1 island, 2 plain, 3 obstacles; island: shown alone
uniform bool flatView, points, goal;   // goal: the first obstacle is the goal of the points
flat out vec3 centre, colour;
flat out float size;
void main() {
  centre = (view * vec4(low + side * mix(from, to, between), 1)).xyz;
  float far = flatView ? 1.0 : length(centre);
  size = max(radius, least * pixel * far);   // a point without a size is a dot
  int group = colouring == 3 ? 0 : (points ? gl_VertexID : gl_InstanceID) / island;
  float pace = clamp(length((to - from) * side) / fastest, 0.0, 1.0) * 3.0;
  int stop = min(int(pace), 2);
  colour = colouring == 0 ? mix(ramp[stop], ramp[stop + 1], pace - float(stop)) : colouring == 1 ? islands[group % 8] : plain;
  if (colouring == 3 && goal && gl_InstanceID == 0) colour = vec3(1.0, 0.25, 0.2);
  vec3 place = centre;
  if (points) {
    gl_PointSize = 2.0 + 2.0 * size / pixel * (flatView ? 1.0 : far / (centre.z * centre.z));
  } else {
    vec3 ahead = flatView ? vec3(0, 0, -1) : centre / far;
    vec3 right = normalize(cross(ahead, vec3(0, 1, 0))), up = cross(right, ahead);
    float reach = flatView ? size : size * far / sqrt(max(far * far - size * size, 1e-4 * far * far));
    place += reach * (right * float(2 * (gl_VertexID & 1) - 1) + up * float((gl_VertexID & 2) - 1));
  }
  gl_Position = only >= 0 && colouring != 3 && group != only ? vec4(2, 2, 2, 1) : projection * vec4(place, 1);
}`;
const sphereFragment = `#version 300 es
precision highp float;
precision highp int;
uniform mat4 projection;
uniform vec2 spread, screen;   // half of the picture's size at distance 1; its pixels
uniform int colouring;
uniform bool flatView;
flat in vec3 centre, colour;
flat in float size;
out vec4 shade;
void main() {
  vec2 aim = (2.0 * gl_FragCoord.xy / screen - 1.0) * spread;
  vec3 start = flatView ? vec3(aim, 0) : vec3(0), ray = flatView ? vec3(0, 0, -1) : normalize(vec3(aim, -1));
  float nearest = dot(centre - start, ray);
  vec3 aside = centre - start - ray * nearest;
  float inside = size * size - dot(aside, aside);
  if (inside < 0.0) discard;
  vec3 hit = start + ray * (nearest - sqrt(inside)), normal = (hit - centre) / size;
  gl_FragDepth = clamp(0.5 + 0.5 * (projection[2][2] * hit.z + projection[3][2]) / (flatView ? 1.0 : -hit.z), 0.0, 1.0);
  float light = 0.45 + 0.55 * max(dot(normal, normalize(vec3(-0.4, 0.7, 0.6))), 0.0);
  float rim = 1.0 - abs(dot(normal, ray));
  shade = colouring == 3 ? vec4(colour * light, 0.35 + 0.55 * rim * rim) : vec4(colour * light, 1);
}`;
const lineVertex = `#version 300 es
layout(location=0) in vec3 point;
uniform mat4 view, projection;
void main() { gl_Position = projection * view * vec4(point, 1); }`;
const lineFragment = `#version 300 es
precision mediump float;
uniform vec4 colour;
out vec4 pixel;
void main() { pixel = colour; }`;

// The lines of the box's edges, and of a grid on its floor.
function wallLines() {
  const { low, high } = film, out = [];
  const corner = bits => [0, 1, 2].map(axis => bits >> axis & 1 ? high[axis] : low[axis]);
  for (let bits = 0; bits < 8; ++bits)
    for (let axis = 0; axis < 3; ++axis)
      if (!(bits >> axis & 1)) out.push(...corner(bits), ...corner(bits | 1 << axis));
  const edges = out.length / 3;
  for (let i = 1; i < 10 && !film.flat; ++i) {
    const x = low[0] + side[0] * i / 10, z = low[2] + side[2] * i / 10;
    out.push(x, low[1], low[2], x, low[1], high[2], low[0], low[1], z, high[0], low[1], z);
  }
  return { data: new Float32Array(out), edges, all: out.length / 3 };
}

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.obstacles = new Float32Array(0);
    this.begin();
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => { this.begin(); player.show(); });
  }

  begin() {
    const gl = this.gl = this.canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (!gl) throw new Error("This browser draws no WebGL2, which the film needs. Switch on hardware acceleration in its settings, or open this file in another browser.");
    this.spheres = this.program(sphereVertex, sphereFragment);
    this.lines = this.program(lineVertex, lineFragment);
    this.frames = [0, 1].map(() => ({ buffer: gl.createBuffer(), frame: -1 }));
    this.walls = wallLines();
    this.wallBuffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.wallBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.walls.data, gl.STATIC_DRAW);
    this.obstacleBuffer = gl.createBuffer();
    this.setObstacles(this.obstacles);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.clearColor(0.063, 0.078, 0.102, 1);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error("The graphics driver refuses the film's shaders: " + gl.getProgramInfoLog(program));
    const places = new Map();
    const at = name => {
      if (!places.has(name)) places.set(name, gl.getUniformLocation(program, name));
      return places.get(name);
    };
    return { program, at };
  }

  setObstacles(obstacles) {
    this.obstacles = obstacles;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.obstacleBuffer);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, obstacles, this.gl.STATIC_DRAW);
  }

  // Uploads a frame to one of the two buffers, unless the buffer has it.
  lay(slot, frame, each) {
    const gl = this.gl;
    if (slot === 0 && this.frames[1].frame === frame) this.frames.reverse();
    const held = this.frames[slot];
    gl.bindBuffer(gl.ARRAY_BUFFER, held.buffer);
    if (held.frame !== frame) gl.bufferData(gl.ARRAY_BUFFER, coordinates.subarray(frame * perFrame, (frame + 1) * perFrame), gl.STREAM_DRAW);
    held.frame = frame;
    this.attribute(slot, 3, gl.UNSIGNED_SHORT, 6, 0, each);
  }

  // @param each 1 if the attribute belongs to each sphere, 0 if it belongs to each corner or point
  attribute(location, count, type, stride, offset, each = 1) {
    const gl = this.gl;
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, count, type, type !== gl.FLOAT, stride, offset);
    gl.vertexAttribDivisor(location, each);
  }

  // @param first, second two frames @param between the position between them, from 0 to 1
  draw(first, second, between, look) {
    const gl = this.gl, { canvas } = this;
    const ratio = Math.min(devicePixelRatio || 1, 2), width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    gl.viewport(0, 0, width, height);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const eye = look.matrices(width / height, height);

    if (film.walls) {
      gl.useProgram(this.lines.program);
      gl.uniformMatrix4fv(this.lines.at("view"), false, eye.view);
      gl.uniformMatrix4fv(this.lines.at("projection"), false, eye.projection);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.wallBuffer);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(0, 0);
      gl.disableVertexAttribArray(1);
      gl.disableVertexAttribArray(2);
      gl.uniform4f(this.lines.at("colour"), 0.62, 0.67, 0.74, 1);
      gl.drawArrays(gl.LINES, 0, this.walls.edges);
      gl.uniform4f(this.lines.at("colour"), 0.22, 0.26, 0.31, 1);
      gl.drawArrays(gl.LINES, this.walls.edges, this.walls.all - this.walls.edges);
    }

    const { at, program } = this.spheres;
    gl.useProgram(program);
    gl.uniformMatrix4fv(at("view"), false, eye.view);
    gl.uniformMatrix4fv(at("projection"), false, eye.projection);
    gl.uniform1i(at("flatView"), film.flat);
    gl.uniform3fv(at("low"), film.low);
    gl.uniform3fv(at("side"), side);
    gl.uniform1f(at("between"), between);
    gl.uniform1f(at("fastest"), film.fastest);
    gl.uniform2f(at("screen"), width, height);
    gl.uniform2f(at("spread"), eye.pixel * width / 2, eye.pixel * height / 2);
    gl.uniform1f(at("pixel"), eye.pixel);
    gl.uniform1f(at("least"), (film.radius > 0 ? 1.5 : 2.5) * ratio);
    gl.uniform1i(at("colouring"), { speed: 0, island: 1, plain: 2 }[look.colour]);
    gl.uniform1i(at("island"), film.points / film.groups);
    gl.uniform1i(at("only"), look.only);
    gl.uniform3fv(at("plain"), plain);
    gl.uniform3fv(at("ramp"), ramp.flat());
    gl.uniform3fv(at("islands"), islandColours.flat());
    const small = 2 * film.radius / eye.pixel / eye.nearest < 100;  // pixels; points end at some size, and where their middle is out of sight
    gl.uniform1i(at("points"), small);
    this.lay(0, first, small ? 0 : 1);
    this.lay(1, second, small ? 0 : 1);
    gl.disableVertexAttribArray(2);
    gl.vertexAttrib1f(2, film.radius);
    if (small) gl.drawArrays(gl.POINTS, 0, film.points);
    else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, film.points);

    if (this.obstacles.length === 0) return;
    gl.enable(gl.BLEND);
    gl.depthMask(false);  // so that points after an obstacle stay visible through it
    gl.uniform3f(at("low"), 0, 0, 0);
    gl.uniform3f(at("side"), 1, 1, 1);
    gl.uniform1i(at("colouring"), 3);
    gl.uniform1i(at("points"), false);
    gl.uniform3f(at("plain"), 0.80, 0.82, 0.86);
    gl.uniform1i(at("goal"), film.goal);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.obstacleBuffer);
    this.attribute(0, 3, gl.FLOAT, 16, 0);
    this.attribute(1, 3, gl.FLOAT, 16, 0);
    this.attribute(2, 1, gl.FLOAT, 16, 12);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.obstacles.length / 4);
  }
}

// ---- the view -------------------------------------------------------------------------------------------------------

const opening = 0.6;  // radians, from the picture's lower edge to its upper one

class Look {
  constructor() {
    this.colour = film.groups > 1 ? "island" : film.frames > 1 ? "speed" : "plain";
    this.only = -1;
    this.reset();
  }
  reset() {
    this.turn = film.flat ? 0 : 0.55;
    this.tilt = film.flat ? 0 : 0.3;
    this.zoom = 1;
    this.shift = [0, 0];
  }
  // Rotates the view by pixels of the picture; moves a flat picture.
  drag(dx, dy, height) {
    if (film.flat) {
      const step = 2 * this.half / height;
      this.shift = [this.shift[0] - dx * step, this.shift[1] + dy * step];
    } else {
      this.turn += dx * 0.008;
      this.tilt = Math.max(-1.55, Math.min(1.55, this.tilt + dy * 0.008));
    }
  }
  nearer(factor) { this.zoom = Math.max(0.2, Math.min(200, this.zoom * factor)); }

  // Computes the matrices. In the result, `pixel` is the size of a pixel at distance 1 (in a flat picture:
  // anywhere), and `nearest` is the smallest distance.
  matrices(aspect, height) {
    const middle = film.low.map((low, axis) => low + side[axis] / 2), reach = Math.hypot(...side) / 2;
    if (film.flat) {
      const half = this.half = Math.max(side[1] / 2, side[0] / 2 / aspect) * 1.04 / this.zoom;
      const [x, y] = [middle[0] + this.shift[0], middle[1] + this.shift[1]], depth = 2 * reach;
      return {
        view: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -middle[2] - depth, 1],
        projection: [1 / half / aspect, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -1 / depth, 0, 0, 0, -1, 1],
        pixel: 2 * half / height,
        nearest: 1
      };
    }
    const distance = 0.98 * reach / Math.sin(Math.atan(Math.tan(opening / 2) * Math.min(1, aspect))) / this.zoom;
    const [ct, st, cp, sp] = [Math.cos(this.turn), Math.sin(this.turn), Math.cos(this.tilt), Math.sin(this.tilt)];
    const rows = [[ct, 0, -st], [-st * sp, cp, -ct * sp], [st * cp, sp, ct * cp]];
    const moved = rows.map(row => -row.reduce((sum, part, axis) => sum + part * middle[axis], 0));
    const near = Math.max(distance - 1.5 * reach, reach / 500), far = distance + 1.5 * reach, focus = 1 / Math.tan(opening / 2);
    return {
      view: [...[0, 1, 2].flatMap(column => [...rows.map(row => row[column]), 0]), moved[0], moved[1], moved[2] - distance, 1],
      projection: [focus / aspect, 0, 0, 0, 0, focus, 0, 0, 0, 0, -(far + near) / (far - near), -1, 0, 0, -2 * far * near / (far - near), 0],
      pixel: 2 * Math.tan(opening / 2) / height,
      nearest: near
    };
  }
}

// ---- time -----------------------------------------------------------------------------------------------------------

const rates = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480];  // frames of the film per second

const player = {
  at: 0,  // number of the frame, with a fraction
  playing: false,
  rate: 60,
  waiting: 0,
  past: 0,
  spent: { frames: 0, script: 0, whole: 0, worst: 0 },  // ms, since the film was last started
  loadedIn: 0,

  last() { return Math.max(0, loaded - 1); },
  frame() { return Math.round(this.at); },
  showObstacles(obstacles) { if (this.picture) this.picture.setObstacles(obstacles); },

  // Requests that the picture is drawn again at the screen's next frame.
  show() {
    if (!this.waiting) this.waiting = requestAnimationFrame(now => this.next(now));
  },
  next(now) {
    this.waiting = 0;
    const began = performance.now();
    if (this.playing) {
      const gap = this.past ? now - this.past : 0;
      this.past = now;
      this.advance(Math.min(gap, 250) / 1000 * this.rate);
      if (gap > 0) this.count(gap);
    }
    if (loaded > 0 && this.picture) {
      const first = Math.max(0, Math.min(Math.floor(this.at), loaded - 2));
      this.picture.draw(first, Math.min(first + 1, this.last()), loaded > 1 ? this.at - first : 0, this.look);
      describe(this.frame(), now);
    }
    this.spent.script += this.playing ? performance.now() - began : 0;
    if (this.playing) this.show();
  },
  advance(frames) {
    this.at += frames;
    if (this.at < this.last()) return;
    if (loaded < film.frames) this.at = this.last();  // other frames are still being unpacked
    else if (element("loop").checked && film.frames > 1) this.at %= this.last();
    else {
      this.at = this.last();
      this.play(false);
    }
  },
  count(gap) {
    const { spent } = this;
    spent.frames += 1;
    spent.whole += gap;
    spent.worst = Math.max(spent.worst, gap);
  },
  play(on) {
    if (on && this.at >= this.last() && loaded === film.frames) this.at = 0;
    this.playing = on;
    this.past = 0;
    if (on) this.spent = { frames: 0, script: 0, whole: 0, worst: 0 };
    element("play").textContent = on ? "Pause" : "Play";
    describe.due = 0;
    this.show();
  },
  go(frame) {
    this.at = Math.max(0, Math.min(this.last(), frame));
    describe.due = 0;
    this.show();
  }
};

// Updates the position, the slider and the words below the picture. The words change only a few times a
// second.
function describe(frame, now) {
  const time = film.seconds > 0 ? `, ${number(frame * film.seconds, 4)} s` : "";
  const place = `${number(frame + 1, 9)} of ${number(film.frames, 9)}${time}`;
  element("place").textContent = place;
  element("frame").value = frame;
  element("frame").setAttribute("aria-valuetext", "frame " + place);
  if (now < describe.due) return;
  describe.due = now + 250;
  const [mean, most] = speeds(frame);
  element("now").textContent = film.frames > 1 ? `Points move ${number(mean)} ${perTime} on average, the fastest ${number(most)}.` : "";
  const { frames, script, whole, worst } = player.spent;
  element("speed").textContent = (player.loadedIn ? `Loaded in ${number(player.loadedIn / 1000)} s. ` : "") +
    (frames > 20 ? `${number(1000 * frames / whole)} pictures a second; of ${number(whole / frames)} ms each takes ${number(script / frames)} ms of script, the slowest picture came after ${number(worst)} ms.` : "");
}
describe.due = 0;

// How far each point moves to the next frame (at the last frame, from the previous one). If the time of a
// frame is known, per second.
function speeds(frame) {
  const from = Math.max(0, Math.min(frame, loaded - 2)) * perFrame, to = Math.min(from + perFrame, player.last() * perFrame);
  const scale = side.map(length => length / 65535 / (film.seconds || 1));
  let sum = 0, most = 0;
  for (let i = 0; i < perFrame; i += 3) {
    const x = (coordinates[to + i] - coordinates[from + i]) * scale[0], y = (coordinates[to + i + 1] - coordinates[from + i + 1]) * scale[1],
      z = (coordinates[to + i + 2] - coordinates[from + i + 2]) * scale[2], speed = Math.sqrt(x * x + y * y + z * z);
    sum += speed;
    if (speed > most) most = speed;
  }
  return [sum / film.points, most];
}

// ---- controls -------------------------------------------------------------------------------------------------------

const say = words => { element("said").textContent = words; };

function legend() {
  const box = element("legend"), { colour } = player.look;
  box.replaceChildren();
  const add = (kind, text, style) => {
    const span = document.createElement("span");
    if (style) {
      const mark = document.createElement("span");
      mark.className = kind;
      Object.assign(mark.style, style);
      span.append(mark);
    }
    span.append(text);
    box.append(span);
    return span;
  };
  if (colour === "speed") {
    add("", "at rest");
    const bar = add("", "");
    bar.className = "ramp";
    bar.style.background = `linear-gradient(90deg, ${ramp.map(css).join(", ")})`;
    add("", `${number(film.fastest / (film.seconds || 1))} ${perTime} and more`);
  } else if (colour === "island") {
    for (let i = 0; i < Math.min(film.groups, 8); ++i) add("swatch", `island ${i + 1}`, { background: css(islandColours[i]) });
    if (film.groups > 8) add("", "and again from the first colour");
  } else {
    add("swatch", "a point", { background: css(plain) });
  }
  const obstacles = film.obstacles - film.goal;
  if (film.goal) add("swatch", "what they look for", { background: "rgb(255 64 51)" });
  if (obstacles > 0) add("swatch", obstacles === 1 ? "the obstacle" : `${number(obstacles, 9)} obstacles`, { background: "rgb(160 164 172 / .6)" });
}

function choose(select, values, words, chosen) {
  element(select).replaceChildren(...values.map((value, i) => new Option(words[i], value, false, value === chosen)));
}

function setColour(colour) {
  player.look.colour = colour;
  element("colour").value = colour;
  legend();
  player.show();
}
function setRate(rate) {
  player.rate = rate;
  element("rate").value = rate;
}

function step(frames) {
  player.play(false);
  player.go(player.frame() + frames);
}
function pause(words) {
  player.play(false);
  say(words);
}
function toggle() {
  if (player.playing) pause(`Paused at frame ${player.frame() + 1} of ${film.frames}.`);
  else {
    player.play(true);
    say("Playing.");
  }
}

const colours = () => [...element("colour").options].map(option => option.value);
const view = change => () => {
  change();
  player.show();
};
const turned = (dx, dy) => view(() => player.look.drag(dx, dy, element("picture").clientHeight));
const nearer = view(() => player.look.nearer(1.25)), farther = view(() => player.look.nearer(0.8)), home = view(() => player.look.reset());
const otherRate = way => () => {
  setRate(rates[Math.max(0, Math.min(rates.length - 1, rates.indexOf(player.rate) + way))]);
  say(`${player.rate} frames a second.`);
};
const tenth = Math.max(1, Math.round(film.frames / 10));
const keys = {
  " ": toggle, ArrowLeft: () => step(-1), ArrowRight: () => step(1), PageUp: () => step(-tenth), PageDown: () => step(tenth),
  Home: () => step(-film.frames), End: () => step(film.frames), ",": otherRate(-1), ".": otherRate(1),
  "+": nearer, "=": nearer, "-": farther, "0": home,
  c: () => {
    const all = colours();
    setColour(all[(all.indexOf(player.look.colour) + 1) % all.length]);
    say(`Coloured by ${player.look.colour}.`);
  }
};
const shiftedKeys = { ArrowLeft: turned(-40, 0), ArrowRight: turned(40, 0), ArrowUp: turned(0, -40), ArrowDown: turned(0, 40), "+": nearer };
// A key that the focused control handles itself is not handled here.
const ownKeys = { SELECT: /./, BUTTON: /^( |Enter)$/, SUMMARY: /^( |Enter)$/, INPUT: /^( |Arrow.*|Home|End|Page.*)$/ };

function control() {
  element("play").addEventListener("click", toggle);
  element("frame").addEventListener("input", event => {
    player.play(false);
    player.go(Number(event.target.value));
  });
  element("rate").addEventListener("change", event => setRate(Number(event.target.value)));
  element("colour").addEventListener("change", event => setColour(event.target.value));
  element("island").addEventListener("change", event => {
    player.look.only = Number(event.target.value);
    player.show();
  });
  element("nearer").addEventListener("click", nearer);
  element("farther").addEventListener("click", farther);
  element("home").addEventListener("click", home);
  addEventListener("resize", () => player.show());
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const turning = event.shiftKey && name in shiftedKeys;
    if (!turning && ownKeys[event.target.tagName]?.test(event.key)) return;
    const act = (event.shiftKey ? shiftedKeys : keys)[name];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const canvas = element("picture"), fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a[0] - b[0], a[1] - b[1]);
  };
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
  });
  canvas.addEventListener("pointermove", event => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    const before = fingers.size === 2 ? spread() : 0;
    fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (fingers.size === 1) turned(event.clientX - was[0], event.clientY - was[1])();
    if (before > 0) view(() => player.look.nearer(spread() / before))();
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, event => fingers.delete(event.pointerId));
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    view(() => player.look.nearer(Math.exp(-event.deltaY * 0.0015)))();
  }, { passive: false });
}

function begin() {
  player.look = new Look();
  element("frame").max = film.frames - 1;
  const fitting = Math.max(2, Math.min(60, film.frames / 8));  // a short film lasts some seconds
  player.rate = rates.findLast(rate => rate <= fitting);
  choose("rate", rates, rates.map(String), player.rate);
  const possible = ["speed", "island", "plain"].filter(one => (one !== "speed" || film.frames > 1) && (one !== "island" || film.groups > 1));
  choose("colour", possible, possible.map(one => ({ speed: "by speed", island: "by island", plain: "all alike" })[one]), player.look.colour);
  element("islands").hidden = film.groups < 2;
  const islands = [...Array(Math.min(film.groups, 1000)).keys()];
  choose("island", [-1, ...islands], ["all islands", ...islands.map(i => `island ${i + 1}`)], -1);
  if (film.flat) for (const one of document.querySelectorAll("#controls .turns")) one.hidden = true;
  legend();
  control();
}

async function run() {
  const began = performance.now();
  begin();
  if (typeof DecompressionStream === "undefined") return trouble("This browser is too old to unpack the film: open this file in a current Firefox, Chromium, Chrome, Edge or Safari.");
  try {
    player.picture = new Picture(element("picture"));
  } catch (error) {
    return trouble(error.message);
  }
  try {
    const whole = load();
    if (film.frames > 1 && !matchMedia("(prefers-reduced-motion: reduce)").matches) player.play(true);
    await whole;
    player.loadedIn = performance.now() - began;
    player.show();
  } catch (error) {
    trouble(error instanceof RangeError ? "This browser has no memory for the film: take fewer frames, with grader view --every." : "This page is damaged: copy it again, or make it anew.");
  }
}
run();
