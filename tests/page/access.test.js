// Anybody: keyboard alone, a phone, large type, light and dark, screen readers (axe-core).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { setUp } from './browser.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const { onPage } = setUp();

const RINGS = '#puzzle=rings3&goal=ordered&board=4.1.2.7.5.3.8.9.6';

/** What axe finds wrong with the page as it is. */
async function violations(page) {
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`);
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

for (const colorScheme of ['light', 'dark']) {
  test(`axe finds nothing in any view (${colorScheme})`, onPage({ hash: RINGS, colorScheme }, async (page) => {
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    assert.deepEqual(await violations(page), [], 'play');
    await page.locator('#tab-solve').click();
    await page.locator('#solve').click();
    await page.locator('#strip svg').first().waitFor();
    assert.deepEqual(await violations(page), [], 'solve');
    await page.locator('#tab-race').click();
    await page.locator('#race').click();
    await page.waitForFunction(() => document.querySelectorAll('#race-table tbody td').length > 0 && !document.getElementById('race').disabled);
    assert.deepEqual(await violations(page), [], 'race');
    await page.locator('#help').click();
    assert.deepEqual(await violations(page), [], 'keys');
  }));
}

for (const [name, viewport] of [['a phone', { width: 360, height: 740 }], ['a window at 200 %', { width: 640, height: 400 }]]) {
  test(`nothing is cut off on ${name}`, onPage({ hash: RINGS, viewport }, async (page) => {
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(await overflow(), 0, 'play');
    await page.locator('#tab-solve').click();
    await page.locator('#solve').click();
    await page.locator('#strip svg').first().waitFor();
    assert.equal(await overflow(), 0, 'solve');
    await page.locator('#tab-race').click();
    assert.equal(await overflow(), 0, 'race');
    const box = await page.locator('#board').boundingBox();
    assert.ok(box.width > 200, 'the board is large enough for fingers');
  }));
}

test('everything can be reached and done by keys alone', onPage({ hash: RINGS }, async (page) => {
  const reached = new Set();
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.name));
  }
  for (const id of ['puzzle', 'tab-play', 'share', 'theme', 'help', 'board', 'scramble', 'hint', 'drag-kind', 'scramble-kind', 'aim', 'colours', 'goal', 'paste', 'file']) {
    assert.ok(reached.has(id), `${id} is reached by Tab`);
  }
  await page.locator('#tab-play').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-solve');
  await page.locator('#solve').focus();
  await page.keyboard.press('Enter');
  await page.locator('#player').waitFor();
  await page.locator('#scrubber').focus();
  await page.keyboard.press('End');
  assert.match(await page.locator('#scrubber').getAttribute('aria-valuetext'), /^move 1 of 1, outer ring counter-clockwise/);
}));

test('with reduced motion boards change at once', onPage({ hash: RINGS, reducedMotion: 'reduce' }, async (page) => {
  await page.locator('#board').focus();
  await page.keyboard.press('Shift+O');
  assert.equal(await page.locator('.tile.moving').count(), 0);
  assert.match(await page.locator('#say').textContent(), /^Solved/);
}));

test('the choice of light and dark is kept', onPage({ hash: RINGS, colorScheme: 'light' }, async (page) => {
  await page.locator('#theme').click();
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
}));

test('the page is small', onPage({}, async (page) => {
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  const { size, paint } = await page.evaluate(() => ({
    size: performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(({ name }) => !name.includes('/api')).reduce((sum, { transferSize }) => sum + transferSize, 0),
    paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  }));
  console.log(`# ${size} bytes, first paint after ${Math.round(paint)} ms`);
  assert.ok(size < 200_000, `${size} bytes`);
}));
