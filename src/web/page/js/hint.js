// Hints: the next move of a best solution as an arrow, and the next few fading.

import { post } from './api.js';
import { counted } from './dom.js';

/** How many moves are pointed at. */
const SHOWN = 3;

export class Hints {
  constructor({ game, view, say }) {
    Object.assign(this, { game, view, say });
    const clear = () => view.point([]);
    game.addEventListener('move', clear);
    game.addEventListener('back', clear);
    game.addEventListener('board', clear);
  }

  async show() {
    const { game } = this;
    if (game.isSolved) {
      this.say('It is solved.', true);
      return;
    }
    const { puzzle, board } = game;
    // Who follows a hint needs no new one.
    let left = this.#known(board);
    if (!left) {
      this.say('Looking for a good move …');
      let record;
      try {
        record = await post('/api/solve', { ...puzzle.fields, board, timeout_ms: 3000, threads: this.threads });
      } catch (error) {
        this.say(error.inFull ?? 'The server does not answer. Is it still running?');
        return;
      }
      if (board !== game.board) return;
      if (!record.moves) {
        this.say(record.status === 'unsolvable' ? 'This board cannot be solved: see Solve.' : 'No solution was found in time.');
        return;
      }
      left = { moves: record.moves, optimal: record.optimal };
      this.solution = { puzzle, steps: this.#steps(puzzle, board, left) };
    }
    game.helped = true;
    const motions = [];
    let at = board;
    for (const name of left.moves.slice(0, SHOWN)) {
      motions.push(puzzle.motion(at, name));
      at = puzzle.after(at, name);
    }
    this.view.point(motions);
    const worth = left.optimal ? '' : 'about ';
    this.say(`Hint: ${puzzle.words(board, left.moves[0])} (${worth}${counted(left.moves.length, 'move')} to go)`);
  }

  #steps(puzzle, start, { moves, optimal }) {
    const steps = new Map();
    let board = start;
    moves.forEach((name, index) => {
      steps.set(board.join(), { moves: moves.slice(index), optimal });
      board = puzzle.after(board, name);
    });
    return steps;
  }

  #known(board) {
    return this.solution?.puzzle === this.game.puzzle ? this.solution.steps.get(board.join()) : undefined;
  }
}
