// The panel that solves: the choice of a search, how it is getting on, and what came of it.

import { post, searching } from './api.js';
import { legend, lineChart, widthIn } from './chart.js';
import { byId, counted, fill, grouped, make, seconds } from './dom.js';

/** What an algorithm and a heuristic promise together, in words. */
export function promiseOf(algorithm, heuristic) {
  const shortest = {
    always: 'Its solutions are always shortest.',
    no: 'Its solutions may be longer than needed.',
  }[algorithm.optimal] ?? (heuristic === undefined || heuristic.admissible
    ? 'Its solutions are proven shortest, if the time suffices.'
    : 'This heuristic can be too high: solutions may be longer than needed.');
  const about = heuristic ? ` ${heuristic.name}: ${heuristic.summary}.` : '';
  return `${capital(algorithm.summary)}. ${shortest}${algorithm.guided ? about : ''}`;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** What some algorithms can be told besides, and its field in requests. */
const PARAMETERS = {
  wastar: { field: 'weight', name: 'Weight', value: 2, min: 1, max: 1000, step: 0.1 },
  beam: { field: 'width', name: 'Width', value: 1000, min: 1, max: 1_000_000, step: 1 },
};

/** The choices of heuristics for a puzzle. */
export function heuristicChoices(puzzle) {
  const choices = puzzle.heuristics.map(({ name, large }) => ({ value: name, text: large ? `${name} (large tables)` : name }));
  return [{ value: '', text: 'its own choice' }, ...choices];
}

/** What a record says, in a sentence. */
export function resultOf(record) {
  const took = `${seconds(record.seconds)}, ${counted(record.expanded, 'node')}`;
  if (record.status !== 'solved') {
    const why = { timeout: 'The time was up', 'node-limit': 'The limit of nodes was hit', 'memory-limit': 'The memory was full', interrupted: 'Stopped' };
    const bound = record.lower_bound ? `; at least ${counted(record.lower_bound, 'move')} are needed` : '';
    return `${why[record.status] ?? 'No solution'} before there was a solution${bound} (${took}).`;
  }
  const worth = record.optimal ? 'proven shortest' : record.lower_bound ? `not proven shortest; at least ${record.lower_bound}` : 'not proven shortest';
  return `${counted(record.length, 'move')}, ${worth} (${took}).`;
}

export class SolvePanel {
  constructor({ game, player, algorithms, threads, onSolution, useGoal, useBoard }) {
    Object.assign(this, { game, player, algorithms, threads, onSolution, useGoal, useBoard });
    fill(byId('algorithm'), algorithms.map(({ name }) => ({ value: name, text: name })));
    byId('algorithm').onchange = () => {
      this.#askParameter();
      this.#describe();
    };
    byId('heuristic').onchange = () => this.#describe();
    byId('solve-form').onsubmit = (event) => {
      event.preventDefault();
      this.solve();
    };
    byId('cancel').onclick = () => this.running?.abort();
    byId('moves-form').onsubmit = (event) => {
      event.preventDefault();
      this.#replay();
    };
  }

  setPuzzle(puzzle) {
    this.running?.abort();
    fill(byId('heuristic'), heuristicChoices(puzzle), '');
    this.#describe();
    this.clear();
  }

  clear() {
    byId('progress-box').hidden = true;
    byId('fix').hidden = true;
    byId('solve-error').textContent = '';
    this.player.unload();
  }

  #askParameter() {
    const parameter = PARAMETERS[byId('algorithm').value];
    byId('parameter-box').hidden = !parameter;
    if (!parameter) return;
    byId('parameter-name').textContent = parameter.name;
    Object.assign(byId('parameter'), { min: parameter.min, max: parameter.max, step: parameter.step, value: parameter.value });
  }

  #describe() {
    const algorithm = this.algorithms.find(({ name }) => name === byId('algorithm').value);
    const heuristic = this.game.puzzle?.heuristics.find(({ name }) => name === byId('heuristic').value);
    byId('heuristic').disabled = !algorithm.guided;
    byId('promise').textContent = promiseOf(algorithm, heuristic);
  }

  async solve() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    const { puzzle, board } = this.game;
    const heuristic = byId('heuristic').disabled ? undefined : byId('heuristic').value || undefined;
    const question = {
      ...puzzle.fields, board, algorithm: byId('algorithm').value, heuristic, timeout_ms: Number(byId('timeout').value), threads: this.threads,
      max_nodes: Number(byId('max-nodes').value) || undefined,
    };
    const parameter = PARAMETERS[question.algorithm];
    if (parameter) question[parameter.field] = byId('parameter').valueAsNumber || parameter.value;
    this.clear();
    this.#busy(true);
    const progress = new Progress();
    try {
      for await (const { name, value } of searching(question, running.signal)) {
        if (name === 'record') this.#answer(value, progress, puzzle, board);
        else progress.take(name, value);
      }
    } catch (error) {
      if (error.name === 'AbortError') progress.end('Stopped.');
      else byId('solve-error').textContent = error.inFull ?? 'The server does not answer. Is it still running?';
    } finally {
      if (this.running === running) {
        this.running = undefined;
        this.#busy(false);
      }
    }
  }

  #busy(is) {
    byId('solve').disabled = is;
    byId('cancel').hidden = !is;
  }

  #answer(record, progress, puzzle, board) {
    progress.finish(record);
    if (record.status === 'unsolvable') this.#explain(record.error, puzzle, board);
    else if (record.moves) {
      this.player.load(puzzle, board, record.moves, record, resultOf(record));
      this.onSolution(record);
    } else byId('solve-error').textContent = resultOf(record);
  }

  /** Why there is no solution, and what would change that. */
  #explain(reason, puzzle, board) {
    byId('solve-error').textContent = `This board cannot be solved: ${reason}.`;
    const fixes = [];
    const button = (text, action) => {
      const made = make('button', { type: 'button' }, text);
      made.onclick = action;
      fixes.push(made);
    };
    if (puzzle.blank) {
      const other = puzzle.goal_name === 'blank-last' ? 'blank-first' : 'blank-last';
      if (reason.includes(`the goal ${other} can be reached`)) {
        button(`Take the goal with the gap ${other === 'blank-last' ? 'last' : 'first'}`, () => this.useGoal(other));
      }
    }
    if (puzzle.blank || reason.includes('exchange any two tiles')) {
      const cells = board.map((_, cell) => cell).filter((cell) => board[cell] !== 0).slice(-2);
      const [a, b] = cells.map((cell) => board[cell]);
      button(`Exchange the tiles ${a} and ${b}`, () => {
        const swapped = [...board];
        [swapped[cells[0]], swapped[cells[1]]] = [b, a];
        this.useBoard(swapped);
      });
    }
    byId('fix').replaceChildren(...fixes);
    byId('fix').hidden = fixes.length === 0;
  }

  async #replay() {
    const { puzzle, board } = this.game;
    const field = byId('own-moves');
    try {
      const { moves, solved } = await post('/api/moves', { ...puzzle.fields, board, text: field.value });
      byId('own-moves-error').textContent = '';
      field.removeAttribute('aria-invalid');
      this.clear();
      this.player.load(puzzle, board, moves, undefined, `${counted(moves.length, 'move')}: ${solved ? 'solved' : 'not solved'}.`);
      this.onSolution();
    } catch (error) {
      byId('own-moves-error').textContent = error.inFull ?? String(error);
      field.setAttribute('aria-invalid', 'true');
    }
  }
}

