// The address of the page holds puzzle, goal, board and moves.

/** The part of the address after the #. */
export function toHash(puzzle, board, moves = []) {
  const parts = new URLSearchParams();
  parts.set('puzzle', puzzle.id);
  if (puzzle.definition) parts.set('definition', puzzle.definition);
  parts.set('goal', puzzle.goal_name ?? puzzle.goal.join('.'));
  parts.set('board', board.join('.'));
  if (moves.length) parts.set('moves', moves.join(','));
  return `#${parts}`;
}

/** What such an address says; nothing if it says nothing of a puzzle. */
export function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const puzzle = parts.get('puzzle');
  if (!puzzle) return undefined;
  const numbers = (text) => text.split('.').map(Number);
  const goal = parts.get('goal') ?? undefined;
  return {
    puzzle,
    definition: parts.get('definition') ?? undefined,
    goal: goal && /^[0-9.]+$/.test(goal) ? numbers(goal) : goal,
    board: parts.has('board') ? numbers(parts.get('board')) : undefined,
    moves: parts.get('moves')?.split(',') ?? [],
  };
}
