/**
 * A process that takes orders over MLLP is killed again and again at moments by chance, and its senders repeat what was not
 * acknowledged: in the end each order is there exactly once, and everything that was acknowledged is there.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { connectMllp, orderMessage } from '../support/mllp.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chance, moment, rounds, seed } from './chance.ts';
import { withStore } from './open-store.ts';

const program = fileURLToPath(new URL('channel-process.ts', import.meta.url));
const count = rounds(5);
const senders = 4;

/** Waits until it is given a directory, so that the next one is ready when the one before is killed. */
const prepare = (): ChildProcess => spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });

async function open(child: ChildProcess, directory: string): Promise<string> {
  child.stdin!.write(`${directory}\n`);
  const [address] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return address;
}

test(`${count} kills while orders come in (seed ${seed})`, { timeout: 60_000 + count * 3000 }, async () => {
  const directory = await temporaryDirectory();
  const acknowledged = new Set<string>();
  /** What each sender sends until it is acknowledged. */
  const next = Array.from({ length: senders }, () => 1);

  async function send(address: string, sender: number, isOver: () => boolean, taken: () => void): Promise<void> {
    const peer = await connectMllp(address).catch(() => undefined);
    try {
      while (peer && !isOver()) {
        const id = `${sender}.${next[sender]}`;
        const answer = await peer.ask(orderMessage({ id, accession: `K-${id}`, patient: `P-${id}` }));
        expect(answer).toContain(`MSA|AA|${id}`);
        acknowledged.add(id);
        next[sender]! += 1;
        taken();
      }
    } catch (error) {
      if (!isOver()) throw error;
    } finally {
      peer?.close();
    }
  }

  let following = prepare();
  for (let round = 0; round < count; round++) {
    const child = following;
    const address = await open(child, directory);
    let isOver = false;
    const { promise: enough, resolve } = Promise.withResolvers<void>();
    let left = Math.floor(chance(seed, 'taken', round) * 12);
    const taken = (): void => void (left-- === 0 && resolve());
    const sending = Array.from({ length: senders }, (_, sender) => send(address, sender, () => isOver, taken));
    following = prepare();
    // Once in a while before the first is taken.
    if (round % 4 !== 3) await enough;
    await moment(10, round);
    isOver = true;
    child.kill('SIGKILL');
    await once(child, 'exit');
    await Promise.all(sending);
  }
  // Each sender’s last message may have been taken and not acknowledged; it comes once more.
  const address = await open(following, directory);
  await Promise.all(
    next.map(async (_, sender) => {
      const peer = await connectMllp(address);
      const id = `${sender}.${next[sender]}`;
      expect(await peer.ask(orderMessage({ id, accession: `K-${id}`, patient: `P-${id}` }))).toContain('MSA|AA|');
      acknowledged.add(id);
      peer.close();
    }),
  );
  following.kill('SIGKILL');
  await once(following, 'exit');

  await withStore({ directory }, async (store) => {
    const items = await store.find('items', {});
    expect(items.map(({ accession_number }) => accession_number!.slice(2)).toSorted()).toEqual(
      [...acknowledged].toSorted(),
    );
    expect(items.filter(({ version }) => version !== 1)).toEqual([]);
    const messages = await store.find('messages', {});
    expect(messages).toHaveLength(items.length);
    expect(messages.every(({ state, changes }) => state === 'taken' && changes?.inserted === 1)).toBe(true);
  });
  expect(acknowledged.size).toBeGreaterThan(count);
});
