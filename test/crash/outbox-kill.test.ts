/**
 * A process that writes documents and sends them is killed again and again at moments by chance: in the end each version that was
 * written has arrived at least once, and those of an exam in their order.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { acknowledged, fieldOf, hl7Receiver } from '../support/hl7-receiver.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chance, moment, rounds, seed } from './chance.ts';

const program = fileURLToPath(new URL('outbox-process.ts', import.meta.url));
const count = rounds(4);
const exams = 4;

/** Waits until it is told what to do, so that the next one is ready when the one before is killed. */
const prepare = (): ChildProcess => spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });

test(`${count} kills while documents go out (seed ${seed})`, { timeout: 60_000 + count * 3000 }, async () => {
  const directory = await temporaryDirectory();
  const ris = await hl7Receiver();
  /** Versions by exam, as they arrived. */
  const arrived = new Map<string, number[]>();
  ris.answer = (control, message) => {
    const exam = fieldOf(message, 'OBR', 18);
    arrived.set(exam, [...(arrived.get(exam) ?? []), Number(/versão (\d+)/.exec(message.toString())![1])]);
    return acknowledged(control);
  };
  /** The newest version of each exam that was said to be written. */
  const written = new Map<string, number>();

  let following = prepare();
  for (let round = 0; round < count; round++) {
    const child = following;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let left = Math.floor(chance(seed, 'written', round) * 24);
    createInterface(child.stdout!).on('line', (line) => {
      const [exam, version] = line.split(' ') as [string, string];
      written.set(exam, Number(version));
      if (left-- === 0) resolve();
    });
    child.stdin!.write(`${JSON.stringify([directory, ris.port, exams])}\n`);
    following = prepare();
    await enough;
    await moment(10, round);
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  // The last one only sends what waits.
  following.stdin!.write(`${JSON.stringify([directory, ris.port, 0])}\n`);
  await eventually(() => {
    for (const [exam, version] of written) {
      expect(Math.max(...(arrived.get(exam) ?? [0])), exam).toBeGreaterThanOrEqual(version);
    }
  });
  following.kill('SIGKILL');
  await once(following, 'close');

  expect(written.size).toBe(exams);
  for (const versions of arrived.values()) {
    // What a killed process had sent without hearing of it comes once more, before what follows.
    const once = versions.filter((version, at) => version !== versions[at - 1]);
    expect(once).toEqual(once.map((_, at) => at + 1));
  }
});
