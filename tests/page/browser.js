// A server and a browser for the tests: each page reports errors and requests to other hosts.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const program = process.env.PERMUTILE ?? `${root}/target/debug/permutile`;
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

if (!existsSync(executablePath)) {
  console.log(`${executablePath} is not there: the page is not tested`);
  process.exit(0);
}

/** Starts a server; where it is, and how it is ended. */
async function startServer(...options) {
  const server = spawn(program, ['serve', '--no-cache', '-q', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [address] = await new Promise((resolve, reject) => {
    createInterface(server.stdout).once('line', (line) => resolve([line]));
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { address, stop: () => server.kill('SIGINT') };
}

/**
 * One server and one browser for all tests of a file. `prepare` comes first, and returns options of the
 * server. `onPage` makes a test of what is to be done on the page at an address.
 */
export function setUp(prepare = () => []) {
  const shared = {};
  before(async () => {
    const [server, browser] = await Promise.all([startServer(...prepare()), chromium.launch({ executablePath, args: FLAGS })]);
    Object.assign(shared, { server, browser });
  });
  after(async () => {
    await shared.browser.close();
    shared.server.stop();
  });
  return {
    address: (hash = '') => shared.server.address + hash,
    onPage: (options, test) => () => withPage(shared.browser, shared.server.address, options, test),
  };
}

/** Opens the page, and runs a test with it; fails on errors in the console and on requests elsewhere. */
async function withPage(browser, address, { hash = '', ...options }, test) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    // Refusals of the server are part of some tests, and browsers report them as errors.
    const isRefusal = /status of (4|5)\d\d/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && origin !== new URL(address).origin) problems.push(`request to ${request.url()}`);
  });
  try {
    await page.goto(address + hash);
    await page.waitForSelector('body[data-ready]');
    await test(page);
  } finally {
    await context.close();
  }
  if (problems.length) throw new Error(problems.join('\n'));
}

/** Asks the server from within the page. */
export const ask = (page, path, body) => page.evaluate(async ([where, what]) => {
  const answer = await fetch(where, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(what) });
  return answer.json();
}, [path, body]);

/** The middle of a cell of the board, on the screen. */
export async function middleOf(page, rows, cols, cell) {
  const box = await page.locator('#board').boundingBox();
  const scale = box.width / (cols * 100 + 16);
  return {
    x: box.x + (8 + (cell % cols) * 100 + 50) * scale,
    y: box.y + (8 + Math.floor(cell / cols) * 100 + 50) * scale,
    size: 100 * scale,
  };
}

/** Drags from one place by so many cells, in small steps as a hand does. */
export async function drag(page, { x, y, size }, ways) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const [down, right] of ways) {
    for (let step = 1; step <= 6; step += 1) await page.mouse.move(x + (right * size * step) / 6, y + (down * size * step) / 6);
    x += right * size;
    y += down * size;
  }
  await page.mouse.up();
}
