// Line charts as drawings that stand on their own, so that they can be saved.

import { draw, make, seconds } from './dom.js';

const MARKS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a7000', '#5a9bd4'];
const DASHES = ['', '7 4', '2 4', '10 3 2 3', '5 5', '1 3'];

export const markColour = (index) => MARKS[index % MARKS.length];

/** Where an axis of times over many orders begins. */
const SOON = 1e-5;

const [LEFT, RIGHT, TOP, BOTTOM] = [46, 24, 20, 34];

/** How wide a chart is to be in a box, so that its words have their usual size. */
export const widthIn = (box) => Math.min(Math.max(box.clientWidth || 520, 280), 900);

/** Round numbers between two ends. */
function ticks(low, high, about = 5) {
  const rough = (high - low) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const list = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step / 1e6; at += step) list.push(Number(at.toPrecision(10)));
  return list;
}

/** 12000 as 12k. */
export const short = (number) => {
  const rounded = (by) => Number((number / by).toPrecision(3));
  return number >= 1e6 ? `${rounded(1e6)}M` : number >= 1e4 || (number >= 1e3 && number % 1e3 === 0) ? `${rounded(1e3)}k` : String(number);
};

/**
 * A chart of series, each `{ name, points: [[x, y], …], step, dot }`. `log` is for times and counts over
 * many orders. `at` marks a place on the axis below. Without `zero`, the lines fill the height.
 */
export function lineChart(series, { width = 520, height = 200, label, xName = '', yName = '', log = false, at, integers = false, zero = true }) {
  const points = series.flatMap((one) => one.points);
  const across = Math.max(log ? 10 * SOON : 0, ...points.map(([x]) => x)) || 1;
  const value = log ? (y) => Math.log10(Math.max(1, y)) : (y) => y;
  const values = points.map(([, y]) => value(y));
  const low = log ? 0 : zero ? Math.min(0, ...values) : Math.floor(0.95 * Math.min(...values));
  const high = Math.max(low + 1, ...values) * 1.04;
  const orders = (number) => Math.log10(Math.max(number, SOON) / SOON);
  const share = log ? (number) => orders(number) / orders(across) : (number) => number / across;
  const x = (number) => LEFT + share(number) * (width - LEFT - RIGHT);
  const y = (number) => height - BOTTOM - ((value(number) - low) / (high - low)) * (height - TOP - BOTTOM);
  const chart = draw('svg', {
    xmlns: 'http://www.w3.org/2000/svg', class: 'chart', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label,
    'font-family': 'system-ui, sans-serif', 'font-size': 12,
  });
  const yTicks = log
    ? Array.from({ length: Math.floor(high) + 1 }, (_, power) => 10 ** power)
    : ticks(low, high, 4).filter((number) => !integers || Number.isInteger(number));
  for (const tick of yTicks) {
    chart.append(
      draw('line', { x1: LEFT, x2: width - RIGHT, y1: y(tick), y2: y(tick), stroke: '#8886', 'stroke-width': 1 }),
      draw('text', { x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end', fill: '#777' }, short(tick)),
    );
  }
  const xTicks = log
    ? Array.from({ length: Math.floor(orders(across)) + 1 }, (_, power) => SOON * 10 ** power)
      .filter((_, power) => width > 400 || power % 2 === 0)
    : ticks(0, across, 6).filter((number) => !integers || Number.isInteger(number));
  for (const tick of xTicks) {
    chart.append(draw('text', { x: x(tick), y: height - BOTTOM + 16, 'text-anchor': 'middle', fill: '#777' }, log ? seconds(tick) : short(tick)));
  }
  chart.append(draw('text', { x: width - RIGHT, y: height - 2, 'text-anchor': 'end', fill: '#777' }, xName));
  chart.append(draw('text', { x: 4, y: 12, fill: '#777' }, yName));
  if (at !== undefined) {
    chart.append(draw('line', { class: 'at', x1: x(at), x2: x(at), y1: TOP, y2: height - BOTTOM, stroke: '#888', 'stroke-width': 2 }));
    chart.place = (place) => {
      const mark = chart.querySelector('.at');
      mark.setAttribute('x1', x(place));
      mark.setAttribute('x2', x(place));
    };
  }
  series.forEach(({ points: list, step, colour, dash, dot }, index) => {
    if (list.length === 0) return;
    const d = list.map(([px, py], i) => {
      if (i === 0) return `M${x(px).toFixed(1)} ${y(py).toFixed(1)}`;
      return step ? `H${x(px).toFixed(1)}V${y(py).toFixed(1)}` : `L${x(px).toFixed(1)} ${y(py).toFixed(1)}`;
    }).join('');
    chart.append(draw('path', {
      d, fill: 'none', stroke: colour ?? markColour(index), 'stroke-width': 2.5, 'stroke-linejoin': 'round',
      'stroke-dasharray': dash ?? DASHES[index % DASHES.length],
    }));
    const [lastX, lastY] = list.at(-1);
    if (dot) chart.append(draw('circle', { cx: x(lastX), cy: y(lastY), r: 4, fill: colour ?? markColour(index) }));
  });
  return chart;
}

/** The names of the series beside their lines. */
export function legend(series) {
  return make('ul', { class: 'legend' }, ...series.map(({ name, colour, dash }, index) => make('li', {},
    draw('svg', { width: 26, height: 8, 'aria-hidden': 'true' }, draw('line', {
      x1: 1, x2: 25, y1: 4, y2: 4, stroke: colour ?? markColour(index), 'stroke-width': 3, 'stroke-dasharray': dash ?? DASHES[index % DASHES.length],
    })), name, ' ', make('b'))));
}
