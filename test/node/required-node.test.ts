import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { refuseNode } from '../../src/node/required-node.ts';

test.each(['18.20.4', '20.19.0', '22.18.9'])('Node.js %s is refused', (version) => {
  expect(refuseNode(version)).toBe(`laudio needs Node.js 22.19 or newer; this is ${version}.`);
});

test.each(['22.19.0', '22.20.1', '24.0.0', '26.1.0'])('Node.js %s is taken', (version) => {
  expect(refuseNode(version)).toBeUndefined();
});

test('package.json needs the same', async () => {
  const { engines } = JSON.parse(await readFile('package.json', 'utf8')) as { engines: { node: string } };
  expect(refuseNode(`${engines.node.replace('>=', '')}.0`)).toBeUndefined();
});

test.each(['./server/testing/index.ts', './src/client/library/index.ts'])('%s says so in a line', (door) => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' }); import(${JSON.stringify(door)}).catch((error) => { process.stderr.write(String(error.stack) + '\\n'); });`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stderr).toBe('laudio needs Node.js 22.19 or newer; this is 20.1.0.\n');
});
