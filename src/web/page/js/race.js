// A race: several searches on the same board, their nodes over time, and the table of the course.

import { searching } from './api.js';
import { legend, lineChart, markColour, widthIn } from './chart.js';
import { byId, copy, draw, fill, grouped, make, save, seconds } from './dom.js';
import { Film } from './film.js';
import { heuristicChoices, promiseOf } from './solve.js';

const MOST = 4;

/** A race of so many milliseconds is shown once more, slowly. */
const SHORT = 2000;

/** The height of a title in the picture of a race. */
const TITLE = 24;

/** What is raced if nobody chooses otherwise. */
const FIRST = { blank: [['bfs', ''], ['astar', 'manhattan'], ['ida', 'linear-conflict']], other: [['bfs', ''], ['astar', 'circular-manhattan'], ['ida', 'circular-manhattan']] };

const COLUMNS = ['contender', 'cost', 'expanded', 'generated', 'depth', 'seconds', 'shortest', 'status'];

export class RacePanel {
  constructor({ game, algorithms, threads }) {
    Object.assign(this, { game, algorithms, threads, contenders: [], film: new Film() });
    byId('add-contender').onclick = () => this.#add('ida', '');
    byId('race').onclick = () => this.race();
    byId('race-stop').onclick = () => this.running?.abort();
    const csv = () => [COLUMNS, ...this.#rows()].map((row) => row.map(quoted).join(',')).join('\n');
    byId('race-csv').onclick = () => copy(csv(), 'Table');
    byId('save-race-csv').onclick = () => save('race.csv', 'text/csv', `${csv()}\n`);
    byId('race-markdown').onclick = () => {
      const line = (cells) => `| ${cells.join(' | ')} |`;
      copy([line(COLUMNS), line(COLUMNS.map(() => '---')), ...this.#rows().map(line)].join('\n'), 'Table');
    };
    byId('race-svg').onclick = () => save('race.svg', 'image/svg+xml', this.#picture());
  }

  setPuzzle(puzzle) {
    this.running?.abort();
    this.film.pause();
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
    this.runs = this.contenders.map(({ algorithms, heuristics }, index) => {
      const heuristic = heuristics.disabled ? undefined : heuristics.value || undefined;
      return {
        name: [algorithms.value, heuristic].filter(Boolean).join(' '), algorithm: algorithms.value, heuristic, colour: markColour(index),
        points: [[0, 1]], moments: [], state: 'waiting', over: false,
      };
    });
    this.film.load(this.runs);
    const body = byId('race-table').tBodies[0];
    body.replaceChildren(...this.runs.map(() => make('tr')));
    this.#draw();
    const ticking = setInterval(() => {
      this.#draw();
      this.film.show(1);
    }, 100);
    const began = performance.now();
    const timeout = Number(byId('race-timeout').value);
    await Promise.all(this.runs.map((run) => this.#run(run, {
      ...puzzle.fields, board, algorithm: run.algorithm, heuristic: run.heuristic, timeout_ms: timeout, threads: this.#threadsOf(run),
      // What `auto` does is several searches, each with nodes of its own.
      layers: run.algorithm !== 'auto',
    }, running.signal)));
    clearInterval(ticking);
    this.#draw();
    this.film.show(1);
    // Whoever has not had the time to watch it can do so now.
    if (performance.now() - began < SHORT && !running.signal.aborted) this.film.play();
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
        if (name === 'layers') run.moments.push(...value);
        if (name === 'progress') {
          run.progress = value;
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
    } finally {
      run.over = true;
    }
  }

  #draw() {
    const series = this.runs.map(({ name, points, moments, record }) => ({
      name, dot: record !== undefined, points: [...points, ...moments.map((moment) => [moment.seconds, moment.expanded])].sort(([a], [b]) => a - b),
    }));
    byId('race-chart').replaceChildren(
      lineChart(series, { width: widthIn(byId('race-result')), height: 230, label: 'Nodes expanded over time', xName: 'time', yName: 'nodes expanded', log: true }), legend(series));
    const solved = this.runs.filter(({ record }) => record?.status === 'solved');
    const fastest = Math.min(...solved.map(({ record }) => record.seconds));
    this.runs.forEach((run, index) => {
      const { record } = run;
      const number = (value) => make('td', { class: 'number' }, value === null || value === undefined ? '–' : String(value));
      const first = record?.status === 'solved' && record.seconds === fastest ? ' ★' : '';
      byId('race-table').tBodies[0].rows[index].replaceChildren(
        make('th', { scope: 'row' }, run.name + first), make('td', {}, record?.status === 'solved' ? worth(record) : run.state),
        number(record?.length && grouped(record.length)), number(record ? grouped(record.expanded) : grouped(run.points.at(-1)[1])),
        number(record && grouped(record.generated)), number(record && grouped(record.max_depth)),
        number(record && seconds(record.seconds)),
      );
    });
  }

  /** The chart and the shapes in one drawing. */
  #picture() {
    const drawings = [...document.querySelectorAll('#race-chart svg.chart, #race-shapes svg.chart')].map((drawing) => drawing.cloneNode(true));
    let [y, across] = [0, 0];
    const parts = drawings.map((drawing) => {
      const { width, height } = drawing.viewBox.baseVal;
      across = Math.max(across, width);
      for (const [name, value] of Object.entries({ y: y + TITLE, width, height })) drawing.setAttribute(name, value);
      const title = draw('text', { x: 4, y: y + TITLE - 6, 'font-weight': 600 }, drawing.getAttribute('aria-label').split(':')[0]);
      y += height + TITLE;
      return draw('g', {}, title, drawing);
    });
    const whole = draw('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${across} ${y}`, width: across, height: y, 'font-family': 'system-ui, sans-serif', 'font-size': 13 },
      draw('rect', { width: '100%', height: '100%', fill: '#fff' }), ...parts);
    return new XMLSerializer().serializeToString(whole);
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