/** How a search is getting on: words, and two lines that close in on the answer. */
class Progress {
  constructor() {
    this.below = [];
    this.above = [];
    this.time = 0;
    byId('progress-box').hidden = false;
    byId('progress-chart').replaceChildren();
    this.words('Waiting for a free place …');
  }

  words(text) { byId('progress-words').textContent = text; }

  take(name, value) {
    if (name === 'started') this.words('Searching …');
    if (value.seconds !== undefined) this.time = value.seconds;
    if (Number.isInteger(value.bound)) this.#add(this.below, value.bound, (last) => value.bound > last);
    if (name === 'improved') this.#add(this.above, value.length, (last) => value.length < last);
    if (name !== 'progress') {
      this.#draw();
      return;
    }
    const rate = value.expanded / Math.max(value.seconds, 1e-3);
    const table = value.table && `building a table, distance ${value.table[0]}, ${Math.round(100 * value.table[1])} %`;
    const best = this.above.length ? `, best so far ${this.above.at(-1)[1]}` : '';
    const bound = this.below.length ? `, at least ${this.below.at(-1)[1]}` : '';
    this.words(table ? `${seconds(value.seconds)}: ${table}`
      : `${value.seconds.toFixed(1)} s: ${grouped(value.expanded)} nodes, ${grouped(Math.round(rate))} a second${bound}${best}`);
    this.#draw();
  }

  #add(list, value, isNews) {
    const last = list.at(-1);
    if (!last || isNews(last[1])) list.push([this.time, value]);
  }

  finish(record) {
    this.time = Math.max(record.seconds, this.time);
    if (Number.isInteger(record.lower_bound)) this.#add(this.below, record.lower_bound, (last) => record.lower_bound > last);
    if (Number.isInteger(record.length)) this.#add(this.above, record.length, (last) => record.length < last);
    this.end(record.algorithm ? `Searched with ${record.algorithm}${record.heuristic ? `, ${record.heuristic}` : ''}: ${grouped(record.expanded)} expanded, ${grouped(record.generated)} generated.` : '');
    this.#draw();
  }

  end(text) { this.words(text); }

  /** The chart, if there is more to it than one moment. */
  #draw() {
    if (this.time < 0.5 || this.below.length + this.above.length === 0) return;
    const until = (list) => (list.length ? [...list, [this.time, list.at(-1)[1]]] : []);
    const series = [
      { name: 'best length', points: until(this.above), step: true, dash: '', dot: true },
      { name: 'proven bound', points: until(this.below), step: true, dash: '7 4', dot: true },
    ].filter(({ points }) => points.length);
    byId('progress-chart').replaceChildren(
      lineChart(series, { width: widthIn(byId('progress-box')), height: 160, zero: false, label: 'Best length from above and proven bound from below, over time', xName: 'seconds', yName: 'moves' }),
      legend(series),
    );
  }
}
