/** Discarded dictations: restorable for ten minutes, then deleted. None outlives the app. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { ServiceDeps } from '../service.ts';
import { moveDirectory, removeDirectory } from './stored-dictation.ts';

export interface DiscardedDictations {
  /** Moves the directory to the discarded ones for ten minutes. */
  keep(directory: string, id: string): Promise<void>;
  /** Moves the dictation back to `directory`. Throws NOT_FOUND if it has been deleted. */
  restore(id: string, directory: string): Promise<void>;
  /** Moves the directory away and deletes it. */
  remove(directory: string, id: string): Promise<void>;
  /** Deletes all discarded dictations, including those of an earlier run. */
  clear(): Promise<void>;
}

const restorableMs = 600_000;

export function createDiscarded(
  parent: string,
  { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>,
): DiscardedDictations {
  /** Functions that cancel the deletion, keyed by id. */
  const deletions = new Map<string, () => void>();

  /** A file that can't be deleted now is deleted at the next start. */
  const forget = (id: string): Promise<void> =>
    removeDirectory(join(parent, id)).catch((error: unknown) =>
      log({ level: 'warn', event: 'dictation_not_deleted', dictation_id: id, code: Object(error).code }),
    );

  async function take(directory: string, id: string): Promise<void> {
    await ensurePrivateDirectory(parent);
    await moveDirectory(directory, join(parent, id));
  }

  return {
    async keep(directory, id) {
      await take(directory, id);
      const callOff = clock.schedule(clock.now() + restorableMs, () => {
        deletions.delete(id);
        void forget(id);
      });
      deletions.set(id, callOff);
    },
    async restore(id, directory) {
      const callOff = deletions.get(id);
      if (!callOff) throw new AppError('NOT_FOUND', { message: appMessage('no_restore') });
      callOff();
      deletions.delete(id);
      await moveDirectory(join(parent, id), directory);
    },
    async remove(directory, id) {
      await take(directory, id);
      await forget(id);
    },
    async clear() {
      for (const callOff of deletions.values()) callOff();
      deletions.clear();
      await ensurePrivateDirectory(parent);
      for (const id of await readdir(parent)) await forget(id);
    },
  };
}
