// A comment that belongs to its position: what was typed is sent with the place it was typed at, at once when one moves on.
const PAUSE = 400;

export default {
  template: `<textarea class="comment-text" v-model="mine" maxlength="20000" :readonly="fixed" :placeholder="hint" :aria-label="hint" data-testid="comment" @input="typed" @blur="send"></textarea>`,
  props: { text: String, place: Number, hint: String, fixed: Boolean },
  data() { return { mine: this.text, at: this.place, waiting: null }; },
  watch: {
    place(now) { this.send(); this.at = now; this.mine = this.text; },
    text(now) { if (this.waiting === null && this.place === this.at) this.mine = now; },
  },
  methods: {
    typed() {
      clearTimeout(this.waiting);
      this.waiting = setTimeout(() => this.send(), PAUSE);
    },
    send() {
      if (this.waiting === null) return;
      clearTimeout(this.waiting);
      this.waiting = null;
      this.$emit("written", { place: this.at, text: this.mine });
    },
  },
  unmounted() { this.send(); },
};
