// The table of candidate moves; pointing at a row shows its continuation on the board, without asking the server.
export default {
  template: `
  <table v-if="rows.length" class="moves" data-testid="moves">
    <thead><tr><th>{{ say("move") }}</th><th>{{ say("win_rate") }}</th><th v-if="scored">{{ say("score") }}</th><th :title="say('visits_about')">{{ say("visits") }}</th><th :title="say('prior_about')">{{ say("prior") }}</th></tr></thead>
    <tbody>
      <tr v-for="row in rows" :key="row.move" tabindex="0" :title="row.line" @click="$emit('play', row.pv[0])" @keydown.enter="$emit('play', row.pv[0])"
          @mouseenter="show(row.pv)" @mouseleave="show([])" @focus="show(row.pv)" @blur="show([])">
        <td>{{ row.move }}</td><td>{{ row.winrate }}</td><td v-if="scored">{{ row.score }}</td><td>{{ row.visits }}</td><td>{{ row.prior }}</td>
      </tr>
    </tbody>
  </table>`,
  props: { rows: Array },
  computed: { scored() { return this.rows.some((row) => row.score); } },
  methods: { say: tesujiWord, show(line) { window.dispatchEvent(new CustomEvent("tesuji-line", { detail: line })); } },
  unmounted() { this.show([]); },
};
