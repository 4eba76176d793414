/** A system that writes files to a folder. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import { readInput } from '../shell/input-file.ts';
import type { SimulatedEvent, Simulator } from './simulator.ts';
import { testOrders } from './test-orders.ts';

const largestFile = 64 * 1024 * 1024;

export const folderWriter: Simulator = {
  options: ['channel', 'to', 'file', 'count'],
  faults: {
    slow: 'each file is written in two parts',
    empty: 'an empty file comes too',
    garbage: 'a file that is no worklist comes too',
  },
  async run({ io, clock, cwd }, { channel, to, file, count, faults }) {
    const folder = to ?? channel?.state.address ?? undefined;
    if (folder === undefined)
      throw new AppError('USAGE', { message: 'Where to? Name --channel NAME, or --to FOLDER.' });
    const path = resolve(cwd, folder);
    await mkdir(path, { recursive: true });
    const made = testOrders(count ?? 5, clock.now()).map(
      ({ id, message }) => [`${id}.hl7`, Buffer.from(message)] as const,
    );
    const files: (readonly [name: string, content: Buffer])[] = [
      ...(file === undefined ? made : [[basename(file), await readInput(io, file, largestFile)] as const]),
      ...(faults.has('empty') ? [['empty.hl7', Buffer.alloc(0)] as const] : []),
      ...(faults.has('garbage') ? [['garbage.bin', Buffer.alloc(64, 0xff)] as const] : []),
    ];
    const events: SimulatedEvent[] = [];
    for (const [name, content] of files) {
      await lay(join(path, name), content, faults.has('slow'));
      events.push({
        number: events.length + 1,
        what: name,
        answer: 'written',
        isGood: true,
        more: `${content.length} bytes`,
      });
    }
    return events;
  },
};

/**
 * Like careful systems, writes to a temporary name until the file is complete; like others, writes in parts at once.
 */
async function lay(path: string, content: Buffer, isSlow: boolean): Promise<void> {
  if (isSlow) {
    await writeFile(path, content.subarray(0, content.length >> 1));
    await new Promise((resolve) => setTimeout(resolve, 500));
    return writeFile(path, content);
  }
  await writeFile(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}
