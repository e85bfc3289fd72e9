// Solving, watching, racing, sharing, and the journal.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { program, root, setUp } from './browser.js';

const folder = mkdtempSync(`${tmpdir()}/permutile-page-`);
const journal = `${folder}/course.jsonl`;
const report = `${folder}/report`;
const { address, onPage } = setUp(() => {
  const run = (...options) => execFileSync(program, options, { stdio: 'ignore' });
  run('batch', `${root}/data/boards/torus4-course.boards`, '--out', journal, '--no-cache', '-q');
  run('compare', '0 8 7/6 5 4/3 2 1', '--algorithms', 'astar,ida', '--sample', '0', '--report', report, '-q');
  return ['--journal', journal, '--report', report];
});

const EIGHT = '#puzzle=sliding3&goal=blank-first&board=0.8.7.6.5.4.3.2.1';
/** A 24-puzzle that takes longer than any test. */
const HARD = '#puzzle=sliding5&goal=blank-first&board=14.5.9.2.18.8.23.19.12.17.15.0.10.20.4.6.11.21.1.7.24.3.16.22.13';
const text = (page, id) => page.locator(`#${id}`).textContent();

async function solve(page) {
  await page.locator('#tab-solve').click();
  await page.locator('#solve').click();
  await page.locator('#player').waitFor();
}

/** Where a tile is drawn, in cells. */
const placeOf = async (page, tile) => {
  const transform = await page.locator(`.tile[data-tile="${tile}"]`).first().getAttribute('transform');
  return transform.match(/[\d.-]+/g).map((number) => (Number(number) - 8) / 100);
};

test('a board is solved, played, scrubbed into a move, and a click on a move jumps there', onPage({ hash: EIGHT }, async (page) => {
  await solve(page);
  assert.match(await text(page, 'result'), /^30 moves, proven shortest/);
  assert.equal(await page.locator('#moves li').count(), 30);
  await page.locator('#scrubber').fill('0.5');
  const [x, y] = await placeOf(page, 8);
  assert.ok(Math.abs(x - 0.5) < 0.01 && y === 0, `the tile is half-way: ${x} ${y}`);
  assert.equal(await page.locator('.tile.moving').count(), 1);
  assert.equal(await text(page, 'now'), '1 / 30: tile 8 left');
  await page.locator('#moves button').nth(11).click();
  assert.match(await text(page, 'now'), /^12 \/ 30/);
  assert.equal(await page.locator('#moves [aria-current=step]').textContent(), await page.locator('#moves button').nth(11).textContent());
  await page.locator('#previous').click();
  await page.waitForFunction(() => document.getElementById('now').textContent.startsWith('11 / 30'));
  await page.locator('#last').click();
  assert.match(await text(page, 'now'), /^30 \/ 30/);
  assert.match(await text(page, 'board-text'), /row 1: gap 1 2/);
  await page.locator('#speed').selectOption('8');
  await page.locator('#play').click();
  await page.waitForFunction(() => document.getElementById('now').textContent.startsWith('5 / 30'));
  await page.locator('#play').click();
  await page.locator('#strip svg').first().waitFor();
  assert.match(await text(page, 'strip'), /true distance/);
  await page.locator('#play-from-here').click();
  assert.equal(await page.locator('#tab-play').getAttribute('aria-selected'), 'true');
}));

test('limits and parameters of a search are kept to', onPage({ hash: EIGHT }, async (page) => {
  await page.locator('#tab-solve').click();
  await page.locator('#algorithm').selectOption('astar');
  await page.locator('#max-nodes').selectOption('1000');
  assert.equal(await page.locator('#parameter-box').isVisible(), false);
  await page.locator('#solve').click();
  await page.waitForFunction(() => document.getElementById('solve-error').textContent.startsWith('The limit of nodes was hit'));
  await page.locator('#algorithm').selectOption('wastar');
  assert.equal(await page.locator('#parameter').inputValue(), '2');
  await page.locator('#parameter').fill('5');
  const [request] = await Promise.all([page.waitForRequest('**/api/solve'), page.locator('#solve').click()]);
  assert.equal(request.postDataJSON().weight, 5);
  await page.waitForFunction(() => /^\d+ moves, not proven shortest/.test(document.getElementById('result').textContent));
}));

test('a hard board shows two closing lines, and is stopped', onPage({ hash: HARD }, async (page) => {
  await page.locator('#tab-solve').click();
  await page.locator('#timeout').selectOption('60000');
  await page.locator('#solve').click();
  await page.locator('#progress-chart svg').first().waitFor();
  await page.waitForFunction(() => /at least \d+, best so far \d+/.test(document.getElementById('progress-words').textContent));
  await page.locator('#cancel').click();
  await page.waitForFunction(() => document.getElementById('progress-words').textContent === 'Stopped.');
  assert.ok(await page.locator('#solve').isEnabled());
}));

