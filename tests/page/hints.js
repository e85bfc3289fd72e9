// How long a hint takes: random boards of a puzzle, solved one after the other as the page asks for them.
//   node tests/page/hints.js PROGRAM [PUZZLE] [BOARDS]
// Build the tables before (`permutile tables build torus4`): the first board would wait for them.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [program, puzzle = 'torus4', boards = '200'] = process.argv.slice(2);
const server = spawn(program, ['serve', '-q'], { stdio: ['ignore', 'pipe', 'inherit'] });
const address = await new Promise((resolve) => { createInterface(server.stdout).once('line', resolve); });

async function ask(path, body) {
  const response = await fetch(address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  return response.json();
}

const times = [];
let unproven = 0;
for (let seed = 0; seed < Number(boards); seed += 1) {
  const { board } = await ask('api/scramble', { puzzle, seed });
  const began = performance.now();
  const { optimal } = await ask('api/solve', { puzzle, board, timeout_ms: 3000 });
  times.push(performance.now() - began);
  if (!optimal) unproven += 1;
}
server.kill('SIGINT');
const [first, ...rest] = times;
rest.sort((a, b) => a - b);
const at = (share) => `${rest[Math.min(rest.length - 1, Math.floor(share * rest.length))].toFixed(1)} ms`;
console.log(`${puzzle}, ${boards} boards: the first ${first.toFixed(1)} ms, then median ${at(0.5)}, 90 % within ${at(0.9)}, at most ${at(1)}; ${unproven} not proven`);
