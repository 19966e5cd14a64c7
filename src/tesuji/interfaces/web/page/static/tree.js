// The tree of variations: a column for each move, a row for each line. A click goes to the node.
const STEP = 24, ROW = 26, EDGE = 16, R = 7.5;

export default {
  template: `
  <div class="variations" ref="frame" data-testid="variations">
    <svg :width="width" :height="height" role="img" :aria-label="label" @click="choose">
      <path v-for="e in edges" :key="'e' + e.to" :d="e.d" class="edge" :class="{ on: e.on }" />
      <circle v-for="n in drawn" :key="n.index" :cx="n.x" :cy="n.y" :r="n.r" class="node" :class="n.kind" :data-node="n.index" />
      <circle v-for="n in bad" :key="'b' + n.index" :cx="n.x + 6" :cy="n.y - 6" r="3.6" :class="'grade-' + n.grade" />
      <path v-for="i in notes" :key="'c' + i" :d="'M' + (x(i) - 4) + ' ' + (y(i) + 11) + 'h8'" class="note" />
      <circle :cx="x(current)" :cy="y(current)" r="10.5" class="current" :data-current="current" />
    </svg>
  </div>`,
  props: { nodes: Array, rows: Number, current: Number, line: Array, grades: Array, notes: Array, label: String },
  computed: {
    count() { return this.nodes.length / 4; },
    width() { let most = 0; for (let i = 0; i < this.count; i++) most = Math.max(most, this.x(i)); return most + EDGE; },
    height() { return 2 * EDGE + (this.rows - 1) * ROW; },
    drawn() {
      return Array.from({ length: this.count }, (_, index) => {
        const kind = ["setup", "black", "white"][this.nodes[4 * index + 3]];
        return { index, x: this.x(index), y: this.y(index), r: kind === "setup" ? 5 : R, kind };
      });
    },
    bad() {
      return this.drawn.filter((n) => this.grades[n.index] >= 2).map((n) => ({ ...n, grade: ["mistake", "blunder"][this.grades[n.index] - 2] }));
    },
    edges() {
      const on = new Set(this.line), all = [];
      for (let to = 1; to < this.count; to++) {
        const from = this.nodes[4 * to + 2], bend = Math.max(this.x(from), this.x(to) - STEP);
        const d = `M${this.x(from)} ${this.y(from)}V${Math.max(this.y(from), this.y(to) - ROW)}L${bend === this.x(from) ? this.x(to) : bend} ${this.y(to)}H${this.x(to)}`;
        all.push({ to, d, on: on.has(to) });
      }
      return all;
    },
  },
  watch: { current() { this.follow(); }, nodes() { this.follow(); } },
  mounted() {  // also called when the frame is shown, or the screen is turned
    this.watcher = new ResizeObserver(() => this.follow());
    this.watcher.observe(this.$refs.frame);
  },
  unmounted() { this.watcher.disconnect(); },
  methods: {
    x(i) { return EDGE + this.nodes[4 * i] * STEP; },
    y(i) { return EDGE + this.nodes[4 * i + 1] * ROW; },
    // The present node stays in sight; the frame alone is scrolled, never the page.
    follow() {
      this.$nextTick(() => {
        const frame = this.$refs.frame;
        if (!frame) return;
        frame.scrollLeft = this.x(this.current) - frame.clientWidth / 2;
        frame.scrollTop = this.y(this.current) - frame.clientHeight / 2;
      });
    },
    choose(event) { if (event.target.dataset.node !== undefined) this.$emit("node", Number(event.target.dataset.node)); },
  },
};
