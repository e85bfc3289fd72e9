// The shape of a search at one moment: a bar for each depth, or for each estimated length, in colours
// of the estimated length; pale is what waits to be expanded.

import { short } from './chart.js';
import { draw, grouped, make } from './dom.js';

const [WIDTH, LEFT, RIGHT, TOP, BOTTOM] = [260, 36, 8, 4, 18];
const MOST_HEIGHT = 190;
const MOST_BAR = 16;
/** With more rows than this, each stands for several depths or lengths. */
const MOST_ROWS = 100;

/** From dark to light, for readers with any kind of colour vision. */
const SCALE = [[62, 84, 168], [38, 140, 150], [124, 178, 88], [240, 190, 60]];

function colourAt(share) {
  const at = Math.min(Math.max(share, 0), 1) * (SCALE.length - 1);
  const index = Math.min(Math.floor(at), SCALE.length - 2);
  const mixed = SCALE[index].map((from, channel) => Math.round(from + (SCALE[index + 1][channel] - from) * (at - index)));
  return `rgb(${mixed.join(' ')})`;
}

/**
 * The lengths that colours have to tell apart. Searches without estimates have short ones as well, in
 * which nobody else has any nodes.
 */
export function lengthRange(searches) {
  const guided = searches.filter((layers) => layers.some(([depth, length]) => depth !== length));
  const lengths = (guided.length ? guided : searches).flat().map(([, length]) => length);
  return [Math.min(...lengths), Math.max(...lengths)];
}

/** The colours of lengths between two. */
export function lengthColours([low, high]) {
  return (length) => colourAt((length - low) / Math.max(1, high - low));
}

const hasDepths = (layers) => layers.every(([depth]) => depth !== null);

/** Nodes by row, each with its parts; a row is a depth or a length, or the first of so many. */
function rowsOf(layers, by, each = 1) {
  const rows = new Map();
  for (const [depth, length, expanded, open] of layers) {
    const row = Math.floor((by === 'depth' ? depth : length) / each) * each;
    if (!rows.has(row)) rows.set(row, { total: 0, parts: [] });
    rows.get(row).total += expanded + open;
    rows.get(row).parts.push({ length, expanded, open });
  }
  return rows;
}

/** What the rows of a moment are, if it can be as wanted: the nodes of an iteration have many depths. */
export const rowsBy = (moment, wanted) => (wanted === 'depth' && hasDepths(moment.layers) ? 'depth' : 'length');

/** What all moments of a search have room in: its rows and its widest bar, as far as is known. */
export function extentOf(moments, by) {
  const known = moments.map(({ layers }) => layers).filter((layers) => by === 'length' || hasDepths(layers));
  const numbers = known.flat().map(([depth, length]) => (by === 'depth' ? depth : length));
  const last = numbers.reduce((a, b) => Math.max(a, b), 0);
  const first = by === 'depth' ? 0 : numbers.reduce((a, b) => Math.min(a, b), last);
  // The server joins depths by powers of two, too.
  let each = 1;
  while ((last - first) / each >= MOST_ROWS) each *= 2;
  const totals = known.flatMap((layers) => [...rowsOf(layers, by, each).values()]).map(({ total }) => total);
  return { by, each, first: Math.floor(first / each) * each, last, widest: totals.reduce((a, b) => Math.max(a, b), 1) };
}

/** The drawing. */
export function shape(name, moment, extent, colour) {
  const { each } = extent;
  const rows = rowsOf(moment.layers, extent.by, each);
  const count = Math.floor((extent.last - extent.first) / each) + 1;
  const bar = Math.min(MOST_BAR, (MOST_HEIGHT - TOP - BOTTOM) / count);
  const height = TOP + bar * count + BOTTOM;
  const scale = (WIDTH - LEFT - RIGHT) / extent.widest;
  const chart = draw('svg', {
    xmlns: 'http://www.w3.org/2000/svg', class: 'chart', viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height, role: 'img',
    'aria-label': inWords(name, rows, extent.by), 'font-family': 'system-ui, sans-serif', 'font-size': 12,
  });
  const step = [1, 2, 5, 10, 20, 50, 100].find((some) => some * bar >= 14) * each;
  for (let row = extent.first; row <= extent.last; row += each) {
    const y = TOP + ((row - extent.first) / each) * bar;
    if (row % step === 0) chart.append(draw('text', { x: LEFT - 5, y: y + bar / 2 + 4, 'text-anchor': 'end', fill: '#777' }, short(row)));
    const { parts = [], total = 0 } = rows.get(row) ?? {};
    let x = LEFT;
    const group = draw('g', {}, draw('title', {}, `${extent.by === 'depth' ? 'depth' : 'length'} ${row}${each > 1 ? ` to ${row + each - 1}` : ''}: ${grouped(total)}`));
    const segment = (nodes, length, opacity) => {
      if (nodes === 0) return;
      group.append(draw('rect', { x: x.toFixed(2), y: y.toFixed(2), width: Math.max(nodes * scale, 0.5).toFixed(2), height: Math.max(bar - 0.6, 0.6).toFixed(2), fill: colour(length), opacity }));
      x += nodes * scale;
    };
    for (const { expanded, length } of parts) segment(expanded, length, 1);
    for (const { open, length } of parts) segment(open, length, 0.38);
    chart.append(group);
  }
  chart.append(
    draw('line', { x1: LEFT, x2: LEFT, y1: TOP, y2: height - BOTTOM, stroke: '#888' }),
    draw('text', { x: LEFT, y: height - 4, fill: '#777' }, '0'),
    draw('text', { x: WIDTH - RIGHT, y: height - 4, 'text-anchor': 'end', fill: '#777' }, grouped(extent.widest)),
  );
  return chart;
}

function inWords(name, rows, by) {
  const most = [...rows].reduce((a, b) => (b[1].total > a[1].total ? b : a), [0, { total: 0 }]);
  return `${name}: ${rows.size} rows by ${by === 'depth' ? 'depth' : 'depth plus estimate'}, most nodes at ${most[0]}: ${grouped(most[1].total)}`;
}

/** What the colours mean. */
export function colourLegend([low, high], colour) {
  const shown = Array.from({ length: Math.min(high - low + 1, 12) }, (_, i) => low + Math.round((i * (high - low)) / Math.max(1, Math.min(high - low, 11))));
  const patch = (fill, opacity) => draw('rect', { width: 14, height: 12, fill, opacity });
  const patches = shown.map((length, i) => {
    const box = patch(colour(length));
    box.setAttribute('x', i * 14);
    return box;
  });
  return make('p', { class: 'note colours' }, `depth + estimate: ≤ ${low} `,
    draw('svg', { width: shown.length * 14, height: 12, 'aria-hidden': 'true' }, ...patches), ` ≥ ${high}, `,
    draw('svg', { width: 14, height: 12, 'aria-hidden': 'true' }, patch(colour(low), 0.38)), ' waiting');
}