test('a board without a solution is explained, and mended by two tiles or another goal', onPage({}, async (page) => {
  for (const fix of ['Exchange the tiles 14 and 15', 'Take the goal with the gap first']) {
    await page.goto(address(`#puzzle=sliding4&goal=blank-last&board=1.2.3.4.5.6.7.8.9.10.11.12.13.15.14.0`));
    await page.waitForTimeout(200);
    await page.locator('#tab-solve').click();
    await page.locator('#solve').click();
    await page.waitForFunction(() => document.getElementById('solve-error').textContent.includes('out of reach'));
    await page.locator('#fix').getByText(fix.replace('14 and 15', '15 and 14')).click();
    await page.waitForFunction(() => /proven shortest|not proven/.test(document.getElementById('result').textContent));
  }
}));

test('malformed boards and moves are refused at their fields, in the words of the parser', onPage({ hash: EIGHT }, async (page) => {
  await page.locator('#paste').fill('1 2 3\n4 5 6\n7 8 9 9');
  await page.locator('#paste-form').getByText('Use it').click();
  await page.waitForFunction(() => /^line 3, column \d+: row 3 has 4 numbers/.test(document.getElementById('paste-error').textContent));
  assert.equal(await page.locator('#paste').getAttribute('aria-invalid'), 'true');
  await page.locator('#paste').fill('102345678');
  await page.locator('#paste-form').getByText('Use it').click();
  await page.waitForFunction(() => document.getElementById('board-text').textContent.includes('row 1: 1 gap 2'));
  assert.equal(await text(page, 'paste-error'), '');
  await page.locator('#tab-solve').click();
  await page.locator('#own-moves-box summary').click();
  await page.locator('#own-moves').fill('Left sideways');
  await page.locator('#moves-form').getByText('Replay').click();
  await page.waitForFunction(() => document.getElementById('own-moves-error').textContent.includes('"sideways"'));
  await page.locator('#own-moves').fill("['Left']");
  await page.locator('#moves-form').getByText('Replay').click();
  await page.waitForFunction(() => document.getElementById('result').textContent === '1 move: solved.');
}));

test('a file of boards is dropped, and each can be chosen', onPage({}, async (page) => {
  const boards = readFileSync(`${root}/data/boards/torus4x5-course.boards`, 'utf8');
  await page.evaluate((content) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([content], 'course.boards'));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }));
  }, boards);
  await page.waitForFunction(() => document.getElementById('puzzle').value === 'torus:4x5');
  assert.ok(await page.locator('#boards option').count() > 1);
}));

test('a race has a winner, a table, and copies', onPage({ hash: EIGHT }, async (page) => {
  await page.locator('#tab-race').click();
  await page.locator('#add-contender').click();
  assert.ok(await page.locator('#add-contender').isDisabled());
  await page.locator('#race').click();
  await page.waitForFunction(() => [...document.querySelectorAll('#race-table tbody tr')].filter((row) => row.textContent.includes('proven')).length === 4);
  assert.ok((await text(page, 'race-table')).includes('★'));
  await page.locator('#race-csv').click();
  await page.waitForFunction(() => document.getElementById('toast').textContent === 'Table copied');
  const csv = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  assert.equal(csv[0], 'contender,cost,expanded,generated,depth,seconds,shortest,status');
  assert.match(csv[1], /^bfs,30,181423,\d+,\d+,[\d.]+,proven,solved$/);
  const [table] = await Promise.all([page.waitForEvent('download'), page.locator('#save-race-csv').click()]);
  assert.equal(table.suggestedFilename(), 'race.csv');
  assert.equal(readFileSync(await table.path(), 'utf8'), `${csv.join('\n')}\n`);
  const [picture] = await Promise.all([page.waitForEvent('download'), page.locator('#race-svg').click()]);
  assert.match(readFileSync(await picture.path(), 'utf8'), /^<svg .*Nodes expanded over time/s);
  await page.locator('#race-markdown').click();
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith('| contender | cost |'));
}));

test('the layers of a race are watched in step and by time', onPage({ hash: EIGHT }, async (page) => {
  await page.locator('#tab-race').click();
  await page.locator('#race').click();
  // A short race is shown once more, slowly.
  await page.waitForFunction(() => !document.getElementById('race').disabled && document.getElementById('film-play').getAttribute('aria-label') === 'Watch the race');
  assert.equal(await page.locator('#race-shapes .over').count(), 3);
  const shapes = page.locator('#race-shapes svg');
  assert.equal(await shapes.count(), 3);
  assert.match(await shapes.nth(0).getAttribute('aria-label'), /^bfs: 3[12] rows by depth, most nodes at \d+: 2\d,\d{3}$/);
  assert.match(await shapes.nth(1).getAttribute('aria-label'), /^astar manhattan: \d+ rows by depth/);
  assert.match(await shapes.nth(2).getAttribute('aria-label'), /^ida linear-conflict: \d+ rows by depth/);
  // The colours are those of depth plus estimate, of which A* has several in a row.
  assert.ok(await shapes.nth(1).evaluate((svg) => new Set([...svg.querySelectorAll('rect')].map((bar) => bar.getAttribute('fill'))).size) > 3);
  await page.locator('#race-rows').selectOption('length');
  assert.match(await shapes.nth(1).getAttribute('aria-label'), /rows by depth plus estimate/);
  await page.getByText('In step').click();
  await page.locator('#film').fill('0.5');
  const [nodes] = (await text(page, 'film-now')).match(/\d+/);
  assert.match(await text(page, 'film-now'), /nodes each$/);
  for (const words of await page.locator('#race-shapes figure > p:last-child').allTextContents()) {
    assert.ok(words.startsWith(`${nodes} nodes: searching`), words);
  }
  await page.locator('#film').fill('1');
  assert.match(await page.locator('#race-shapes figure').nth(0).textContent(), /181,423 nodes: 30 moves, proven shortest/);
}));

