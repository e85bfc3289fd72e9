// Dragging: lines follow the pointer and wrap, rings turn along their way, tiles slide into the gap.

const CELL = 100;
/** How far a pointer goes before it drags. */
const SLACK = 9;

/** Lets pointers play. `kind` says what is dragged where both lines and rings could be. */
export function attachGestures(view, { game, kind, before }) {
  let drag;
  const { svg } = view;

  svg.addEventListener('pointerdown', (event) => {
    const place = view.locate(event);
    if (event.button !== 0 || place.cell === undefined || drag) return;
    before();
    view.stop();
    svg.setPointerCapture(event.pointerId);
    drag = { ...place, pointer: event.pointerId, board: game.board, swap: event.shiftKey };
    view.moveCursor(place.cell);
  });

  svg.addEventListener('pointermove', (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { x, y } = view.locate(event);
    const moved = [y - drag.y, x - drag.x];
    if (!drag.pull) {
      if (Math.hypot(...moved) < SLACK) return;
      drag.pull = choose(view, game, drag, moved, kind());
      if (!drag.pull) return;
      svg.classList.add('dragging');
    }
    drag.share = drag.pull.share({ x, y }, moved, drag.share ?? 0);
    view.show(drag.board, drag.pull.motion, drag.share);
  });

  const end = (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { pull, share = 0, board, cell } = drag;
    drag = undefined;
    svg.classList.remove('dragging');
    if (event.type === 'pointercancel') view.show(game.board);
    else if (pull) settle(view, game, pull, share, board);
    else click(view, game, cell);
  };
  svg.addEventListener('pointerup', end);
  svg.addEventListener('pointercancel', end);
}

/** A click on a tile of a sliding puzzle pushes it into the gap. */
function click(view, game, cell) {
  const push = game.puzzle.blank && game.puzzle.push(game.board, cell);
  if (push) settle(view, game, slidePull(push), 0, game.board, 1);
}

/** What a pointer drags that has gone this way from a cell. */
function choose(view, game, { cell, board, swap }, moved, wanted) {
  const { puzzle } = game;
  if (puzzle.blank) {
    const push = puzzle.push(board, cell);
    return push && slidePull(push);
  }
  const other = wanted === 'ring' ? 'line' : 'ring';
  const kind = puzzle.hasRings && puzzle.hasLines ? (swap ? other : wanted) : undefined;
  let candidates = puzzle.movesAt(cell, kind);
  if (candidates.length === 0) candidates = puzzle.movesAt(cell);
  const along = ({ way }) => (way[0] * moved[0] + way[1] * moved[1]) / Math.hypot(...way);
  const [best] = candidates.sort((a, b) => along(b) - along(a));
  if (!best || along(best) <= 0) return undefined;
  const { move, cycle, way } = best;
  const motion = { cycles: move.cycles };
  const least = move.inverse ? -Infinity : 0;
  if (move.kind === 'ring') {
    const points = view.middles(cycle.cells);
    const begin = nearest(points, view.middles([cell])[0]);
    return {
      move, motion, length: cycle.cells.length,
      share: ({ x, y }, _, last) => Math.max(least, unwound(nearest(points, [x, y]) - begin, last, points.length)),
    };
  }
  const steps = Math.hypot(...way);
  const project = (by) => (way[0] * by[0] + way[1] * by[1]) / steps / steps / CELL;
  const most = move.kind === 'line' ? Infinity : 1;
  const fewest = move.kind === 'line' ? least : 0;
  return { move, motion, length: cycle.cells.length, share: (_, by) => Math.min(most, Math.max(fewest, project(by))) };
}

function slidePull({ name, times, cells, way }) {
  const project = (by) => (way[0] * by[0] + way[1] * by[1]) / CELL;
  return { slide: { name, times }, motion: { cells, way }, share: (_, by) => Math.min(1, Math.max(0, project(by))) };
}

/** The place on a closed way of points that is nearest to one, in steps from the first. */
function nearest(points, [x, y]) {
  let best = { away: Infinity, at: 0 };
  points.forEach(([ax, ay], index) => {
    const [bx, by] = points[(index + 1) % points.length];
    const [dx, dy] = [bx - ax, by - ay];
    const part = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    const away = Math.hypot(ax + dx * part - x, ay + dy * part - y);
    if (away < best.away) best = { away, at: index + part };
  });
  return best.at;
}

/** Of all shares that look the same, the one that is nearest to the last. */
const unwound = (share, last, length) => share + Math.round((last - share) / length) * length;

/** Makes the moves to which a drag has come nearest. */
function settle(view, game, pull, share, board, to = Math.round(share + (pull.slide ? 0.1 : 0))) {
  const { puzzle } = game;
  if (pull.slide) {
    if (to === 1) game.play(pull.slide.name, pull.slide.times, true);
  } else {
    const { name, inverse } = pull.move;
    const turns = ((to % pull.length) + pull.length) % pull.length;
    // The short way round, where there is a way back.
    const back = inverse && turns * 2 > pull.length;
    game.play(back ? inverse : name, back ? pull.length - turns : turns, true);
  }
  const after = game.board;
  view.animate(board, pull.motion, [share, to], after, puzzle.blank ? 110 : 140);
}
