// The table of candidate moves; pointing at a row shows its continuation on the board, without asking the server.
export default {
  template: `
  <table class="moves" data-testid="moves">
    <thead><tr><th>Move</th><th>Win rate</th><th>Visits</th><th>Prior</th></tr></thead>
    <tbody>
      <tr v-for="row in rows" :key="row.move" tabindex="0" :title="row.line" @click="$emit('play', row.pv[0])" @keydown.enter="$emit('play', row.pv[0])"
          @mouseenter="show(row.pv)" @mouseleave="show([])" @focus="show(row.pv)" @blur="show([])">
        <td>{{ row.move }}</td><td>{{ row.winrate }}</td><td>{{ row.visits }}</td><td>{{ row.prior }}</td>
      </tr>
    </tbody>
  </table>`,
  props: { rows: Array },
  methods: { show(line) { window.dispatchEvent(new CustomEvent("tesuji-line", { detail: line })); } },
  unmounted() { this.show([]); },
};
