// The board as a drawing: tiles, tiles on their way, a cursor, arrows for hints.

import { draw } from './dom.js';

const CELL = 100;
const PAD = 8;
const GAP = 3;
/** How far from the middle of tiles arrows are. */
const ASIDE = 41;

/** Light colours that readers with any kind of colour vision tell apart, under dark numbers. */
const COLOURS = ['#77aadd', '#eedd88', '#ee8866', '#44bb99', '#ffaabb', '#bbcc33', '#99ddff', '#dddddd', '#c8b6e2', '#d9b48f'];
const PLAIN = '#f3ecdc';

/** The colour of each tile by where it belongs. */
export function colourOf(puzzle, scheme, tile) {
  const home = puzzle.goal.indexOf(tile);
  const [row, column] = [puzzle.row(home), puzzle.column(home)];
  const number = {
    rows: row,
    columns: column,
    // The top row and the left column come first, as people solve it.
    fringe: Math.min(row, column),
  }[scheme];
  return number === undefined ? PLAIN : COLOURS[number % COLOURS.length];
}

const size = (puzzle) => [puzzle.cols * CELL + 2 * PAD, puzzle.rows * CELL + 2 * PAD];
const corner = (puzzle, cell) => [PAD + puzzle.column(cell) * CELL, PAD + puzzle.row(cell) * CELL];
const middle = (puzzle, cell) => corner(puzzle, cell).map((at) => at + CELL / 2);
const fontSize = (tile) => (String(tile).length > 2 ? 36 : 44);

/** Where the tile of a cell is after a share of a motion, and once more if it comes in on the other side. */
function travel(puzzle, motion, cell, share) {
  const [x, y] = corner(puzzle, cell);
  if (motion.cells) {
    if (!motion.cells.includes(cell)) return undefined;
    return [[x + motion.way[1] * share * CELL, y + motion.way[0] * share * CELL]];
  }
  const cycle = motion.cycles.find(({ cells }) => cells.includes(cell));
  if (!cycle) return undefined;
  const { cells, way } = cycle;
  const at = cells.indexOf(cell) + share;
  const whole = Math.floor(at);
  const rest = at - whole;
  const here = cells[((whole % cells.length) + cells.length) % cells.length];
  const next = cells[(((whole + 1) % cells.length) + cells.length) % cells.length];
  const [from, to] = [corner(puzzle, here), corner(puzzle, next)];
  if (!way) return [from.map((value, axis) => value + (to[axis] - value) * rest)];
  const places = [[from[0] + way[1] * rest * CELL, from[1] + way[0] * rest * CELL]];
  if (puzzle.neighbour(here, way) === undefined && rest > 0) {
    places.push([to[0] - way[1] * (1 - rest) * CELL, to[1] - way[0] * (1 - rest) * CELL]);
  }
  return places;
}

export class BoardView {
  constructor(svg) {
    this.svg = svg;
    this.scheme = 'rows';
    this.cursor = 0;
    this.calm = matchMedia('(prefers-reduced-motion: reduce)');
  }

