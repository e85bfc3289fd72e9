// A race as a film: all contenders at the same time, or after the same number of nodes.

import { byId, counted, grouped, make, seconds } from './dom.js';
import { colourLegend, extentOf, lengthColours, lengthRange, rowsBy, shape } from './layers.js';

/** Seconds that the film of a whole race takes. */
const LENGTH = 5;

/** Where the axes of times and of nodes begin: they go over many orders. */
const SOON = { seconds: 1e-5, expanded: 1 };

/** What depths are, where they are not moves from the start. */
const ROWS = { bidirectional: 'moves from the start or from the goal', beam: 'layers of the beam' };

export class Film {
  constructor() {
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
    byId('film').oninput = () => {
      this.pause();
      this.show(Number(byId('film').value));
    };
    byId('film-play').onclick = () => (this.playing ? this.pause() : this.play());
    for (const input of document.querySelectorAll('input[name=pace]')) input.onchange = () => this.show(this.share ?? 1);
    byId('race-rows').onchange = () => this.show(this.share ?? 1);
  }

  /** Begins with new contenders. */
  load(runs) {
    this.pause();
    this.runs = runs;
    this.show(1);
  }

  /** What is the same for all contenders. */
  get #key() { return document.querySelector('input[name=pace]:checked').value; }

  /** How far the film goes. In step, nobody gets ahead of those who are still searching. */
  #end(key) {
    const reached = (run) => run.record?.[key] ?? Math.max(run.moments.at(-1)?.[key] ?? 0, run.progress?.[key] ?? 0);
    const searching = this.runs.filter((run) => !run.over);
    const ends = (key === 'expanded' && searching.length ? searching : this.runs).map(reached);
    return Math.max(SOON[key], key === 'expanded' && searching.length ? Math.min(...ends) : Math.max(...ends));
  }

  play() {
    if (this.calm.matches) {
      this.show(1);
      return;
    }
    const from = this.share >= 1 ? 0 : this.share;
    const began = performance.now();
    byId('film-play').textContent = '❚❚';
    byId('film-play').setAttribute('aria-label', 'Pause');
    const frame = (now) => {
      const share = Math.min(1, from + (now - began) / 1000 / LENGTH);
      this.show(share);
      if (share < 1) this.playing = requestAnimationFrame(frame);
      else this.pause();
    };
    this.playing = requestAnimationFrame(frame);
  }

  pause() {
    if (this.playing) cancelAnimationFrame(this.playing);
    this.playing = undefined;
    byId('film-play').textContent = '▶';
    byId('film-play').setAttribute('aria-label', 'Watch the race');
  }

  /** A share of the film. */
  show(share) {
    if (!this.runs) return;
    this.share = share;
    const key = this.#key;
    const end = this.#end(key);
    const at = share >= 1 ? end : SOON[key] * (end / SOON[key]) ** share;
    const now = key === 'seconds' ? `after ${seconds(Number(at.toPrecision(2)))}` : `after ${grouped(Math.round(at))} nodes each`;
    byId('film').value = share;
    byId('film').setAttribute('aria-valuetext', now);
    byId('film-now').textContent = now;
    const told = this.runs.filter(({ moments }) => moments.length);
    const range = lengthRange(told.map(({ moments }) => moments.at(-1).layers));
    const colour = lengthColours(range);
    byId('race-shapes').replaceChildren(...this.runs.map((run) => this.#figure(run, key, at, colour)));
    byId('race-colours').replaceChildren(...(told.length ? [colourLegend(range, colour)] : []));
  }

  /** The extent of all that is known, worked out anew when there is more. */
  #extent(run, by) {
    const known = run.extents?.get(by);
    if (known?.moments === run.moments.length) return known.extent;
    const extent = extentOf(run.moments, by);
    run.extents ??= new Map();
    run.extents.set(by, { moments: run.moments.length, extent });
    return extent;
  }

  #figure(run, key, at, colour) {
    const { name, moments, record, state } = run;
    const isOver = record !== undefined && record[key] <= at;
    const figure = make('figure', {}, make('figcaption', {}, make('b', {}, name)));
    figure.style.setProperty('--mark', run.colour);
    if (moments.length) {
      const wanted = byId('race-rows').value;
      const moment = (isOver ? moments.at(-1) : moments.findLast((one) => one[key] <= at)) ?? moments[0];
      const by = rowsBy(moment, wanted);
      figure.append(shape(name, moment, this.#extent(run, by), colour));
      const rows = by !== wanted ? 'the bounds of its iterations' : by === 'depth' ? ROWS[run.algorithm] : undefined;
      if (rows) figure.append(make('p', { class: 'note' }, `rows: ${rows}`));
    } else if (run.over) {
      figure.append(make('p', { class: 'note' }, run.algorithm === 'auto' ? 'Several searches in turn, without bars.' : 'It tells nothing of its nodes.'));
    }
    const nodes = isOver ? record.expanded : key === 'expanded' ? Math.round(at) : moments.findLast((moment) => moment[key] <= at)?.expanded ?? 0;
    const words = isOver ? ending(record) : record ? 'searching' : state;
    figure.append(make('p', { class: isOver ? 'over' : '' }, `${grouped(nodes)} nodes: ${words}`));
    return figure;
  }
}

function ending(record) {
  if (record.status !== 'solved') return record.status;
  return `${counted(record.length, 'move')}${record.optimal ? ', proven shortest' : ''}`;
}
