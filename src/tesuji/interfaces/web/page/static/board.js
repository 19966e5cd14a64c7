// The board: drawn in SVG, hovering and previews answered here, clicks told to the server.
// Points are numbered row-major from the top left, as everywhere in Tesuji.
const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const CELL = 40; // SVG units between two lines
const SMALL_CELL = 24; // CSS pixels below which a finger needs a second tap to confirm

export default {
  template: `
  <div class="goban" :class="[{ busy: !playable && !scoring, scoring, small: size > 13, flat: flatStones }, dress]">
    <svg class="goban-wood" :viewBox="viewBox" aria-hidden="true" preserveAspectRatio="none">
      <defs>
        <linearGradient id="wood" x1="0" y1="0" x2="1" y2="0.25">
          <stop offset="0" stop-color="#e2b676" /><stop offset="0.5" stop-color="#dcae6c" /><stop offset="1" stop-color="#d3a25e" />
        </linearGradient>
        <filter id="grain" x="0" y="0" width="100%" height="100%" color-interpolation-filters="sRGB">
          <feTurbulence type="fractalNoise" baseFrequency="0.0022 0.055" numOctaves="4" seed="7" />
          <feColorMatrix values="0 0 0 0 0.36  0 0 0 0 0.20  0 0 0 0 0.06  0.9 0.3 0 0 -0.5" />
        </filter>
      </defs>
      <rect :x="low" :y="low" :width="extent" :height="extent" fill="url(#wood)" />
      <rect :x="low" :y="low" :width="extent" :height="extent" filter="url(#grain)" opacity="0.38" />
    </svg>
    <svg ref="svg" class="goban-play" :viewBox="viewBox" role="img" tabindex="0" :aria-label="label" data-testid="board"
         @pointermove="move" @pointerleave="leave" @pointerup="release" @pointerdown="press" @keydown="key" @wheel="wheel">
      <defs>
        <radialGradient id="black-stone" cx="0.36" cy="0.3" r="0.8">
          <stop offset="0" stop-color="#6f6d6b" /><stop offset="0.25" stop-color="#3f3d3c" />
          <stop offset="0.65" stop-color="#1c1b1b" /><stop offset="1" stop-color="#0a0a0a" />
        </radialGradient>
        <radialGradient id="white-stone" cx="0.36" cy="0.3" r="0.85">
          <stop offset="0" stop-color="#ffffff" /><stop offset="0.45" stop-color="#f7f5f0" />
          <stop offset="0.8" stop-color="#dedad0" /><stop offset="1" stop-color="#bab5a8" />
        </radialGradient>
        <radialGradient id="stone-shadow">
          <stop offset="0.6" stop-color="#2a1703" stop-opacity="0.5" /><stop offset="0.85" stop-color="#2a1703" stop-opacity="0.2" />
          <stop offset="1" stop-color="#2a1703" stop-opacity="0" />
        </radialGradient>
        <g v-if="flatStones" id="black"><circle r="18.4" fill="#141312" stroke="#57534e" stroke-width="0.8" /></g>
        <g v-else id="black"><circle r="18.8" fill="url(#black-stone)" /></g>
        <g v-if="flatStones" id="white"><circle r="18.4" fill="#fbfaf7" stroke="#3b3833" stroke-width="1.2" /></g>
        <g v-else id="white"><circle r="18.8" fill="url(#white-stone)" /><circle r="18.5" fill="none" stroke="#8d8778" stroke-opacity="0.35" stroke-width="0.6" /></g>
      </defs>
      <path :d="lines" class="lines" />
      <rect x="0" y="0" :width="span" :height="span" class="frame" />
      <circle v-for="p in stars" :key="'s' + p" :cx="x(p)" :cy="y(p)" r="3.4" class="star" />
      <g v-if="coordinates" class="coordinates" aria-hidden="true" :font-size="size > 13 ? 15 : size > 9 ? 13 : 11">
        <template v-for="i in size" :key="'c' + i">
          <text :x="(i - 1) * 40" :y="-27">{{ letter(i - 1) }}</text>
          <text :x="(i - 1) * 40" :y="span + 28">{{ letter(i - 1) }}</text>
          <text :x="-31" :y="(i - 1) * 40">{{ size - i + 1 }}</text>
          <text :x="span + 31" :y="(i - 1) * 40">{{ size - i + 1 }}</text>
        </template>
      </g>
      <g v-if="crosshair !== null" class="crosshair">
        <line x1="0" :x2="span" :y1="y(crosshair)" :y2="y(crosshair)" /><line y1="0" :y2="span" :x1="x(crosshair)" :x2="x(crosshair)" />
      </g>
      <g class="heat"><circle v-for="h in heatMarks" :key="'h' + h.point" :cx="x(h.point)" :cy="y(h.point)" :r="h.radius" :fill-opacity="h.alpha" /></g>
      <g class="shadows"><circle v-for="p in shown" :key="'d' + p.point" :cx="x(p.point) + 1.6" :cy="y(p.point) + 3.2" r="21" fill="url(#stone-shadow)" :opacity="p.dead ? 0.3 : 1" /></g>
      <g class="stones">
        <use v-for="p in shown" :key="'t' + p.point" :href="'#' + p.color" :x="x(p.point)" :y="y(p.point)" :opacity="p.dead ? 0.42 : 1"
             :class="{ fresh: p.point === last }" :data-point="p.point" :data-color="p.color" />
      </g>
      <g class="hinted" :class="{ open: scoring }"><rect v-for="p in area" :key="'a' + p" :x="x(p) - 20" :y="y(p) - 20" width="40" height="40" /></g>
      <g class="owners">
        <rect v-for="o in ownerMarks" :key="'o' + o.point" :x="x(o.point) + o.aside - o.half" :y="y(o.point) + o.aside - o.half" :width="2 * o.half" :height="2 * o.half"
              :rx="1.5" :class="o.owner" :fill-opacity="o.alpha" :data-owner="o.owner" />
      </g>
      <g v-if="!preview.length" class="marks">
        <template v-for="m in allMarks" :key="'m' + m.point + m.kind">
          <circle v-if="m.kind === 'last'" :cx="x(m.point)" :cy="y(m.point)" r="8.6" fill="none" :stroke="inkOn(m.point)" stroke-width="2.2" class="last-move" :data-point="m.point" />
          <path v-else-if="m.kind === 'triangle'" :d="triangle(m.point)" fill="none" :stroke="markInk(m.point)" stroke-width="2.2" />
          <rect v-else-if="m.kind === 'square'" :x="x(m.point) - 8" :y="y(m.point) - 8" width="16" height="16" fill="none" :stroke="markInk(m.point)" stroke-width="2.2" />
          <circle v-else-if="m.kind === 'circle'" :cx="x(m.point)" :cy="y(m.point)" r="10" fill="none" :stroke="markInk(m.point)" stroke-width="2.2" />
          <path v-else-if="m.kind === 'cross'" :d="cross(m.point)" :stroke="markInk(m.point)" stroke-width="2.4" />
          <g v-else-if="m.kind === 'variation'" class="variation"><circle :cx="x(m.point)" :cy="y(m.point)" r="11" /><text :x="x(m.point)" :y="y(m.point)">{{ m.text }}</text></g>
          <text v-else :x="x(m.point)" :y="y(m.point)" :fill="markInk(m.point)" class="mark-text" :font-size="m.text.length > 3 ? Math.max(7, 46 / m.text.length) : null" :class="{ long: m.text.length === 3, fitted: m.text.length > 3, boxed: !stones[m.point] || stones[m.point] === '.' }">{{ m.text }}</text>
        </template>
      </g>
      <g v-if="!preview.length" class="candidates">
        <g v-for="c in candidates" :key="'k' + c.point" :class="'rank-' + c.rank" :data-point="c.point" class="candidate">
          <circle :cx="x(c.point)" :cy="y(c.point)" r="18.6" />
          <text :x="x(c.point)" :y="y(c.point) - (c.detail ? 4 : 0)" class="main">{{ c.text }}</text>
          <text v-if="c.detail" :x="x(c.point)" :y="y(c.point) + 8.5" class="detail">{{ c.detail }}</text>
        </g>
      </g>
      <g v-if="preview.length" class="preview">
        <template v-for="(s, i) in preview" :key="'p' + i">
          <use :href="'#' + s.color" :x="x(s.point)" :y="y(s.point)" opacity="0.86" />
          <text :x="x(s.point)" :y="y(s.point)" :fill="s.color === 'black' ? '#fff' : '#111'" class="mark-text" :data-pv="s.number">{{ s.number }}</text>
        </template>
      </g>
      <use v-if="ghost !== null" :href="'#' + toPlay" :x="x(ghost)" :y="y(ghost)" opacity="0.55" class="ghost" :data-point="ghost" />
      <rect v-if="cursor !== null" :x="x(cursor) - 20" :y="y(cursor) - 20" width="40" height="40" rx="6" class="cursor" />
    </svg>
  </div>`,
  props: {
    size: Number, stars: Array, stones: String, last: Number, toPlay: String, forbidden: Array, playable: Boolean, scoring: Boolean,
    candidates: Array, marks: Array, heat: Array, area: Array, answer: Array, owners: Array, dead: Array, coordinates: Boolean, label: String,
    sound: Boolean, dress: String, flatStones: Boolean, behind: Number, ahead: Number,
  },
  data: () => ({ hovered: null, cursor: null, armed: null, touch: false, line: [] }),
  mounted() {
    this.follow = (event) => { this.line = event.detail; };
    window.addEventListener("tesuji-line", this.follow);
  },
  unmounted() { window.removeEventListener("tesuji-line", this.follow); },
  computed: {
    span() { return (this.size - 1) * CELL; },
    low() { return this.coordinates ? -44 : -30; },
    extent() { return this.span - 2 * this.low; },
    viewBox() { return `${this.low} ${this.low} ${this.extent} ${this.extent}`; },
    lines() {
      const all = [];
      for (let i = 1; i < this.size - 1; i++) all.push(`M0 ${i * CELL}H${this.span}M${i * CELL} 0V${this.span}`);
      return all.join("");
    },
    shown() {
      const dead = new Set(this.dead), list = [];
      for (let p = 0; p < this.stones.length; p++)
        if (this.stones[p] !== ".") list.push({ point: p, color: this.stones[p] === "X" ? "black" : "white", dead: dead.has(p) });
      return list;
    },
    blocked() { return new Set(this.forbidden); },
    // The continuation under the pointer: a candidate's own, or the one chosen in the list beside the board.
    preview() {
      const candidate = this.candidates.find((c) => c.point === this.hovered);
      const moves = candidate && candidate.pv.length ? candidate.pv : this.line.length ? this.line : this.answer || [];
      const seen = new Set(), stones = [];
      let color = this.toPlay;
      moves.forEach((point, i) => {
        if (point >= 0 && !seen.has(point)) stones.push({ point, color, number: i + 1 });
        seen.add(point);
        color = color === "black" ? "white" : "black";
      });
      return stones;
    },
    ghost() {
      const p = this.hovered;
      if (p === null || !this.playable || this.preview.length || !this.free(p)) return null;
      return p;
    },
    crosshair() { return this.touch ? this.armed : null; },
    heatMarks() {
      return this.heat.map((value, point) => ({ point, radius: 6 + 13 * Math.sqrt(value), alpha: Math.min(0.9, 0.18 + value) })).filter((h) => this.heat[h.point] >= 0.004);
    },
    // Squares for who owns a point; beside a number, a letter or the ring of the last move they step into the corner.
    ownerMarks() {
      const marked = new Set(this.allMarks.map((m) => m.point));
      return this.owners.map((value, point) => {
        const half = 4 + 4.5 * Math.abs(value), aside = marked.has(point);
        return {
          point, owner: value > 0 ? "black" : "white", half: aside ? Math.min(half, 4.5) : half, aside: aside ? 13 : 0,
          alpha: Math.min(0.92, 0.25 + 0.7 * Math.abs(value)),
        };
      }).filter((o) => Math.abs(this.owners[o.point]) >= 0.12);
    },
    allMarks() {
      const labelled = new Set(this.marks.map((m) => m.point));
      return this.last >= 0 && !labelled.has(this.last) ? [...this.marks, { point: this.last, kind: "last" }] : this.marks;
    },
  },
  watch: {
    stones(now, before) {
      this.armed = null;
      const count = (text) => text.length - text.split(".").length;
      if (this.sound && now.length === before.length && now !== before && Math.abs(count(now) - count(before)) < 12) click();
    },
    size() { this.line = []; this.hovered = this.cursor = this.armed = null; },
  },
  methods: {
    x(point) { return (point % this.size) * CELL; },
    y(point) { return Math.floor(point / this.size) * CELL; },
    letter(i) { return COLUMNS[i]; },
    free(point) { return this.stones[point] === "." && !this.blocked.has(point); },
    inkOn(point) { return { X: "#f4efe6", O: "#1d1a16" }[this.stones[point]] ?? "var(--board-ink)"; },
    // A number or mark on the last move takes the place of its ring, and its part too: it is red.
    markInk(point) { return (point === this.last && { X: "#ff9d8a", O: "#b3261e" }[this.stones[point]]) || this.inkOn(point); },
    triangle(p) { const x = this.x(p), y = this.y(p); return `M${x} ${y - 11}L${x + 9.5} ${y + 6}H${x - 9.5}Z`; },
    cross(p) { const x = this.x(p), y = this.y(p); return `M${x - 7} ${y - 7}l14 14M${x + 7} ${y - 7}l-14 14`; },
    pointAt(event) {
      const matrix = this.$refs.svg.getScreenCTM();
      if (!matrix) return null;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
      const column = Math.round(at.x / CELL), row = Math.round(at.y / CELL);
      return row >= 0 && column >= 0 && row < this.size && column < this.size ? row * this.size + column : null;
    },
    press(event) { this.touch = event.pointerType === "touch"; this.pressed = this.pointAt(event); },
    move(event) { if (event.pointerType !== "touch") { this.touch = false; this.hovered = this.pointAt(event); } },
    leave(event) { if (event.pointerType !== "touch") this.hovered = null; }, // a lifted finger leaves too, its aim stays
    release(event) {
      const point = this.pointAt(event);
      if (point === null || point !== this.pressed || event.button > 0) return;
      const cell = CELL * (this.$refs.svg.getBoundingClientRect().width / this.extent);
      if (this.touch && cell < SMALL_CELL && this.armed !== point && this.playable && this.free(point)) {
        this.armed = this.hovered = point;
        return;
      }
      if (this.touch) this.hovered = null;
      this.armed = null;
      this.$emit("point", point);
    },
    // The wheel walks through the game; where there is nothing to walk to, it scrolls the page as usual.
    wheel(event) {
      const step = Math.sign(event.deltaY);
      if (!step || event.ctrlKey || !(step > 0 ? this.ahead : this.behind)) return;
      event.preventDefault();
      this.turned = (this.turned || 0) * step > 0 ? this.turned + event.deltaY : event.deltaY;
      if (Math.abs(this.turned) < 40 || event.timeStamp - (this.turnedAt || 0) < 40) return;
      this.turned = 0;
      this.turnedAt = event.timeStamp;
      this.$emit("walk", step);
    },
    // With the board in focus, Shift and the arrows move a cursor and Enter plays there; plain arrows walk through the game.
    key(event) {
      const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.size, ArrowDown: this.size };
      if (event.shiftKey && event.key in steps) {
        const from = this.cursor ?? Math.floor(this.size / 2) * (this.size + 1), to = from + steps[event.key];
        const sideways = Math.abs(steps[event.key]) === 1 && Math.floor(to / this.size) !== Math.floor(from / this.size);
        if (this.cursor === null || (to >= 0 && to < this.size * this.size && !sideways)) this.cursor = this.cursor === null ? from : to;
      } else if ((event.key === "Enter" || event.key === " ") && this.cursor !== null) this.$emit("point", this.cursor);
      else if (event.key === "Escape") this.cursor = null;
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
  },
};

// A stone on wood: a short burst of noise through a resonance, made here so that no sound file is needed.
let audio = null;
function click() {
  try {
    audio = audio || new AudioContext();
    if (audio.state === "suspended") audio.resume(); // made before the visitor's first click
    const length = Math.floor(audio.sampleRate * 0.06), buffer = audio.createBuffer(1, length, audio.sampleRate), samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (length * 0.12));
    const source = audio.createBufferSource(), tone = audio.createBiquadFilter();
    source.buffer = buffer;
    tone.type = "bandpass";
    tone.frequency.value = 1500 + Math.random() * 300;
    tone.Q.value = 2.5;
    source.connect(tone).connect(audio.destination);
    source.start();
  } catch { /* no sound device: play in silence */ }
}
