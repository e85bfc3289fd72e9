// Playing to the end, by dragging and by keys, on each family.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, drag, middleOf, root, setUp } from './browser.js';

const { address, onPage } = setUp();

const TORUS = '#puzzle=torus3&goal=ordered&board=2.3.1.4.5.6.7.8.9';
const WAYS = { L: [0, -1], R: [0, 1], U: [-1, 0], D: [1, 0] };

/** The board that the page shows, as it is written for screen readers. */
const shown = async (page) => {
  const text = await page.locator('#board-text').textContent();
  return [...text.replaceAll('gap', '0').replaceAll(/row \d+:/g, '').matchAll(/\d+/g)].map(([number]) => Number(number));
};

async function solved(page) {
  await page.waitForFunction(() => document.getElementById('say').textContent.startsWith('Solved'));
}

/** A board so many moves from the goal, and a shortest solution. */
async function task(page, puzzle, depth, goal) {
  const { board } = await ask(page, '/api/scramble', { puzzle, exact_depth: depth, seed: 7, goal });
  const { moves } = await ask(page, '/api/solve', { puzzle, board, goal });
  assert.equal(moves.length, depth);
  await page.goto(address(`#puzzle=${puzzle}&goal=${goal}&board=${board.join('.')}`));
  await page.waitForFunction((wanted) => document.getElementById('board-text').textContent.replaceAll(/row \d+:|[^\d]+/g, ' ').trim().split(/ +/).length >= wanted, board.length - 1);
  await page.waitForTimeout(100);
  assert.deepEqual(await shown(page), board);
  return { board, moves };
}

test('a torus is solved by dragging lines, which wrap', onPage({}, async (page) => {
  const { moves } = await task(page, 'torus4', 5, 'ordered');
  for (const move of moves) {
    const [letter, line] = [move[0], Number(move.slice(1)) - 1];
    const cell = 'LR'.includes(letter) ? line * 4 + 2 : 2 * 4 + line;
    await drag(page, await middleOf(page, 4, 4, cell), [WAYS[letter]]);
  }
  await solved(page);
  assert.equal(await page.locator('#count').textContent(), '5');
}));

test('a long drag takes the short way round', onPage({ hash: TORUS }, async (page) => {
  await drag(page, await middleOf(page, 3, 3, 2), [[0, -2]]);
  await solved(page);
  assert.equal(await page.locator('#count').textContent(), '1');
}));

