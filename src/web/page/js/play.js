// The panel to play with: new boards, solves and averages, looks and goals, boards of your own.

import { post } from './api.js';
import { byId, copy, counted, fill, make, toast } from './dom.js';
import { addSolve, average, forget, keep, setting, solves } from './records.js';

/** The largest file that the server would take. */
const MOST_BYTES = 200_000;

const clock = (time) => {
  const minutes = Math.floor(time / 60);
  const rest = (time - minutes * 60).toFixed(1);
  return minutes ? `${minutes}:${rest.padStart(4, '0')}` : rest;
};

/** What is done with the pointer, said once. */
function howToPlay(puzzle) {
  if (puzzle.blank) return 'Click or drag a tile next to the gap, or use the arrow keys. Bring the tiles into order.';
  if (puzzle.hasRings) return 'Drag rows, columns and rings. Bring the tiles into order.';
  if (puzzle.hasLines) return 'Drag rows and columns: they wrap around. Bring the tiles into order.';
  return 'Drag tiles, or use the buttons below the board. Bring the tiles into order.';
}

export class PlayPanel {
  /** `open` loads a puzzle; `say` tells the player something. */
  constructor({ game, view, open, say }) {
    Object.assign(this, { game, view, open, say });
    byId('scramble').onclick = () => this.scramble();
    byId('scramble-kind').onchange = () => this.#showNumber();
    byId('scramble-form').onsubmit = (event) => {
      event.preventDefault();
      this.scramble();
    };
    for (const radio of document.querySelectorAll('input[name=aim]')) {
      radio.checked = radio.value === setting('aim', 'time');
      radio.onchange = () => {
        keep('aim', radio.value);
        this.#showAim();
      };
    }
    byId('forget').onclick = () => {
      forget();
      this.showAverages();
      toast('Forgotten');
    };
    byId('colours').value = setting('colours', 'rows');
    byId('colours').onchange = () => {
      keep('colours', byId('colours').value);
      view.setColours(byId('colours').value);
      this.onLook?.();
    };
    byId('goal').onchange = () => this.useGoal(byId('goal').value);
    byId('paste-form').onsubmit = (event) => {
      event.preventDefault();
      this.readBoards(byId('paste').value);
    };
    byId('copy-board').onclick = () => copy(this.boardText(), 'Board');
    byId('file').onchange = (event) => {
      const [file] = event.target.files;
      event.target.value = '';
      if (file) this.readFile(file);
    };
    byId('boards').onchange = () => this.#useParsed(this.parsed[Number(byId('boards').value)]);
    this.#acceptDrops();
    game.addEventListener('solved', () => this.#solved());
    game.addEventListener('board', () => {
      byId('count').textContent = '0';
      this.#tick();
      this.#showAim();
    });
    game.addEventListener('move', () => { byId('count').textContent = game.done.length; });
    game.addEventListener('back', () => { byId('count').textContent = game.done.length; });
    setInterval(() => this.#tick(), 100);
  }

  setPuzzle(puzzle) {
    byId('how').textContent = howToPlay(puzzle);
    const named = puzzle.blank
      ? [{ value: 'blank-last', text: 'gap last' }, { value: 'blank-first', text: 'gap first' }]
      : [{ value: 'ordered', text: 'in order' }];
    const own = puzzle.goal_name ? [] : [{ value: 'own', text: 'a board of your own' }];
    fill(byId('goal'), [...named, ...own, { value: 'this', text: 'this board' }], puzzle.goal_name ?? 'own');
    byId('move-buttons').hidden = puzzle.blank || (puzzle.hasLines && puzzle.moves.every(({ kind }) => kind !== 'other') && !puzzle.definition);
    byId('move-buttons').replaceChildren(...puzzle.moves.map(({ name, words }) => {
      const button = make('button', { type: 'button', title: words }, name);
      button.onclick = () => this.game.play(name);
      return button;
    }));
    this.#showNumber();
    this.showAverages();
  }

  #showNumber() {
    const kind = byId('scramble-kind').value;
    byId('scramble-number-box').hidden = kind !== 'moves' && kind !== 'depth';
    byId('scramble-number-name').textContent = kind === 'depth' ? 'Distance' : 'Moves';
    byId('scramble-seed').disabled = kind === 'daily';
  }

  /** A new board, as the form says. */
  async scramble() {
    const { puzzle } = this.game;
    const kind = byId('scramble-kind').value;
    const number = Number(byId('scramble-number').value);
    const typed = byId('scramble-seed').value.trim();
    const error = byId('scramble-error');
    error.textContent = '';
    if (typed && kind !== 'daily' && !/^[0-9]{1,15}$/.test(typed)) {
      error.textContent = 'A seed is a number of up to 15 digits.';
      return;
    }
    const question = { ...puzzle.fields };
    if (kind === 'daily') question.daily = true;
    else question.seed = typed ? Number(typed) : Math.floor(Math.random() * 1e9);
    if (kind === 'moves') question.moves = number;
    if (kind === 'depth') question.exact_depth = number;
    try {
      const { board, seed } = await post('/api/scramble', question);
      const category = { moves: `${number} moves`, depth: `distance ${number}` }[kind] ?? 'random';
      this.game.load(puzzle, board, { kind: category, counts: true });
      this.say(kind === 'daily' ? `Today’s board, ${seed}` : `New board, seed ${seed}`);
    } catch (problem) {
      error.textContent = problem.inFull ?? 'The server does not answer. Is it still running?';
    }
  }

  get #category() { return `${this.game.puzzle.id} ${this.game.puzzle.goal_name ?? 'own goal'} ${this.game.kind}`; }

  #solved() {
    const { game } = this;
    const solve = { seconds: game.seconds, moves: game.done.length, at: Date.now() };
    let words = `Solved: ${counted(solve.moves, 'move')}, ${clock(solve.seconds)} s`;
    if (game.counts && !game.helped && game.done.length > 0) {
      const best = addSolve(this.#category, solve);
      if (best.seconds || best.moves) words += ` – your best ${[best.seconds && 'time', best.moves && 'number of moves'].filter(Boolean).join(' and ')}`;
    }
    this.view.celebrate();
    this.showAverages();
    this.say(words, true);
    this.#tick();
  }

  #tick() {
    byId('clock').textContent = clock(this.game.seconds ?? 0);
  }

