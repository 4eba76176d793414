/** What encryption at rest costs: commits of one exam each through the store, sealed against plain. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLowdbStore } from '../support/lowdb-store.ts';
import { createSealing } from '../../server/storage/sealing/sealing.ts';
import { storedItem } from '../support/stored-item.ts';
import { takeTurns } from './rounds.ts';
import type { Measure } from './rounds.ts';

export interface EncryptionOptions {
  /** Commits a turn. */
  readonly commits: number;
  /** Commits that wait together, as requests of so many connections do. */
  readonly together: number;
  readonly rounds: number;
}

/** Commits a second, medians. */
export async function measureEncryption({ rounds, ...load }: EncryptionOptions) {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-bench-'));
  try {
    const sealing = createSealing(randomBytes(32));
    await using plain = await openTurn(join(directory, 'plain'), load);
    await using sealed = await openTurn(join(directory, 'sealed'), { ...load, sealing: async () => sealing });
    return await takeTurns({ plain: plain.measure, sealed: sealed.measure }, rounds);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

type Load = Omit<EncryptionOptions, 'rounds'> & Pick<Parameters<typeof openLowdbStore>[0], 'sealing'>;

async function openTurn(directory: string, { commits, together, sealing }: Load) {
  const store = await openLowdbStore({ directory, ...(sealing && { sealing }) });
  let last = 0;
  const commitSome = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done++) {
      const item = storedItem(`wli_${String(++last).padStart(12, '0')}`, { accession_number: `A${last}` });
      await store.transact(async (tx) => tx.put('items', item));
    }
  };
  const measure: Measure = async () => {
    const started = process.hrtime.bigint();
    await Promise.all(Array.from({ length: together }, () => commitSome(commits / together)));
    return commits / (Number(process.hrtime.bigint() - started) / 1e9);
  };
  return { measure, [Symbol.asyncDispose]: () => store.close() };
}
