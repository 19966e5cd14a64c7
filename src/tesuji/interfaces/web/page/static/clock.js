// A clock: counts down by itself from what the server told last; the server alone decides when the time is up.
export default {
  template: `<span class="clock" :class="{ running, low }" role="timer" data-testid="clock">{{ text }}</span>`,
  props: { main: Number, period: Number, periodLeft: Number, periods: Number, spent: Number, running: Boolean },
  data: () => ({ since: performance.now(), now: performance.now() }),
  created() { this.begin(); },
  unmounted() { clearInterval(this.ticking); },
  watch: {
    running() { this.begin(); }, spent() { this.begin(); }, main() { this.begin(); }, periodLeft() { this.begin(); },
  },
  computed: {
    // Seconds of what is running out now, and periods left.
    left() {
      const gone = this.spent + (this.running ? (this.now - this.since) / 1000 : 0);
      const inMain = this.periodLeft === null || this.periodLeft === undefined;
      if (inMain && (gone < this.main || !this.period)) return [Math.max(0, this.main - gone), this.periods];
      const over = gone - (inMain ? this.main : 0), first = inMain ? this.period : this.periodLeft;
      const lost = over <= first ? 0 : Math.ceil((over - first) / this.period);
      return [Math.max(0, first + lost * this.period - over), Math.max(0, this.periods - lost)];
    },
    text() {
      const [seconds, periods] = this.left, whole = Math.ceil(seconds);
      const time = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
      return this.period && periods > 1 ? `${time} × ${periods}` : time;
    },
    low() { return this.running && this.left[0] < 10; },
  },
  methods: {
    begin() {
      this.since = this.now = performance.now();
      clearInterval(this.ticking);
      if (this.running) this.ticking = setInterval(() => { this.now = performance.now(); }, 250);
    },
  },
};
