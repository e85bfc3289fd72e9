// A race: several searches on the same board, their nodes over time, and the table of the course.

import { searching } from './api.js';
import { legend, lineChart, markColour } from './chart.js';
import { byId, copy, fill, grouped, make, save, seconds } from './dom.js';
import { heuristicChoices, promiseOf } from './solve.js';

const MOST = 4;

/** What is raced if nobody chooses otherwise. */
const FIRST = { blank: [['bfs', ''], ['astar', 'manhattan'], ['ida', 'linear-conflict']], other: [['bfs', ''], ['astar', 'circular-manhattan'], ['ida', 'circular-manhattan']] };

const COLUMNS = ['contender', 'cost', 'expanded', 'generated', 'depth', 'seconds', 'shortest', 'status'];

export class RacePanel {
  constructor({ game, algorithms, threads }) {
    Object.assign(this, { game, algorithms, threads, contenders: [] });
    byId('add-contender').onclick = () => this.#add('ida', '');
    byId('race').onclick = () => this.race();
    byId('race-stop').onclick = () => this.running?.abort();
    byId('race-csv').onclick = () => copy([COLUMNS, ...this.#rows()].map((row) => row.map(quoted).join(',')).join('\n'), 'Table');
    byId('race-markdown').onclick = () => {
      const line = (cells) => `| ${cells.join(' | ')} |`;
      copy([line(COLUMNS), line(COLUMNS.map(() => '---')), ...this.#rows().map(line)].join('\n'), 'Table');
    };
    byId('race-svg').onclick = () => {
      save('race.svg', 'image/svg+xml', new XMLSerializer().serializeToString(byId('race-chart').querySelector('svg')));
    };
  }

  setPuzzle(puzzle) {
    this.running?.abort();
    byId('race-result').hidden = true;
    byId('contenders').replaceChildren();
    this.contenders = [];
    for (const [algorithm, heuristic] of puzzle.blank ? FIRST.blank : FIRST.other) this.#add(algorithm, heuristic);
  }

  #add(algorithm, heuristic) {
    const number = this.contenders.length + 1;
    const algorithms = make('select', { 'aria-label': `Algorithm ${number}` });
    const heuristics = make('select', { 'aria-label': `Heuristic ${number}` });
    const remove = make('button', { type: 'button', 'aria-label': `Remove contender ${number}` }, '×');
    const box = make('div', { class: 'contender' }, make('label', {}, 'Algorithm', algorithms), make('label', {}, 'Heuristic', heuristics), remove);
    const contender = { algorithms, heuristics, box };
    fill(algorithms, this.algorithms.map(({ name }) => ({ value: name, text: name })), algorithm);
    fill(heuristics, heuristicChoices(this.game.puzzle), heuristic);
    const describe = () => {
      const chosen = this.algorithms.find(({ name }) => name === algorithms.value);
      heuristics.disabled = !chosen.guided;
      const guide = this.game.puzzle.heuristics.find(({ name }) => name === heuristics.value);
      box.title = promiseOf(chosen, guide);
    };
    algorithms.onchange = describe;
    heuristics.onchange = describe;
    remove.onclick = () => {
      box.remove();
      this.contenders = this.contenders.filter((other) => other !== contender);
      this.#limit();
    };
    describe();
    this.contenders.push(contender);
    byId('contenders').append(box);
    this.#limit();
  }

  #limit() {
    byId('add-contender').disabled = this.contenders.length >= MOST;
    this.contenders.forEach(({ box }, index) => {
      box.style.setProperty('--mark', markColour(index));
      box.querySelector('button').disabled = this.contenders.length <= 2;
    });
  }

  async race() {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    byId('race').disabled = true;
    byId('race-stop').hidden = false;
    byId('race-error').textContent = '';
    byId('race-result').hidden = false;
    const { puzzle, board } = this.game;
    this.runs = this.contenders.map(({ algorithms, heuristics }) => {
      const heuristic = heuristics.disabled ? undefined : heuristics.value || undefined;
      return { name: [algorithms.value, heuristic].filter(Boolean).join(' '), algorithm: algorithms.value, heuristic, points: [[0, 1]], state: 'waiting' };
    });
    const body = byId('race-table').tBodies[0];
    body.replaceChildren(...this.runs.map(() => make('tr')));
    this.#draw();
    const ticking = setInterval(() => this.#draw(), 100);
    const timeout = Number(byId('race-timeout').value);
    await Promise.all(this.runs.map((run) => this.#run(run, {
      ...puzzle.fields, board, algorithm: run.algorithm, heuristic: run.heuristic, timeout_ms: timeout, threads: this.#threadsOf(run),
    }, running.signal)));
    clearInterval(ticking);
    this.#draw();
    byId('race').disabled = false;
    byId('race-stop').hidden = true;
  }

  /** Those that are there to use several threads have them; `auto` is to be compared with the others. */
  #threadsOf({ algorithm }) {
    const { parallel } = this.algorithms.find(({ name }) => name === algorithm);
    return parallel && algorithm !== 'auto' ? this.threads : 1;
  }

  async #run(run, question, signal) {
    try {
      for await (const { name, value } of searching(question, signal)) {
        if (name === 'started') run.state = 'searching';
        if (name === 'progress') {
          run.points.push([value.seconds, value.expanded]);
          if (value.bound) run.state = `searching, at least ${value.bound}`;
        }
        if (name === 'record') {
          run.record = value;
          run.points.push([value.seconds, value.expanded]);
          run.state = value.status;
          if (value.status === 'unsolvable') byId('race-error').textContent = 'This board cannot be solved: the panel Solve says why.';
        }
      }
    } catch (error) {
      run.state = error.name === 'AbortError' ? 'stopped' : 'refused';
      if (error.name !== 'AbortError') byId('race-error').textContent = `${run.name}: ${error.inFull ?? error.message}`;
    }
  }

  #draw() {
    const series = this.runs.map(({ name, points, record }) => ({ name, points, dot: record !== undefined }));
    byId('race-chart').replaceChildren(
      lineChart(series, { height: 230, label: 'Nodes expanded over time', xName: 'time', yName: 'nodes expanded', log: true }), legend(series));
    const solved = this.runs.filter(({ record }) => record?.status === 'solved');
    const fastest = Math.min(...solved.map(({ record }) => record.seconds));
    this.runs.forEach((run, index) => {
      const { record } = run;
      const number = (value) => make('td', { class: 'number' }, value === null || value === undefined ? '–' : String(value));
      const first = record?.status === 'solved' && record.seconds === fastest ? ' ★' : '';
      byId('race-table').tBodies[0].rows[index].replaceChildren(
        make('th', { scope: 'row' }, run.name + first), make('td', {}, record?.status === 'solved' ? worth(record) : run.state),
        number(record?.length), number(record ? grouped(record.expanded) : grouped(run.points.at(-1)[1])),
        number(record && grouped(record.generated)), number(record?.max_depth),
        number(record && seconds(record.seconds)),
      );
    });
  }

  #rows() {
    return this.runs.map(({ name, record, state }) => (record
      ? [name, record.length ?? '', record.expanded, record.generated, record.max_depth, record.seconds.toFixed(6), worth(record), record.status]
      : [name, '', '', '', '', '', '', state]));
  }
}

function worth(record) {
  if (record?.status !== 'solved') return '–';
  return record.optimal ? 'proven' : 'not proven';
}

const quoted = (cell) => (/[",\n]/.test(String(cell)) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
