// The page: loads the lists, opens puzzles, and connects the board with the panels.

import { get, post } from './api.js';
import { BoardView, miniature } from './board.js';
import { byId, copy, make, toast } from './dom.js';
import { Game } from './game.js';
import { attachGestures } from './gestures.js';
import { Hints } from './hint.js';
import { JournalPanel } from './journal.js';
import { attachKeys } from './keys.js';
import { PlayPanel } from './play.js';
import { Player } from './player.js';
import { Puzzle } from './puzzle.js';
import { RacePanel } from './race.js';
import { keep, setting } from './records.js';
import { fromHash, toHash } from './share.js';
import { SolvePanel } from './solve.js';

const FIRST_PUZZLE = 'sliding3';
const OTHER = 'other';

const game = new Game();
const view = new BoardView(byId('board'));
view.scheme = setting('colours', 'rows');
/** Whether the board shows the player's solution, and not the game. */
let inSolution = false;

function setInSolution(is) {
  inSolution = is;
  document.body.classList.toggle('in-solution', is);
}

function say(text, good = false) {
  byId('say').textContent = text;
  byId('say').classList.toggle('good', good);
}

// Light and dark

const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = (theme) => document.documentElement.setAttribute('data-theme', theme);
const showTheme = () => setTheme(setting('theme', dark.matches ? 'dark' : 'light'));
showTheme();
dark.onchange = showTheme;
byId('theme').onclick = () => {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  keep('theme', theme);
  setTheme(theme);
};

// Tabs

const tabs = [...document.querySelectorAll('[role=tab]')];

function selectTab(name) {
  for (const tab of tabs) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute('aria-selected', chosen);
    tab.tabIndex = chosen ? 0 : -1;
    byId(tab.getAttribute('aria-controls')).hidden = !chosen;
  }
  if (name === 'play' || name === 'race') showGame();
  if (name === 'solve' && player.isLoaded) player.show(player.position);
  if (name === 'journal') journal.show();
  if (name === 'report' && !byId('report').src) byId('report').src = '/report';
  document.body.dataset.tab = name;
}

for (const tab of tabs) {
  tab.onclick = () => selectTab(tab.id.slice('tab-'.length));
  tab.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const shown = tabs.filter((one) => !one.hidden);
    const next = shown[(shown.indexOf(tab) + by + shown.length) % shown.length];
    next.focus();
    next.click();
  };
}

// The board

function showGame() {
  setInSolution(false);
  player.pause();
  view.stop();
  view.show(game.board);
  describe(game.board);
}

/** The board in words, for screen readers. */
function describe(board) {
  const { puzzle } = game;
  const row = (index) => board.slice(index * puzzle.cols, (index + 1) * puzzle.cols).map((tile) => tile || 'gap').join(' ');
  byId('board-text').textContent = Array.from({ length: puzzle.rows }, (_, index) => `row ${index + 1}: ${row(index)}`).join('; ');
}

const player = new Player(view, {
  onShow() {
    setInSolution(true);
    view.point([]);
    describe(player.board);
  },
});

/** Whoever moves tiles in a solution goes on from there. */
function leaveSolution() {
  if (!inSolution) return;
  const { board } = player;
  setInSolution(false);
  game.load(game.puzzle, board);
}

game.addEventListener('board', () => {
  player.unload();
  solvePanel?.clear();
  showGame();
  share();
  buttons();
});
game.addEventListener('move', ({ detail: { name, before, after, shown } }) => {
  if (!shown) view.animate(before, game.puzzle.motion(before, name), [0, 1], after);
  say(game.puzzle.words(before, name));
  describe(after);
  player.unload();
  buttons();
});
game.addEventListener('back', ({ detail: { name, after } }) => {
  view.animate(after, game.puzzle.motion(after, name), [1, 0], after);
  say(`Undone: ${game.puzzle.words(after, name)}`);
  describe(after);
  player.unload();
  buttons();
});

function buttons() {
  byId('undo').disabled = game.done.length === 0;
  byId('redo').disabled = game.undone.length === 0;
  byId('reset').disabled = game.done.length === 0;
}

byId('undo').onclick = () => game.undo();
byId('redo').onclick = () => game.redo();
byId('reset').onclick = () => {
  game.load(game.puzzle, game.start, { kind: game.kind, counts: game.counts });
  say('From the start');
};
byId('play-from-here').onclick = () => {
  leaveSolution();
  selectTab('play');
};

// Puzzles

/** Opens a puzzle; with a board if there is one. */
async function open({ puzzle: id, definition, goal, board, title }) {
  // Players expect the gap in the last corner, unless they say otherwise.
  const wanted = goal ?? (id.startsWith('sliding') && !definition ? 'blank-last' : undefined);
  const puzzle = new Puzzle(await post('/api/puzzle', { puzzle: id, definition, goal: wanted }), { definition, title });
  if (board && !puzzle.isBoard(board)) throw new Error(`these are not the tiles of ${puzzle.id}`);
  game.puzzle = puzzle;
  view.setPuzzle(puzzle);
  playPanel.setPuzzle(puzzle);
  solvePanel.setPuzzle(puzzle);
  racePanel.setPuzzle(puzzle);
  byId('drag-kind').hidden = !(puzzle.hasRings && puzzle.hasLines);
  listPuzzle(puzzle);
  showGoal();
  game.load(puzzle, board ?? puzzle.goal);
}