  setPuzzle(puzzle) {
    this.puzzle = puzzle;
    this.stop();
    this.cursor = Math.min(this.cursor, puzzle.goal.length - 1);
    const [width, height] = size(puzzle);
    this.svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    this.svg.parentElement.style.maxWidth = `min(100%, ${Math.round(66 * width / height)}vh, ${puzzle.cols * 13}rem)`;
    const wells = puzzle.goal.map((_, cell) => {
      const [x, y] = corner(puzzle, cell);
      return draw('rect', { class: 'well', x: x + 1, y: y + 1, width: CELL - 2, height: CELL - 2, rx: 12 });
    });
    this.tiles = new Map(puzzle.goal.filter((tile) => tile !== 0).map((tile) => [tile, this.#tile(tile)]));
    this.ghosts = [];
    const clip = draw('clipPath', { id: 'inside' }, draw('rect', { x: PAD, y: PAD, width: puzzle.cols * CELL, height: puzzle.rows * CELL, rx: 10 }));
    this.layer = draw('g', { 'clip-path': 'url(#inside)' }, ...this.tiles.values());
    this.cursorMark = draw('rect', { class: 'cursor', width: CELL - 10, height: CELL - 10, rx: 12 });
    this.arrows = draw('g');
    const head = draw('marker', { id: 'head', viewBox: '0 0 10 10', refX: 6, refY: 5, markerWidth: 3, markerHeight: 3, orient: 'auto-start-reverse' },
      draw('path', { d: 'M1 1 L8 5 L1 9', fill: 'none', stroke: 'context-stroke', 'stroke-width': 2.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' }));
    this.svg.replaceChildren(draw('defs', {}, clip, head), ...wells, this.layer, this.cursorMark, this.arrows);
    this.moveCursor(this.cursor);
  }

  #tile(tile) {
    const label = draw('text', { x: CELL / 2, y: CELL / 2 + 2, 'font-size': fontSize(tile) }, String(tile));
    const face = draw('rect', {
      x: GAP, y: GAP, width: CELL - 2 * GAP, height: CELL - 2 * GAP, rx: 11, fill: colourOf(this.puzzle, this.scheme, tile),
    });
    return draw('g', { class: 'tile', 'data-tile': tile }, face, label);
  }

  setColours(scheme) {
    this.scheme = scheme;
    for (const [tile, group] of this.tiles) {
      group.firstChild.setAttribute('fill', colourOf(this.puzzle, scheme, tile));
    }
  }

  moveCursor(cell) {
    this.cursor = cell;
    const [x, y] = corner(this.puzzle, cell);
    this.cursorMark.setAttribute('x', x + 5);
    this.cursorMark.setAttribute('y', y + 5);
  }

  /** The cell under a pointer, and where the pointer is in the drawing. */
  locate(event) {
    const box = this.svg.getBoundingClientRect();
    const scale = size(this.puzzle)[0] / box.width;
    const x = (event.clientX - box.left) * scale;
    const y = (event.clientY - box.top) * scale;
    const place = [Math.floor((y - PAD) / CELL), Math.floor((x - PAD) / CELL)];
    return { x, y, cell: this.puzzle.at(place) };
  }

  /** The places of a cycle's cells, for who drags along it. */
  middles(cells) { return cells.map((cell) => middle(this.puzzle, cell)); }

  /** A board at rest, or a share of a motion into the next one. */
  show(board, motion, share = 0) {
    this.board = board;
    for (const ghost of this.ghosts) ghost.remove();
    this.ghosts = [];
    board.forEach((tile, cell) => {
      if (tile === 0) return;
      const group = this.tiles.get(tile);
      const places = motion && travel(this.puzzle, motion, cell, share);
      const [[x, y], second] = places ?? [corner(this.puzzle, cell)];
      group.setAttribute('transform', `translate(${x} ${y})`);
      group.classList.toggle('moving', Boolean(places));
      if (second) {
        const ghost = group.cloneNode(true);
        ghost.setAttribute('transform', `translate(${second[0]} ${second[1]})`);
        this.ghosts.push(ghost);
        this.layer.append(ghost);
      }
    });
  }

  /** Shows how one board becomes another, from a share of the motion on, and ends with the other one. */
  animate(before, motion, [from, to], after, time = 130) {
    this.stop();
    if (this.calm.matches) {
      this.show(after);
      return;
    }
    const began = performance.now();
    const frame = (now) => {
      const part = Math.min(1, Math.max(0, (now - began) / time));
      if (part === 1) {
        this.running = undefined;
        this.show(after);
        return;
      }
      this.show(before, motion, from + (to - from) * (1 - (1 - part) ** 3));
      this.running = requestAnimationFrame(frame);
    };
    this.running = requestAnimationFrame(frame);
  }

  stop() {
    if (this.running) cancelAnimationFrame(this.running);
    this.running = undefined;
  }

  /** A short glow. */
  celebrate() {
    this.svg.classList.remove('solved');
    this.svg.getBoundingClientRect();
    this.svg.classList.add('solved');
  }

  /** Arrows for moves, the first one the strongest. */
  point(motions) {
    this.arrows.replaceChildren(...motions.flatMap((motion, index) => {
      const strength = [1, 0.4, 0.2][index];
      return this.#arrowPaths(motion).map((d) => draw('path', {
        class: 'hint-arrow', d, 'marker-end': 'url(#head)', opacity: strength, 'stroke-dasharray': index ? '4 16' : undefined,
      }));
    }).reverse());
  }

  #arrowPaths(motion) {
    const path = (points) => `M${points.map((point) => point.join(' ')).join(' L')}`;
    if (motion.cells) {
      return motion.cells.map((cell) => {
        const beside = [Math.abs(motion.way[0]), Math.abs(motion.way[1])].map((share) => share * ASIDE);
        const [x, y] = middle(this.puzzle, cell).map((at, axis) => at + beside[axis]);
        return path([[x, y], [x + motion.way[1] * CELL * 0.9, y + motion.way[0] * CELL * 0.9]]);
      });
    }
    return motion.cycles.map(({ cells, way }) => {
      if (!way) return path(outwards(this.middles(cells)));
      const along = [...cells].sort((a, b) => (way[0] + way[1]) * (a - b));
      // Beside the numbers, not across them.
      const beside = ([x, y]) => [x + Math.abs(way[0]) * ASIDE, y + Math.abs(way[1]) * ASIDE];
      return path([along[0], along.at(-1)].map((cell) => beside(middle(this.puzzle, cell))));
    });
  }
}

/** The points of a ring, moved to its outer edge: beside the numbers. */
function outwards(points) {
  const ends = [0, 1].map((axis) => points.map((point) => point[axis])).map((list) => [Math.min(...list), Math.max(...list)]);
  return points.map((point) => point.map((at, axis) => at + (at === ends[axis][1] ? ASIDE : at === ends[axis][0] ? -ASIDE : 0)));
}

/** A small picture of a board. */
export function miniature(puzzle, board, scheme) {
  const [width, height] = size(puzzle);
  return draw('svg', { viewBox: `0 0 ${width} ${height}`, class: 'mini', width: 56, height: 56, role: 'img', 'aria-label': `Goal: ${board.join(' ')}` },
    ...stillTiles(puzzle, board, scheme).values());
}

function stillTiles(puzzle, board, scheme) {
  return new Map(board.flatMap((tile, cell) => {
    if (tile === 0) return [];
    const [x, y] = corner(puzzle, cell);
    const face = draw('rect', { x: GAP, y: GAP, width: CELL - 2 * GAP, height: CELL - 2 * GAP, rx: 11, fill: colourOf(puzzle, scheme, tile) });
    const label = draw('text', {
      x: CELL / 2, y: CELL / 2 + 2, 'font-size': fontSize(tile), 'font-weight': 600, 'font-family': 'system-ui, sans-serif',
      'text-anchor': 'middle', 'dominant-baseline': 'central', fill: '#14181f',
    }, String(tile));
    return [[tile, draw('g', { transform: `translate(${x} ${y})` }, face, label)]];
  }));
}

/** A solution as a drawing that plays by itself, again and again. */
export function animatedDrawing(puzzle, start, moves, scheme, perMove = 0.6) {
  const [width, height] = size(puzzle);
  const total = (moves.length + 3) * perMove;
  const tiles = stillTiles(puzzle, start, scheme);
  const copies = new Map();
  const stops = new Map([...tiles.keys()].map((tile) => [tile, []]));
  const hidden = [-2 * CELL, -2 * CELL];
  let board = start;
  const note = (tile, time, place) => stops.get(tile).push([time / total, place]);
  const ghostStops = new Map();
  board.forEach((tile, cell) => tile && note(tile, 0, corner(puzzle, cell)));
  moves.forEach((name, index) => {
    const motion = puzzle.motion(board, name);
    const [from, to] = [(index + 1) * perMove, (index + 1.8) * perMove];
    const after = puzzle.after(board, name);
    board.forEach((tile, cell) => {
      if (!tile) return;
      const nearlyThere = travel(puzzle, motion, cell, 0.999);
      if (!nearlyThere) return;
      const [x, y] = corner(puzzle, cell);
      const home = corner(puzzle, after.indexOf(tile));
      note(tile, from, [x, y]);
      note(tile, to, nearlyThere[0]);
      note(tile, to + 0.001, home);
      if (nearlyThere.length === 2) {
        const way = [nearlyThere[0][0] - x, nearlyThere[0][1] - y].map((step) => Math.round(step / CELL) * CELL);
        if (!ghostStops.has(tile)) ghostStops.set(tile, [[0, hidden]]);
        ghostStops.get(tile).push([(from - 0.001) / total, hidden], [from / total, [home[0] - way[0], home[1] - way[1]]],
          [to / total, home], [(to + 0.001) / total, hidden]);
      }
    });
    board = after;
  });
  const animate = (group, list) => {
    const ordered = [...list, [1, list.at(-1)[1]]];
    group.append(draw('animateTransform', {
      attributeName: 'transform', type: 'translate', dur: `${total.toFixed(2)}s`, repeatCount: 'indefinite', calcMode: 'linear',
      keyTimes: ordered.map(([time]) => time.toFixed(6)).join(';'),
      values: ordered.map(([, place]) => place.map((value) => Math.round(value)).join(' ')).join(';'),
    }));
  };
  for (const [tile, list] of ghostStops) {
    const ghost = tiles.get(tile).cloneNode(true);
    animate(ghost, list);
    copies.set(tile, ghost);
  }
  for (const [tile, group] of tiles) if (stops.get(tile).length > 1) animate(group, stops.get(tile));
  const clip = draw('clipPath', { id: 'inside' }, draw('rect', { x: PAD, y: PAD, width: width - 2 * PAD, height: height - 2 * PAD, rx: 10 }));
  const drawing = draw('svg', { xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    draw('defs', {}, clip), draw('rect', { width, height, rx: 14, fill: '#e7e4dc' }),
    draw('g', { 'clip-path': 'url(#inside)' }, ...tiles.values(), ...copies.values()));
  return new XMLSerializer().serializeToString(drawing);
}
