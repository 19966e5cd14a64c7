// The course of the game: Black's share of the win rate filled from below, the score as a line, mistakes as dots.
// A click jumps to the move.
const WIDTH = 360, HEIGHT = 132, TOP = 8, BOTTOM = 18;

export default {
  template: `
  <div class="graph" data-testid="graph">
    <svg ref="svg" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="label" @pointermove="hover" @pointerleave="at = null" @click="jump">
      <rect x="0" :y="top" :width="width" :height="plot" rx="5" class="graph-white" />
      <path v-if="values.length" :d="area" class="graph-black" />
      <line x1="0" :x2="width" :y1="y(0.5)" :y2="y(0.5)" class="graph-half" />
      <line v-for="g in ticks" :key="'g' + g" :x1="x(g)" :x2="x(g)" :y1="top" :y2="top + plot" class="graph-grid" />
      <text v-for="g in ticks" :key="'t' + g" :x="x(g)" :y="height - 4" class="graph-tick">{{ g }}</text>
      <path v-if="scoreLine" :d="scoreLine" class="graph-score" />
      <path :d="edge" class="graph-edge" />
      <line :x1="x(current)" :x2="x(current)" :y1="top - 2" :y2="top + plot + 2" class="graph-now" />
      <circle v-for="m in mistakes" :key="'m' + m.number" :cx="x(m.number)" :cy="y(known(m.number) ?? 0.5)" r="4.6" class="graph-mistake" :data-number="m.number" />
      <line v-if="at !== null" :x1="x(at)" :x2="x(at)" :y1="top" :y2="top + plot" class="graph-hover" />
    </svg>
    <div class="graph-legend"><span>{{ caption }}</span><span v-if="scoreLine" class="graph-scale">{{ say("score_scale", { scale: scoreScale }) }}</span></div>
  </div>`,
  props: { values: Array, scores: Array, current: Number, total: Number, mistakes: Array, label: String },
  data: () => ({ at: null, width: WIDTH, height: HEIGHT, top: TOP, plot: HEIGHT - TOP - BOTTOM }),
  computed: {
    last() { return Math.max(this.total, 10); },
    points() { return this.values.map((value, n) => [n, value]).filter(([, value]) => value !== null); },
    edge() { return this.points.map(([n, v], i) => `${i ? "L" : "M"}${this.x(n).toFixed(1)} ${this.y(v).toFixed(1)}`).join(""); },
    area() {
      if (!this.points.length) return "";
      const first = this.x(this.points[0][0]), end = this.x(this.points[this.points.length - 1][0]), floor = TOP + this.plot;
      return `${this.edge}L${end.toFixed(1)} ${floor}L${first.toFixed(1)} ${floor}Z`;
    },
    scoreScale() { return Math.max(10, Math.ceil(Math.max(...this.scores.map((s) => Math.abs(s ?? 0)), 0) / 10) * 10); },
    scoreLine() {
      const known = this.scores.map((s, n) => [n, s]).filter(([, s]) => s !== null);
      if (known.length < 2) return "";
      return known.map(([n, s], i) => `${i ? "L" : "M"}${this.x(n).toFixed(1)} ${this.y(0.5 + s / this.scoreScale / 2).toFixed(1)}`).join("");
    },
    ticks() {
      const step = [5, 10, 20, 50, 100, 200].find((s) => this.last / s <= 7) || 500, all = [];
      for (let n = step; n < this.last; n += step) all.push(n);
      return all;
    },
    caption() {
      const n = this.at ?? this.current, value = this.known(n), score = this.scores[n];
      if (value === null) return tesujiWord("at_move", { n });
      const share = (100 * value).toFixed(0);
      if (score === null || score === undefined) return tesujiWord("at_move_known", { n, share });
      return tesujiWord("at_move_scored", { n, share, lead: `${score >= 0 ? "B" : "W"}+${Math.abs(score).toFixed(1)}` });
    },
  },
  methods: {
    say: tesujiWord,
    x(n) { return 6 + (n / this.last) * (WIDTH - 12); },
    y(value) { return TOP + (1 - value) * this.plot; },
    known(n) { return this.values[n] ?? null; },
    number(event) {
      const box = this.$refs.svg.getBoundingClientRect();
      const n = Math.round((((event.clientX - box.left) / box.width) * WIDTH - 6) / (WIDTH - 12) * this.last);
      return Math.max(0, Math.min(this.total, n));
    },
    hover(event) { this.at = this.number(event); },
    jump(event) { this.$emit("jump", this.number(event)); },
  },
};
