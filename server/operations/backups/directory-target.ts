/** Backups as files of a directory, on another disk. It is never created: a disk that is not mounted must be noticed. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncHandle } from '../../../src/node/files/sync-handle.ts';
import { beginReplacing, removeAbandonedFiles } from '../../../src/node/files/replace-file.ts';
import type { BackupTarget } from './target.ts';

export const createDirectoryTarget = (directory: string): BackupTarget => ({
  place: directory,
  prepare: () => removeAbandonedFiles(directory),
  list: () => readdir(directory),
  async write(name, archive, check, signal) {
    const { file, publish, discard } = await beginReplacing(join(directory, name));
    try {
      await file.writeFile(until(signal, archive));
      await syncHandle(file);
      const result = await check(until(signal, file.createReadStream({ start: 0, autoClose: false })));
      await publish();
      return result;
    } finally {
      await discard();
    }
  },
  remove: (name) => rm(join(directory, name), { force: true }),
  close: async () => {},
});

async function* until(signal: AbortSignal, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of source) {
    signal.throwIfAborted();
    yield chunk;
  }
}