test('the torus is solved by keys, with a number before an arrow', onPage({ hash: TORUS }, async (page) => {
  await page.locator('#board').focus();
  await page.keyboard.press('s');
  await page.keyboard.press('w');
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowLeft');
  await solved(page);
  assert.match(await page.locator('#say').textContent(), /^Solved: 2 moves/);
  await page.keyboard.press('u');
  assert.match(await page.locator('#say').textContent(), /^Undone: row 1 left/);
  await page.keyboard.press('r');
  assert.deepEqual(await shown(page), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
}));

test('rings are turned by dragging along them', onPage({}, async (page) => {
  // The outer ring, turned clockwise.
  await page.goto(address(`#puzzle=rings3&goal=ordered&board=4.1.2.7.5.3.8.9.6`));
  await page.waitForTimeout(300);
  await page.locator('#drag-kind').getByText('Drag rings').click();
  await drag(page, await middleOf(page, 3, 3, 5), [[-1, 0]]);
  await solved(page);
  assert.match(await page.locator('#say').textContent(), /^Solved: 1 move/);
}));

test('rings are turned by keys', onPage({ hash: '#puzzle=rings3&goal=ordered&board=4.1.2.7.5.3.8.9.6' }, async (page) => {
  await page.locator('#board').focus();
  await page.keyboard.press('Shift+O');
  await solved(page);
  await page.keyboard.press('o');
  assert.equal(await page.locator('#say').textContent(), 'outer ring clockwise');
}));

test('sliding tiles are clicked, dragged and pushed by keys', onPage({}, async (page) => {
  const { board, moves } = await task(page, 'sliding3', 12, 'blank-last');
  let now = board;
  const steps = { Up: -3, Down: 3, Left: -1, Right: 1 };
  const keys = { Up: 'ArrowDown', Down: 'k', Left: 'd', Right: 'ArrowLeft' };
  for (const [index, move] of moves.entries()) {
    const blank = now.indexOf(0);
    const tile = blank + steps[move];
    const place = await middleOf(page, 3, 3, tile);
    if (index % 3 === 0) await page.mouse.click(place.x, place.y);
    else if (index % 3 === 1) {
      await drag(page, place, [{ Up: [1, 0], Down: [-1, 0], Left: [0, 1], Right: [0, -1] }[move]]);
    } else {
      await page.locator('#board').focus();
      await page.keyboard.press(keys[move]);
    }
    const next = [...now];
    [next[blank], next[tile]] = [now[tile], 0];
    assert.deepEqual(await shown(page), next, `move ${index + 1}, ${move}`);
    now = next;
  }
  await solved(page);
}));

test('several tiles are pushed at once', onPage({ hash: '#puzzle=sliding3&goal=blank-last&board=0.1.2.4.5.3.7.8.6' }, async (page) => {
  const place = await middleOf(page, 3, 3, 2);
  await drag(page, place, [[0, -1]]);
  assert.deepEqual(await shown(page), [1, 2, 0, 4, 5, 3, 7, 8, 6]);
  await page.locator('#board').focus();
  await page.keyboard.press('2');
  await page.keyboard.press('ArrowUp');
  await solved(page);
}));

test('a custom puzzle comes from a file, and only goes one way', onPage({}, async (page) => {
  await page.locator('#file').setInputFiles(`${root}/data/puzzles/one-way-4x5.toml`);
  await page.waitForFunction(() => document.getElementById('puzzle').value === 'one-way-4x5.toml');
  await page.waitForTimeout(300);
  // Row 1 goes left only; from the goal with L1 made four times, one more solves it.
  await page.locator('#paste').fill('5 1 2 3 4\n6 7 8 9 10\n11 12 13 14 15\n16 17 18 19 20');
  await page.locator('#paste-form').getByText('Use it').click();
  await page.waitForFunction(() => document.getElementById('say').textContent === 'Your board');
  assert.equal(await page.locator('#puzzle').inputValue(), 'one-way-4x5.toml');
  await drag(page, await middleOf(page, 4, 5, 1), [[0, 1]]);
  assert.equal(await page.locator('#count').textContent(), '0');
  await drag(page, await middleOf(page, 4, 5, 3), [[0, -1]]);
  await solved(page);
}));

test('boards are scrambled, also at a distance and of a day, and counted when solved', onPage({ hash: TORUS }, async (page) => {
  await page.locator('#scramble-kind').selectOption('depth');
  await page.locator('#scramble-number').fill('1');
  await page.locator('#scramble-seed').fill('12');
  await page.locator('#scramble-form').getByText('Make it').click();
  await page.waitForFunction(() => document.getElementById('say').textContent === 'New board, seed 12');
  const board = await shown(page);
  const { moves } = await ask(page, '/api/solve', { puzzle: 'torus3', board });
  assert.equal(moves.length, 1);
  const line = Number(moves[0].slice(1)) - 1;
  await drag(page, await middleOf(page, 3, 3, 'LR'.includes(moves[0][0]) ? line * 3 + 1 : 3 + line), [WAYS[moves[0][0]]]);
  await solved(page);
  assert.match(await page.locator('#averages').textContent(), /Solved1Best0\.\d/);
  await page.locator('#scramble-kind').selectOption('daily');
  await page.locator('#scramble').click();
  await page.waitForFunction(() => /^Today’s board, 2\d{7}$/.test(document.getElementById('say').textContent));
  const daily = await shown(page);
  await page.locator('#scramble').click();
  await page.waitForTimeout(200);
  assert.deepEqual(await shown(page), daily);
  await page.locator('#scramble-kind').selectOption('depth');
  await page.locator('#scramble-number').fill('99');
  await page.locator('#scramble-form').getByText('Make it').click();
  await page.waitForFunction(() => document.getElementById('scramble-error').textContent.includes('farthest'));
}));

test('space scrambles, ? shows the keys, a hint points and leads to the goal', onPage({ hash: TORUS }, async (page) => {
  const start = await shown(page);
  await page.locator('#board').focus();
  await page.keyboard.press('Space');
  await page.waitForFunction(() => document.getElementById('say').textContent.startsWith('New board'));
  assert.notDeepEqual(await shown(page), start);
  await page.keyboard.press('?');
  assert.ok(await page.locator('#keys').isVisible());
  await page.keyboard.press('Escape');
  await page.goto(address(TORUS));
  await page.waitForTimeout(200);
  await page.locator('#hint').click();
  await page.waitForFunction(() => document.getElementById('say').textContent.startsWith('Hint: row 1 right (1 move'));
  assert.equal(await page.locator('.hint-arrow').count(), 1);
}));

test('the hint for a ring goes round beside its numbers', onPage({ hash: '#puzzle=rings3&goal=ordered&board=4.1.2.7.5.3.8.9.6' }, async (page) => {
  await page.locator('#hint').click();
  await page.locator('.hint-arrow').first().waitFor();
  const path = await page.locator('.hint-arrow').last().getAttribute('d');
  const points = path.match(/[\d.]+ [\d.]+/g).map((point) => point.split(' ').map(Number));
  assert.equal(points.length, 8);
  assert.ok(points.every((point) => point.some((at) => at < 20 || at > 296)), path);
}));

test('in fewest-moves mode the shortest length is the mark', onPage({ hash: TORUS }, async (page) => {
  await page.getByText('Fewest moves').click();
  await page.waitForFunction(() => document.getElementById('par').textContent === '1');
}));

test('a drag is drawn before the next frame', onPage({ hash: '#puzzle=torus10' }, async (page) => {
  await page.evaluate(() => {
    window.times = [];
    let began;
    window.addEventListener('pointermove', () => { began = performance.now(); }, true);
    window.addEventListener('pointermove', () => {
      window.times.push([performance.now() - began, document.querySelectorAll('.tile.moving').length]);
    });
  });
  const { x, y, size } = await middleOf(page, 10, 10, 0);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 1; step <= 60; step += 1) await page.mouse.move(x + (step * size) / 20, y);
  const times = await page.evaluate(() => window.times);
  await page.mouse.up();
  // The last moves were drawn when their events had been handled: eleven tiles, one of them at both ends.
  assert.ok(times.slice(-10).every(([, moving]) => moving >= 10), JSON.stringify(times.at(-1)));
  const median = times.map(([time]) => time).sort((a, b) => a - b)[Math.floor(times.length / 2)];
  console.log(`# a drag of a row of 10x10 is drawn in ${median.toFixed(1)} ms`);
  assert.ok(median < 16, `${median} ms`);
}));