  get aim() { return document.querySelector('input[name=aim]:checked').value; }

  /** In fewest-moves mode, the length of a shortest solution is the mark to reach. */
  async #showAim() {
    this.asking?.abort();
    byId('par-box').hidden = this.aim !== 'moves';
    this.showAverages();
    if (this.aim !== 'moves' || !this.game.puzzle) return;
    byId('par').textContent = '…';
    this.asking = new AbortController();
    try {
      const { puzzle, start } = this.game;
      const record = await post('/api/solve', { ...puzzle.fields, board: start, timeout_ms: 5000 }, this.asking.signal);
      byId('par').textContent = record.optimal ? record.length : record.length ? `≤ ${record.length}` : '–';
    } catch (error) {
      if (error.name !== 'AbortError') byId('par').textContent = '–';
    }
  }

  showAverages() {
    if (!this.game.puzzle) return;
    const list = solves(this.#category);
    const key = this.aim === 'moves' ? 'moves' : 'seconds';
    const show = (value) => (value === undefined ? '–' : key === 'moves' ? String(Math.round(value * 10) / 10) : clock(value));
    const best = list.length ? Math.min(...list.map((solve) => solve[key])) : undefined;
    const figures = [['Solved', String(list.length)], ['Best', show(best)], ['Last', show(list.at(-1)?.[key])],
      ...[5, 12, 50].map((count) => [`Average of ${count}`, show(average(list, key, count))])];
    byId('averages').replaceChildren(...figures.map(([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value))));
  }

  boardText() {
    const { puzzle, board } = this.game;
    const rows = Array.from({ length: puzzle.rows }, (_, row) => board.slice(row * puzzle.cols, (row + 1) * puzzle.cols).join(' '));
    return rows.join('\n');
  }

  /** Another goal for the same board. */
  async useGoal(goal) {
    if (goal === 'own') return;
    const { puzzle, board } = this.game;
    await this.open({ puzzle: puzzle.id, definition: puzzle.definition, goal: goal === 'this' ? board : goal, board });
    if (goal === 'this') await this.scramble();
  }

  async readFile(file) {
    if (file.size > MOST_BYTES) {
      this.#pasteError(`${file.name} is too large: at most ${MOST_BYTES.toLocaleString('en')} bytes`);
      return;
    }
    const text = await file.text();
    if (!file.name.endsWith('.toml')) {
      await this.readBoards(text);
      return;
    }
    try {
      await this.open({ puzzle: file.name, definition: text });
      await this.scramble();
    } catch (error) {
      this.#pasteError(error.inFull ?? error.message);
    }
  }

  /** Boards in any usual form; their puzzle is this one, if they fit, or else inferred. */
  async readBoards(text) {
    const { puzzle } = this.game;
    const parse = (fields) => post('/api/parse', { text, ...fields });
    let boards;
    try {
      ({ boards } = await parse({}));
    } catch (error) {
      try {
        ({ boards } = await parse({ puzzle: puzzle.id, definition: puzzle.definition }));
      } catch {
        this.#pasteError(error.inFull ?? error.message);
        return;
      }
    }
    this.#pasteError('');
    this.parsed = boards;
    byId('boards-box').hidden = boards.length < 2;
    fill(byId('boards'), boards.map(({ name, known_length: length }, index) => ({
      value: String(index), text: `${name ?? `board ${index + 1}`}${length === null ? '' : ` (${length} moves)`}`,
    })), '0');
    await this.#useParsed(boards[0]);
  }

  async #useParsed({ board, puzzle: id, rows, cols }) {
    const { puzzle } = this.game;
    const fits = puzzle.rows === rows && puzzle.cols === cols && puzzle.isBoard(board);
    if (fits) this.game.load(puzzle, board);
    else await this.open({ puzzle: id, board });
    this.say('Your board');
  }

  #pasteError(text) {
    byId('paste-error').textContent = text;
    if (text && byId('panel-play').hidden) toast(text);
    if (text) byId('paste').setAttribute('aria-invalid', 'true');
    else byId('paste').removeAttribute('aria-invalid');
  }

  #acceptDrops() {
    const cover = byId('drop');
    document.addEventListener('dragover', (event) => {
      event.preventDefault();
      cover.hidden = false;
    });
    document.addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) cover.hidden = true;
    });
    document.addEventListener('drop', (event) => {
      event.preventDefault();
      cover.hidden = true;
      const [file] = event.dataTransfer.files;
      if (file) this.readFile(file);
    });
  }
}