function showGoal() {
  byId('goal-picture').replaceChildren(miniature(game.puzzle, game.puzzle.goal, view.scheme));
}

/** Makes sure that the list of puzzles has this one, and that it is chosen. */
function listPuzzle(puzzle) {
  const select = byId('puzzle');
  if (![...select.options].some((option) => option.value === puzzle.id)) {
    select.append(make('option', { value: puzzle.id }, puzzle.id));
  }
  select.value = puzzle.id;
  if (puzzle.definition) definitions.set(puzzle.id, puzzle.definition);
  else keep('puzzle', puzzle.id);
}

/** The texts of custom puzzles by their names. */
const definitions = new Map();

async function choose(id) {
  try {
    await open({ puzzle: id, definition: definitions.get(id) });
    await playPanel.scramble();
  } catch (error) {
    toast(error.message);
  }
}

byId('puzzle').onchange = () => {
  if (byId('puzzle').value !== OTHER) {
    choose(byId('puzzle').value);
    return;
  }
  byId('puzzle').value = game.puzzle.id;
  byId('other-error').textContent = '';
  byId('other').showModal();
};
byId('other-form').onsubmit = async (event) => {
  event.preventDefault();
  try {
    await open({ puzzle: byId('other-id').value.trim() });
    byId('other').close();
    await playPanel.scramble();
  } catch (error) {
    byId('other-error').textContent = error.message;
  }
};
byId('other-cancel').onclick = () => byId('other').close();

function listPuzzles({ puzzles, families }) {
  const groups = families.map((family) => make('optgroup', { label: family.name }, ...puzzles
    .filter((puzzle) => puzzle.family === family.name)
    .map(({ puzzle, name }) => make('option', { value: puzzle }, name))));
  byId('puzzle').replaceChildren(...groups.reverse(), make('option', { value: OTHER }, 'Another size …'));
}

// Sharing

function share() {
  const moves = player.isLoaded ? player.moves : [];
  const start = player.isLoaded ? player.boards[0] : game.start;
  history.replaceState(null, '', toHash(game.puzzle, start, moves.length ? moves : game.names));
}

byId('share').onclick = () => {
  share();
  copy(location.href, 'Link');
};

/** What the address says. */
async function openAddress(said) {
  await open(said);
  if (said.board && said.moves.length) {
    selectTab('solve');
    const legal = [];
    let { board } = said;
    for (const name of said.moves) {
      board = game.puzzle.after(board, name);
      if (!board) break;
      legal.push(name);
    }
    player.load(game.puzzle, said.board, legal, undefined, `${legal.length} moves from a link.`);
  }
  if (!said.board) await playPanel.scramble();
}

window.addEventListener('hashchange', () => {
  const said = fromHash(location.hash);
  if (said) openAddress(said).catch((error) => toast(error.message));
});

// Everything together

const playPanel = new PlayPanel({ game, view, open, say });
playPanel.onLook = showGoal;
const hints = new Hints({ game, view, say });
const journal = new JournalPanel({
  async play(record) {
    try {
      await open({ puzzle: record.puzzle, definition: definitions.get(record.puzzle), goal: record.goal, board: record.start });
      selectTab('solve');
      player.load(game.puzzle, record.start, record.moves, record, `${record.board}: ${record.length} moves${record.optimal ? ', proven shortest' : ''}.`);
      share();
    } catch (error) {
      toast(error.message);
    }
  },
});
let solvePanel;
let racePanel;

attachGestures(view, {
  game,
  kind: () => document.querySelector('input[name=drag-kind]:checked').value,
  before: leaveSolution,
});
attachKeys(view, {
  game,
  say,
  before: leaveSolution,
  actions: {
    u: () => game.undo(),
    r: () => game.redo(),
    i: () => hints.show(),
    ' ': () => (inSolution ? player.toggle() : playPanel.scramble()),
    ',': () => inSolution && player.step(-1),
    '.': () => inSolution && player.step(1),
    '?': () => byId('keys').showModal(),
  },
});
byId('hint').onclick = () => {
  leaveSolution();
  hints.show();
};
byId('help').onclick = () => byId('keys').showModal();

async function start() {
  const [about, puzzles, { algorithms }] = await Promise.all([get('/api'), get('/api/puzzles'), get('/api/algorithms')]);
  listPuzzles(puzzles);
  solvePanel = new SolvePanel({
    game, player, algorithms, threads: about.limits.threads,
    onSolution: () => {
      game.helped = true;
      share();
    },
    useGoal: async (goal) => {
      await playPanel.useGoal(goal);
      selectTab('solve');
      solvePanel.solve();
    },
    useBoard: (board) => {
      game.load(game.puzzle, board);
      solvePanel.solve();
    },
  });
  hints.threads = about.limits.threads;
  racePanel = new RacePanel({ game, algorithms, threads: about.limits.threads });
  for (const option of byId('timeout').options) option.disabled = Number(option.value) > about.limits.timeout_ms;
  byId('tab-journal').hidden = about.journal === null;
  byId('tab-report').hidden = about.report === null;
  const said = fromHash(location.hash);
  try {
    await openAddress(said ?? { puzzle: setting('puzzle', FIRST_PUZZLE), moves: [] });
  } catch (error) {
    toast(error.message);
    await choose(FIRST_PUZZLE);
  }
  if (about.report !== null && !said) selectTab('report');
  if (about.journal !== null && !said) selectTab('journal');
  document.body.dataset.ready = '';
}

start().catch(() => say('The server does not answer. Is it still running?'));
