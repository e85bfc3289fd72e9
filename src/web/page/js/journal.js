// The journal of a batch: a table that is sorted by any column; each solved record plays.

import { get } from './api.js';
import { byId, grouped, make, seconds } from './dom.js';

const PAGE = 100;

const COLUMNS = [
  ['number', '#'], ['board', 'board'], ['puzzle', 'puzzle'], ['status', 'status'], ['length', 'length'],
  ['lower-bound', 'at least'], ['expanded', 'expanded'], ['generated', 'generated'], ['seconds', 'time'],
];

export class JournalPanel {
  /** `play` shows a record. */
  constructor({ play }) {
    Object.assign(this, { play, from: 0, sort: 'number', descending: false });
    byId('journal-back').onclick = () => this.#turn(-PAGE);
    byId('journal-on').onclick = () => this.#turn(PAGE);
    byId('journal-table').tHead.rows[0].replaceChildren(...COLUMNS.map(([column, name]) => {
      const button = make('button', { type: 'button' }, name);
      button.onclick = () => this.#sortBy(column);
      return make('th', { scope: 'col', 'data-column': column }, button);
    }), make('th', { scope: 'col' }, make('span', { class: 'visually-hidden' }, 'Play')));
  }

  #turn(by) {
    this.from += by;
    this.show();
  }

  #sortBy(column) {
    this.descending = this.sort === column && !this.descending;
    Object.assign(this, { sort: column, from: 0 });
    this.show();
  }

  async show() {
    const { from, sort, descending } = this;
    const { journal, total, rows } = await get(`/api/journal?from=${from}&count=${PAGE}&sort=${sort}&descending=${descending}`);
    byId('journal-name').textContent = `${journal}: ${grouped(total)} records`;
    byId('journal-range').textContent = total === 0 ? '' : `${grouped(from + 1)}–${grouped(from + rows.length)} of ${grouped(total)}`;
    byId('journal-back').disabled = from === 0;
    byId('journal-on').disabled = from + rows.length >= total;
    for (const head of byId('journal-table').tHead.rows[0].cells) {
      if (head.dataset.column === sort) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    }
    byId('journal-table').tBodies[0].replaceChildren(...rows.map((row) => this.#row(row)));
  }

  #row(row) {
    const number = (value) => make('td', { class: 'number' }, value === null ? '–' : String(value));
    const play = make('button', { type: 'button', 'aria-label': `Play ${row.board}` }, '▶');
    play.onclick = async () => this.play(await get(`/api/journal/${row.number}`));
    return make('tr', {},
      number(row.number + 1), make('td', { title: row.board }, row.board.split('/').pop()), make('td', {}, row.puzzle ?? '–'),
      make('td', {}, row.status + (row.optimal ? ', proven' : '')), number(row.length), number(row.lower_bound),
      number(grouped(row.expanded)), number(grouped(row.generated)), number(seconds(row.seconds)),
      make('td', {}, ...(row.length === null ? [] : [play])));
  }
}
