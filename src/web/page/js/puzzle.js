// A puzzle as the server describes it: what moves do to a board, and how tiles travel.

const SLIDES = { Up: [-1, 0], Down: [1, 0], Left: [0, -1], Right: [0, 1] };
const WAYS = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] };
const OPPOSITE = { Up: 'down', Down: 'up', Left: 'right', Right: 'left' };

const same = ([a, b], [c, d]) => a === c && b === d;

export class Puzzle {
  constructor(facts, { title, definition } = {}) {
    Object.assign(this, facts);
    this.id = facts.puzzle;
    this.title = title ?? facts.puzzle;
    this.definition = definition;
    this.moves = facts.moves.map((move) => this.#withCycles(move));
    this.byName = new Map(this.moves.map((move) => [move.name, move]));
    this.hasRings = this.moves.some((move) => move.kind === 'ring');
    this.hasLines = this.moves.some((move) => move.kind === 'line');
  }

  /** What requests say of this puzzle. */
  get fields() {
    const goal = this.goal_name ?? this.goal;
    return { puzzle: this.id, definition: this.definition, goal };
  }

  row(cell) { return Math.floor(cell / this.cols); }
  column(cell) { return cell % this.cols; }

  at([row, column]) {
    const inside = row >= 0 && row < this.rows && column >= 0 && column < this.cols;
    return inside ? row * this.cols + column : undefined;
  }

  neighbour(cell, [down, right]) {
    return this.at([this.row(cell) + down, this.column(cell) + right]);
  }

  isSolved(board) { return board.every((tile, cell) => tile === this.goal[cell]); }

  /** Whether these are the tiles of this puzzle, each once. */
  isBoard(tiles) {
    const sorted = (list) => [...list].sort((a, b) => a - b).join();
    return tiles.length === this.goal.length && sorted(tiles) === sorted(this.goal);
  }

  /** The board after a move; nothing if it cannot be made. */
  after(board, name) {
    const move = this.byName.get(name);
    if (!move) return undefined;
    if (move.from) return move.from.map((cell) => board[cell]);
    const blank = board.indexOf(0);
    const tile = this.neighbour(blank, SLIDES[name]);
    if (tile === undefined) return undefined;
    const next = [...board];
    [next[blank], next[tile]] = [next[tile], 0];
    return next;
  }

  /** What a move does, in words. */
  words(board, name) {
    const move = this.byName.get(name);
    if (!this.blank) return move?.words || name;
    const tile = this.neighbour(board.indexOf(0), SLIDES[name]);
    return tile === undefined ? name : `tile ${board[tile]} ${OPPOSITE[name]}`;
  }

  /** How tiles travel in a move from a board. */
  motion(board, name) {
    const move = this.byName.get(name);
    if (move.from) return { cycles: move.cycles };
    const way = SLIDES[name];
    const cell = this.neighbour(board.indexOf(0), way);
    return { cells: cell === undefined ? [] : [cell], way: way.map((step) => -step) };
  }

  /** On a sliding puzzle: the move that pushes all tiles from a cell to the gap, and how often. */
  push(board, cell) {
    const blank = board.indexOf(0);
    const [down, right] = [this.row(cell) - this.row(blank), this.column(cell) - this.column(blank)];
    if ((down === 0) === (right === 0)) return undefined;
    const way = [Math.sign(down), Math.sign(right)];
    const [name] = Object.entries(SLIDES).find(([, slide]) => same(slide, way));
    const times = Math.abs(down + right);
    const cells = Array.from({ length: times }, (_, i) => this.at([
      this.row(blank) + way[0] * (i + 1), this.column(blank) + way[1] * (i + 1)]));
    return { name, times, cells, way: way.map((step) => -step) };
  }

  /** On a sliding puzzle: the move that slides a tile this way. */
  slide(way) {
    return Object.entries(SLIDES).find(([, slide]) => same(slide, way.map((step) => -step || 0)))[0];
  }

  /** The moves of a kind that carry the tile of a cell, each with the way that it goes. */
  movesAt(cell, kind) {
    return this.moves.flatMap((move) => {
      const cycle = move.cycles?.find(({ cells }) => cells.includes(cell));
      if (!cycle || (kind && move.kind !== kind)) return [];
      const next = cycle.cells[(cycle.cells.indexOf(cell) + 1) % cycle.cells.length];
      const way = cycle.way ?? [this.row(next) - this.row(cell), this.column(next) - this.column(cell)];
      return [{ move, cycle, way }];
    });
  }

  /** The moves with the cycles in which cells pass their tiles on. */
  #withCycles(move) {
    if (!move.from) return move;
    const to = [];
    move.from.forEach((source, cell) => { to[source] = cell; });
    const cycles = [];
    const seen = new Set();
    for (let first = 0; first < to.length; first += 1) {
      if (seen.has(first) || to[first] === first) continue;
      const cells = [];
      for (let cell = first; !seen.has(cell); cell = to[cell]) {
        seen.add(cell);
        cells.push(cell);
      }
      cycles.push({ cells, way: this.#wayOfLine(cells, move.words) });
    }
    return { ...move, cycles, kind: this.#kind(cycles) };
  }

  /** The way of tiles that go round in a whole row or column, if that is what they do. */
  #wayOfLine(cells, words) {
    const rows = new Set(cells.map((cell) => this.row(cell)));
    const columns = new Set(cells.map((cell) => this.column(cell)));
    const length = rows.size === 1 ? this.cols : columns.size === 1 ? this.rows : 0;
    if (cells.length !== length) return undefined;
    if (length === 2) return WAYS[words.split(' ').pop()];
    const steps = cells.map((cell, i) => {
      const next = cells[(i + 1) % length];
      return [this.row(next) - this.row(cell), this.column(next) - this.column(cell)];
    });
    const way = steps.find(([down, right]) => Math.abs(down + right) === 1);
    return way && steps.filter((step) => same(step, way)).length === length - 1 ? way : undefined;
  }

  #kind(cycles) {
    if (cycles.length !== 1) return 'other';
    if (cycles[0].way) return 'line';
    const { cells } = cycles[0];
    const isNear = (cell, i) => {
      const next = cells[(i + 1) % cells.length];
      return Math.abs(this.row(next) - this.row(cell)) + Math.abs(this.column(next) - this.column(cell)) === 1;
    };
    return cells.length > 2 && cells.every(isNear) ? 'ring' : 'other';
  }
}
