/** A system that removes files from a folder as they arrive. */
import { readFile, readdir, rm, watch } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../src/contract/errors.ts';
import type { SimulatedEvent, Simulator } from './simulator.ts';

export const folderReader: Simulator = {
  options: ['channel', 'to', 'count'],
  faults: { leave: 'the files stay where they are' },
  async run({ io, cwd, signal }, { channel, to, count, faults }) {
    const folder = to ?? channel?.state.address ?? undefined;
    if (folder === undefined)
      throw new AppError('USAGE', { message: 'From where? Name --channel NAME, or --to FOLDER.' });
    io.noticeAtOnce();
    const path = resolve(cwd, folder);
    const events: SimulatedEvent[] = [];
    const seen = new Set<string>();
    const take = async (): Promise<void> => {
      for (const { name } of (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile())) {
        // An incomplete file has another extension, or starts with a dot.
        if (seen.has(name) || name.startsWith('.') || /\.(?:tmp|part)$/.test(name) || events.length === count) continue;
        const { length } = await readFile(join(path, name));
        if (!faults.has('leave')) await rm(join(path, name));
        else seen.add(name);
        const answer = faults.has('leave') ? 'read' : 'taken';
        events.push({ number: events.length + 1, what: name, answer, isGood: true, more: `${length} bytes` });
        io.notice(`${name}: ${answer}`, 'faint');
      }
    };
    const ending = new AbortController();
    const changes = watch(path, { signal: AbortSignal.any([signal, ending.signal]) });
    try {
      await take();
      if (events.length === count) return events;
      io.notice('Waiting for files. Ctrl-C ends it.', 'faint');
      for await (const _change of changes) {
        await take();
        if (events.length === count) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      ending.abort();
    }
    return events;
  },
};
