// The course of the game: Black's share of the win rate filled from below, the score as a line, a dot for each move,
// coloured by what it cost. What nobody looked at is left empty. A click jumps to the move.
const WIDTH = 360, HEIGHT = 132, TOP = 8, BOTTOM = 18;
const GRADES = ["good", "inexact", "mistake", "blunder"];

// Stretches of neighbouring known values, as pairs of number and value.
function runs(values) {
  const all = [];
  values.forEach((value, n) => {
    if (value === null) return;
    if (n && values[n - 1] !== null) all[all.length - 1].push([n, value]);
    else all.push([[n, value]]);
  });
  return all;
}

export default {
  template: `
  <div class="graph" data-testid="graph">
    <svg ref="svg" :viewBox="'0 0 ' + width + ' ' + height" role="img" :aria-label="label" @pointermove="hover" @pointerleave="at = null" @click="jump">
      <rect x="0" :y="top" :width="width" :height="plot" rx="5" class="graph-white" />
      <path v-if="area" :d="area" class="graph-black" />
      <line x1="0" :x2="width" :y1="y(0.5)" :y2="y(0.5)" class="graph-half" />
      <line v-for="g in ticks" :key="'g' + g" :x1="x(g)" :x2="x(g)" :y1="top" :y2="top + plot" class="graph-grid" />
      <text v-for="g in ticks" :key="'t' + g" :x="x(g)" :y="height - 4" class="graph-tick">{{ g }}</text>
      <path v-if="scoreLine" :d="scoreLine" class="graph-score" />
      <path :d="edge" class="graph-edge" />
      <line :x1="x(current)" :x2="x(current)" :y1="top - 2" :y2="top + plot + 2" class="graph-now" />
      <circle v-for="d in sortedDots" :key="'d' + d.number" :cx="x(d.number)" :cy="y(known(d.number) ?? 0.5)" :r="radius(d.grade)" :class="'graph-dot grade-' + d.grade" :data-number="d.number" :data-grade="d.grade" />
      <line v-if="at !== null" :x1="x(at)" :x2="x(at)" :y1="top" :y2="top + plot" class="graph-hover" />
    </svg>
    <div class="graph-legend"><span>{{ caption }}</span><span v-if="scoreLine" class="graph-scale">{{ say("score_scale", { scale: scoreScale }) }}</span></div>
  </div>`,
  props: { values: Array, scores: Array, current: Number, total: Number, dots: Array, label: String },
  data: () => ({ at: null, width: WIDTH, height: HEIGHT, top: TOP, plot: HEIGHT - TOP - BOTTOM }),
  computed: {
    last() { return Math.max(this.total, 10); },
    edge() { return runs(this.values).map((run) => this.path(run, (v) => this.y(v))).join(""); },
    area() {
      const floor = TOP + this.plot;
      return runs(this.values).map((run) => {
        const first = this.x(run[0][0]).toFixed(1), end = this.x(run[run.length - 1][0]).toFixed(1);
        return `${this.path(run, (v) => this.y(v))}L${end} ${floor}L${first} ${floor}Z`;
      }).join("");
    },
    // The bad ones last, so that they lie on top.
    sortedDots() { return [...this.dots].sort((a, b) => GRADES.indexOf(a.grade) - GRADES.indexOf(b.grade)); },
    scoreScale() { return Math.max(10, Math.ceil(Math.max(...this.scores.map((s) => Math.abs(s ?? 0)), 0) / 10) * 10); },
    scoreLine() {
      if (this.scores.filter((s) => s !== null).length < 2) return "";
      return runs(this.scores).map((run) => this.path(run, (s) => this.y(0.5 + s / this.scoreScale / 2))).join("");
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
      return tesujiWord("at_move_scored", { n, share, lead: `${score >= 0 ? "B" : "W"}+${Math.abs(score).toFixed(1).replace(".", tesujiWords.decimal)}` });
    },
  },
  methods: {
    say: tesujiWord,
    path(run, height) { return run.map(([n, v], i) => `${i ? "L" : "M"}${this.x(n).toFixed(1)} ${height(v).toFixed(1)}`).join(""); },
    radius(grade) { return Math.min(1, 90 / this.last + 0.35) * { good: 2.1, inexact: 2.9, mistake: 4.2, blunder: 5 }[grade]; },
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
