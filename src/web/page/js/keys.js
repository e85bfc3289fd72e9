// The keyboard: a cursor, numbers before arrows, and one letter for each button.

const ARROWS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  k: [-1, 0], j: [1, 0], h: [0, -1], l: [0, 1],
};
const CURSOR = { w: [-1, 0], s: [1, 0], a: [0, -1], d: [0, 1] };

/** Listens to keys. `actions` are what letters do; `before` is called before any move. */
export function attachKeys(view, { game, actions, before, say }) {
  let number = '';

  const move = (way) => {
    const { puzzle } = game;
    const times = Math.min(Number(number) || 1, 99);
    number = '';
    before();
    if (puzzle.blank) {
      const name = puzzle.slide(way);
      for (let made = 0; made < times && game.play(name); made += 1);
      return;
    }
    const candidates = puzzle.movesAt(view.cursor).filter(({ way: [down, right] }) => (
      Math.sign(down) === way[0] && Math.sign(right) === way[1]));
    const best = candidates.find(({ move: { kind } }) => kind === 'line') ?? candidates[0];
    if (best) game.play(best.move.name, times);
  };

  const moveCursor = (way) => {
    const { puzzle } = game;
    const wrap = (value, size) => (value + size) % size;
    view.moveCursor(puzzle.at([
      wrap(puzzle.row(view.cursor) + way[0], puzzle.rows), wrap(puzzle.column(view.cursor) + way[1], puzzle.cols)]));
  };

  const turnRing = (back) => {
    const ring = game.puzzle.movesAt(view.cursor, 'ring')[0]?.move;
    const name = back ? ring?.inverse : ring?.name;
    before();
    if (name) game.play(name, Math.min(Number(number) || 1, 99));
    number = '';
  };

  document.addEventListener('keydown', (event) => {
    const inField = event.target.closest('input:not([type=radio]):not([type=range]), textarea, select, dialog');
    if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
    // Whoever has clicked a button beside the board goes on with keys.
    const onButton = event.target.closest('.stage button');
    const onBoard = event.target === view.svg || event.target === document.body || onButton;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (/^[0-9]$/.test(key) && onBoard) {
      number = (number + key).slice(-2);
      say(`${Number(number)} × …`);
    } else if (ARROWS[key] && onBoard) {
      event.preventDefault();
      if (event.shiftKey && !game.puzzle.blank) moveCursor(ARROWS[key]);
      else move(ARROWS[key]);
    } else if (CURSOR[key] && onBoard) {
      if (game.puzzle.blank) move(CURSOR[key]);
      else moveCursor(CURSOR[key]);
    } else if (key === 'o' && onBoard) {
      turnRing(event.shiftKey);
    } else if (actions[key] && (key !== ' ' || (onBoard && !onButton))) {
      event.preventDefault();
      actions[key]();
    } else if (key === 'Escape') {
      number = '';
      say('');
    }
  });
}
