// Solves and personal bests, kept in this browser.

const KEY = 'permutile.solves';
/** How many solves are kept for each puzzle and kind of board. */
const MOST = 500;

function readAll() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

function writeAll(all) {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // A browser that keeps nothing still plays.
  }
}

/** What was solved of a puzzle and a kind of board, the last one last. */
export const solves = (category) => readAll()[category] ?? [];

/** Adds a solve; whether it is the best so far, by time and by moves. */
export function addSolve(category, solve) {
  const all = readAll();
  const before = all[category] ?? [];
  const isBest = (key) => before.every((other) => solve[key] < other[key]);
  const best = { seconds: isBest('seconds'), moves: isBest('moves') };
  all[category] = [...before, solve].slice(-MOST);
  writeAll(all);
  return best;
}

export function forget() {
  writeAll({});
}

/** The average of the last solves without the best and the worst of them, as speedsolvers count. */
export function average(list, key, count) {
  if (list.length < count) return undefined;
  const values = list.slice(-count).map((solve) => solve[key]).sort((a, b) => a - b).slice(1, -1);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A setting that is kept, or its default. */
export function setting(name, otherwise) {
  try {
    return localStorage.getItem(`permutile.${name}`) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`permutile.${name}`, value);
  } catch {
    // As above.
  }
}
