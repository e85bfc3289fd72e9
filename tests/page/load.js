// Many clients at once, which solve, cancel and leave. Every answer is replayed by this program's own
// rules; memory must stay flat. Run by scripts/load-test.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createInterface } from 'node:readline';

const [program, length = '120', many = '200'] = process.argv.slice(2);
const until = Date.now() + Number(length) * 1000;
const clients = Number(many);

const server = spawn(program, ['serve', '--no-cache', '-q', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
const { port } = JSON.parse(await new Promise((resolve) => { createInterface(server.stdout).once('line', resolve); }));
const count = { solved: 0, unsolvable: 0, limited: 0, streamed: 0, cancelled: 0, left: 0, busy: 0, pages: 0 };
const wrong = [];
const below = (bound) => Math.floor(Math.random() * bound);
const agent = new http.Agent({ keepAlive: true, maxSockets: clients });

function resident() {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(status.match(/VmRSS:\s+(\d+)/)[1]) / 1024;
}

/** Sends a request; `leave` is after how many milliseconds the client goes away. */
function ask(method, path, body, { accept = 'application/json', leave } = {}) {
  return new Promise((resolve) => {
    const headers = { accept, 'content-type': 'application/json' };
    const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => { text += piece; });
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', () => resolve({ status: 0 }));
    });
    request.on('error', () => resolve({ status: 0 }));
    if (leave !== undefined) setTimeout(() => request.destroy(), leave);
    request.end(body && JSON.stringify(body));
  });
}

/** The board after moves of the torus, by rules written down once more. */
function replay(board, side, moves) {
  const now = [...board];
  for (const move of moves) {
    const line = Number(move.slice(1)) - 1;
    const cells = Array.from({ length: side }, (_, i) => ('LR'.includes(move[0]) ? line * side + i : i * side + line));
    const tiles = cells.map((cell) => now[cell]);
    const by = 'LU'.includes(move[0]) ? 1 : side - 1;
    cells.forEach((cell, i) => { now[cell] = tiles[(i + by) % side]; });
  }
  return now;
}

function check(board, side, text) {
  const record = JSON.parse(text);
  if (record.status === 'unsolvable') count.unsolvable += 1;
  else if (record.status !== 'solved') count.limited += 1;
  else if (replay(board, side, record.moves).some((tile, cell) => tile !== cell + 1)) wrong.push(text);
  else count.solved += 1;
}

async function client() {
  while (Date.now() < until) {
    const side = 3 + below(3);
    const puzzle = `torus${side}`;
    const kind = below(6);
    const scrambled = await ask('POST', '/api/scramble', { puzzle, seed: below(1e9), moves: 1 + below(9) });
    if (scrambled.status === 503) { count.busy += 1; await new Promise((rest) => { setTimeout(rest, 200); }); continue; }
    if (scrambled.status !== 200) { wrong.push(`scramble: ${scrambled.status} ${scrambled.text}`); continue; }
    const { board } = JSON.parse(scrambled.text);
    const question = { puzzle, board, timeout_ms: 2000 };
    if (kind === 0) {
      // Leaves at any time, from a question that takes long.
      await ask('POST', '/api/solve', { ...question, algorithm: 'astar', heuristic: 'zero' }, { leave: below(300), accept: below(2) ? 'text/event-stream' : 'application/json' });
      count.left += 1;
    } else if (kind === 1) {
      await ask('POST', '/api/solve', question, { leave: below(20) });
      count.cancelled += 1;
    } else if (kind === 2) {
      const { status } = await ask('GET', '/');
      if (status !== 200) wrong.push(`page: ${status}`);
      count.pages += 1;
    } else {
      const accept = kind === 3 ? 'text/event-stream' : 'application/json';
      const { status, text } = await ask('POST', '/api/solve', question, { accept });
      if (status === 503) count.busy += 1;
      else if (status !== 200) wrong.push(`solve: ${status} ${text}`);
      else if (kind === 3) {
        count.streamed += 1;
        check(board, side, text.trim().split('\n').filter((line) => line.startsWith('data: ')).pop().slice('data: '.length));
      } else check(board, side, text);
    }
  }
}

const memory = [];
const watch = setInterval(() => memory.push(resident()), 1000);
await Promise.all(Array.from({ length: clients }, client));
clearInterval(watch);
server.kill('SIGINT');
const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const third = Math.ceil(memory.length / 3);
const [middle, last] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(2 * third))];
console.log(`${clients} clients, ${length} s: ${Object.entries(count).map(([name, number]) => `${number} ${name}`).join(', ')}, ${wrong.length} wrong`);
console.log(`memory: ${middle.toFixed(0)} MB in the middle third, ${last.toFixed(0)} MB in the last, at most ${Math.max(...memory).toFixed(0)} MB`);
for (const answer of wrong.slice(0, 5)) console.log(answer);
const flat = last < 1.25 * middle + 50;
if (!flat) console.log('the memory grows');
process.exit(wrong.length || !flat ? 1 : 0);
