// A game: the board, the moves made and taken back, the clock.

export class Game extends EventTarget {
  /** A new board to play. `kind` is how it came about; `counts` whether a solve of it counts. */
  load(puzzle, board, { kind = 'own', counts = false } = {}) {
    Object.assign(this, { puzzle, start: board, board, kind, counts });
    this.done = [];
    this.undone = [];
    this.began = undefined;
    this.ended = undefined;
    this.helped = false;
    this.#tell('board');
  }

  get isSolved() { return this.puzzle.isSolved(this.board); }
  get seconds() { return this.began === undefined ? 0 : ((this.ended ?? performance.now()) - this.began) / 1000; }
  get names() { return this.done.map(({ name }) => name); }

  /** Makes a move so many times; whether all could be made. `shown` if the board shows them already. */
  play(name, times = 1, shown = false) {
    for (let made = 0; made < times; made += 1) {
      const after = this.puzzle.after(this.board, name);
      if (!after) return false;
      if (this.began === undefined) this.began = performance.now();
      const before = this.board;
      this.done.push({ name, before });
      this.undone = [];
      this.board = after;
      this.#tell('move', { name, before, after, shown });
      if (this.isSolved && this.ended === undefined) {
        this.ended = performance.now();
        this.#tell('solved');
        return made + 1 === times;
      }
    }
    return true;
  }

  undo() {
    const last = this.done.pop();
    if (!last) return;
    this.undone.push({ name: last.name, after: this.board });
    const before = this.board;
    this.board = last.before;
    this.#tell('back', { name: last.name, before, after: last.before });
  }

  redo() {
    const next = this.undone.pop();
    if (!next) return;
    const before = this.board;
    this.done.push({ name: next.name, before });
    this.board = next.after;
    this.#tell('move', { name: next.name, before, after: next.after });
  }

  #tell(type, detail = {}) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
