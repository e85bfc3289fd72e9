// A solution, move by move: the scrubber, the buttons, the list, and the estimates along the way.

import { post } from './api.js';
import { animatedDrawing } from './board.js';
import { legend, lineChart, widthIn } from './chart.js';
import { byId, copy, make, save } from './dom.js';

/** Seconds for a move at the usual speed. */
const PER_MOVE = 0.55;

/** The heuristics that the strip shows, if they apply, the most telling ones first. */
const SHOWN = ['pdb', 'walking-distance', 'linear-conflict', 'manhattan', 'circular-manhattan', 'misplaced', 'misplaced-max'];
const MOST_SHOWN = 4;

/** With more moves than this there is no strip. */
const MOST_MOVES = 3000;

export class Player {
  constructor(view, { onShow }) {
    this.view = view;
    this.onShow = onShow;
    this.position = 0;
    const go = (to) => { this.pause(); this.show(to); };
    byId('first').onclick = () => go(0);
    byId('last').onclick = () => go(this.length);
    byId('previous').onclick = () => this.step(-1);
    byId('next').onclick = () => this.step(1);
    byId('play').onclick = () => this.toggle();
    byId('scrubber').oninput = (event) => go(Number(event.target.value));
    byId('copy-moves').onclick = () => copy(this.moves.join(' '), 'Moves');
    byId('save-record').onclick = () => save('record.json', 'application/json', `${JSON.stringify(this.record)}\n`);
    byId('save-svg').onclick = () => {
      save('solution.svg', 'image/svg+xml', animatedDrawing(this.puzzle, this.boards[0], this.moves, view.scheme));
    };
    byId('moves').onclick = (event) => {
      const button = event.target.closest('button');
      if (button) go(Number(button.dataset.index));
    };
  }

  get isLoaded() { return this.moves !== undefined; }
  get length() { return this.moves.length; }
  get board() { return this.boards[Math.round(this.position)]; }

  /** Takes moves from a board. `record` is what the server says of them. */
  load(puzzle, start, moves, record, words) {
    this.pause();
    Object.assign(this, { puzzle, moves, record, estimates: undefined, chart: undefined });
    this.boards = [start];
    for (const name of moves) this.boards.push(puzzle.after(this.boards.at(-1), name));
    this.words = moves.map((name, index) => puzzle.words(this.boards[index], name));
    byId('player').hidden = false;
    byId('result').textContent = words;
    byId('scrubber').max = Math.max(moves.length, 1);
    byId('moves').replaceChildren(...moves.map((name, index) => make('li', {}, make('button', {
      type: 'button', 'data-index': index + 1, title: this.words[index], 'aria-label': `${index + 1}: ${this.words[index]}`,
    }, name))));
    byId('strip').replaceChildren();
    this.show(0);
    if (moves.length > 0 && moves.length <= MOST_MOVES) this.#askEstimates(start);
  }

  unload() {
    this.pause();
    this.moves = undefined;
    byId('player').hidden = true;
  }

  async #askEstimates(start) {
    const { moves } = this;
    const { heuristics } = await post('/api/estimates', { ...this.puzzle.fields, board: start, moves });
    if (moves !== this.moves) return;
    const rank = ({ name }) => SHOWN.indexOf(name);
    const shown = heuristics.filter((one) => one.admissible && rank(one) >= 0).sort((a, b) => rank(a) - rank(b)).slice(0, MOST_SHOWN);
    const left = this.record?.optimal ? 'true distance' : 'moves left';
    this.estimates = [{ name: left, values: moves.map((_, index) => moves.length - index).concat(0), dash: '', colour: '#888888' },
      ...shown.map(({ name, values }) => ({ name, values }))];
    const series = this.estimates.map(({ name, values, ...style }) => ({
      name, points: values.map((value, index) => [index, value]), ...style,
    }));
    this.chart = lineChart(series, {
      width: widthIn(byId('strip')), height: 150, label: `Estimates along the solution, against the ${left}`, xName: 'moves made', yName: 'moves to go', at: this.position, integers: true,
    });
    byId('strip').replaceChildren(this.chart, legend(series));
    this.#mark();
  }

  /** Shows a place in the solution, possibly inside a move. */
  show(position) {
    this.position = Math.min(Math.max(position, 0), this.length);
    const index = Math.min(Math.floor(this.position), this.length - 1);
    const share = this.position - index;
    this.onShow();
    this.view.stop();
    if (this.length === 0 || share === 0 || share === 1) this.view.show(this.boards[Math.round(this.position)]);
    else this.view.show(this.boards[index], this.puzzle.motion(this.boards[index], this.moves[index]), share);
    this.#mark();
  }

  #mark() {
    const made = Math.ceil(this.position);
    byId('scrubber').value = this.position;
    byId('scrubber').setAttribute('aria-valuetext', made === 0 ? 'start' : `move ${made} of ${this.length}, ${this.words[made - 1]}`);
    byId('now').textContent = made === 0 ? `Start, ${this.length} to go` : `${made} / ${this.length}: ${this.words[made - 1]}`;
    const current = byId('moves').querySelector('[aria-current]');
    const button = byId('moves').children[made - 1]?.firstChild;
    if (current !== (button ?? null)) {
      current?.removeAttribute('aria-current');
      button?.setAttribute('aria-current', 'step');
      if (button) keepInSight(byId('moves'), button);
    }
    this.chart?.place(this.position);
    byId('strip').querySelectorAll('b').forEach((figure, series) => {
      figure.textContent = this.estimates[series].values[Math.round(this.position)];
    });
  }

  step(by) {
    this.pause();
    const target = by > 0 ? Math.floor(this.position) + 1 : Math.ceil(this.position) - 1;
    const goal = Math.min(Math.max(target, 0), this.length);
    if (this.view.calm.matches) this.show(goal);
    else this.#run(goal, 4);
  }

  toggle() {
    if (this.frame) this.pause();
    else this.#run(this.length);
  }

  /** Plays up to a place. */
  #run(goal, speed) {
    if (this.position >= this.length && goal === this.length) this.position = 0;
    byId('play').textContent = '❚❚';
    byId('play').setAttribute('aria-label', 'Pause');
    let last;
    const direction = Math.sign(goal - this.position);
    const frame = (now) => {
      const by = ((now - (last ?? now)) / 1000 / PER_MOVE) * (speed ?? Number(byId('speed').value));
      last = now;
      const next = this.position + direction * by;
      if (direction * (goal - next) <= 0 || direction === 0) {
        this.pause();
        this.show(goal);
        return;
      }
      this.show(next);
      this.frame = requestAnimationFrame(frame);
    };
    this.frame = requestAnimationFrame(frame);
  }

  pause() {
    if (this.frame) cancelAnimationFrame(this.frame);
    this.frame = undefined;
    byId('play').textContent = '▶';
    byId('play').setAttribute('aria-label', 'Play');
  }
}

/** Scrolls a list, and nothing around it. */
function keepInSight(list, item) {
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}