test('every algorithm but auto has bars', onPage({ hash: EIGHT }, async (page) => {
  await page.locator('#tab-race').click();
  await page.locator('#add-contender').click();
  const names = ['dfs', 'bidirectional', 'beam', 'pastar'];
  for (const [index, name] of names.entries()) await page.locator(`[aria-label="Algorithm ${index + 1}"]`).selectOption(name);
  await page.locator('#race').click();
  await page.waitForFunction(() => !document.getElementById('race').disabled && document.getElementById('film-play').getAttribute('aria-label') === 'Watch the race');
  const labels = await page.locator('#race-shapes svg').evaluateAll((all) => all.map((svg) => svg.getAttribute('aria-label')));
  assert.deepEqual(labels.map((label) => label.split(/[ :]/)[0]), names);
  // The depths of thousands of moves are put together, the others stand each for itself.
  const rows = labels.map((label) => Number(label.match(/(\d+) rows/)[1]));
  assert.ok(rows[0] > 40 && rows[0] <= 100 && rows[1] < 20 && rows[3] > 20, labels.join('; '));
  const words = await page.locator('#race-shapes').textContent();
  assert.match(words, /moves from the start or from the goal.*layers of the beam/);
}));

test('a report of a comparison is shown, and can do nothing else', onPage({}, async (page) => {
  await page.locator('#tab-report').click();
  const report = page.frameLocator('#report');
  await report.locator('h1').waitFor();
  assert.match(await report.locator('h1').textContent(), /sliding3/);
  assert.ok(await report.locator('svg').count() > 0);
  assert.equal(await page.locator('#board').isVisible(), false);
  await page.locator('#tab-play').click();
  assert.ok(await page.locator('#board').isVisible());
}));

test('a race is stopped', onPage({ hash: HARD }, async (page) => {
  await page.locator('#tab-race').click();
  await page.locator('#race').click();
  await page.waitForFunction(() => document.querySelectorAll('#race-table tbody tr').length === 3);
  await page.waitForTimeout(500);
  await page.locator('#race-stop').click();
  await page.waitForFunction(() => !document.getElementById('race').disabled);
  assert.ok((await text(page, 'race-table')).includes('stopped'));
}));

test('a link holds puzzle, goal, board and moves', onPage({ hash: EIGHT }, async (page) => {
  await solve(page);
  await page.locator('#share').click();
  await page.waitForFunction(() => document.getElementById('toast').textContent === 'Link copied');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#puzzle=sliding3&goal=blank-first&board=0\.8\.7\.6\.5\.4\.3\.2\.1&moves=Right%2CRight/);
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForFunction(() => document.getElementById('result').textContent === '30 moves from a link.');
  await page.locator('#last').click();
  assert.match(await text(page, 'board-text'), /row 1: gap 1 2/);
}));

test('a solution is saved as a record and as a drawing', onPage({ hash: '#puzzle=torus3&goal=ordered&board=2.3.1.4.5.6.7.8.9' }, async (page) => {
  await solve(page);
  const saved = async (id) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator(`#${id}`).click()]);
    const path = `${folder}/${download.suggestedFilename()}`;
    await download.saveAs(path);
    return readFileSync(path, 'utf8');
  };
  const record = await saved('save-record');
  assert.deepEqual(JSON.parse(record).moves, ['R1']);
  const drawing = await saved('save-svg');
  assert.ok(drawing.startsWith('<svg') && drawing.includes('animateTransform'));
  // The command line takes the record as a journal.
  writeFileSync(`${folder}/one.jsonl`, record);
  const verified = execFileSync(program, ['verify', `${folder}/one.jsonl`], { encoding: 'utf8' });
  assert.match(verified, /1 solution holds, 0 violations|1 record/);
}));

test('the journal is a table that is sorted, and its records play', onPage({}, async (page) => {
  assert.equal(await page.locator('#tab-journal').getAttribute('aria-selected'), 'true');
  assert.match(await text(page, 'journal-name'), /^course\.jsonl: 12 records/);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${width} px`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.locator('#journal-table thead').getByText('length').click();
  await page.locator('#journal-table thead').getByText('length').click();
  await page.waitForFunction(() => document.querySelector('#journal-table th[data-column=length]').getAttribute('aria-sort') === 'descending');
  const lengths = (await page.locator('#journal-table tbody td:nth-child(5)').allTextContents()).map(Number);
  assert.deepEqual(lengths, [...lengths].sort((a, b) => b - a));
  await page.locator('#journal-table tbody button').first().click();
  await page.waitForFunction((length) => document.querySelectorAll('#moves li').length === length, lengths[0]);
}));
