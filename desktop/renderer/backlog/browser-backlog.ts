/**
 * The backlog in IndexedDB. Each take has a separate key that no script can read (WebCrypto, not extractable): the
 * browser's files are unreadable without this browser, and permanently once the take and its key are removed.
 */
import type { DBSchema, IDBPDatabase } from 'idb';
import { createListeners } from '../../../src/domain/listeners.ts';
import { joinBytes } from '../audio/join-bytes.ts';
import type { Backlog, WaitingReport, WaitingTake } from './backlog.ts';
import { openWhenUsed, strictly } from './database.ts';
import { createKey, seal, unseal } from './seal-bytes.ts';
import type { SealedBytes } from './seal-bytes.ts';
import { elementAt } from '../../../src/domain/elements.ts';

interface StoredTake extends WaitingTake {
  readonly key: CryptoKey;
}

interface StoredBlock extends SealedBytes {
  readonly take: string;
  readonly from: number;
  /** Number of audio bytes. */
  readonly length: number;
  /** Number of samples lost before the first of these; absent: none. */
  readonly missing?: number;
}

interface Schema extends DBSchema {
  takes: { key: string; value: StoredTake };
  blocks: { key: [string, number]; value: StoredBlock };
  reports: { key: string; value: WaitingReport };
}
type Database = IDBPDatabase<Schema>;

const name = 'laudio-backlog';

function upgrade(database: Database, before: number): void {
  if (before < 1) {
    database.createObjectStore('takes', { keyPath: 'take' });
    database.createObjectStore('blocks', { keyPath: ['take', 'from'] });
  }
  database.createObjectStore('reports', { keyPath: 'id' });
}

const getBlockRange = (take: string, before = Infinity): IDBKeyRange =>
  IDBKeyRange.bound([take, 0], [take, before], false, true);

/** A block can be decrypted only at its own position. */
const formatPlace = (take: string, from: number): string => `${take} ${from}`;

/** Opens the database at the first call. If the browser stores nothing, calls reject. */
export function createBrowserBacklog(): Backlog {
  const database = openWhenUsed<Schema>(name, 2, upgrade);
  const channel = new BroadcastChannel(name);
  const listeners = createListeners();
  channel.addEventListener('message', () => listeners.notify());
  const notifyPages = (): void => {
    channel.postMessage(null);
    listeners.notify();
  };

  return {
    async list() {
      const takes = await (await database()).getAll('takes');
      return takes.map(({ key: _, ...take }) => take);
    },
    async keep(take, { from, samples, missing }) {
      const stored = await database();
      const before = await stored.get('takes', take.take);
      const key = before?.key ?? (await createKey());
      const sealed = await seal(key, formatPlace(take.take, from), samples);
      const to = from + samples.byteLength;
      const changes = stored.transaction(['takes', 'blocks'], 'readwrite', strictly);
      const entry: StoredTake = { ...take, key, from: before?.from ?? from, to, ended: false };
      await Promise.all([
        changes.objectStore('takes').put(entry),
        changes.objectStore('blocks').put({
          take: take.take,
          from,
          length: samples.byteLength,
          ...sealed,
          ...(missing !== undefined && { missing }),
        }),
        changes.done,
      ]);
      if (!before) notifyPages();
    },
    async end(take) {
      const changes = (await database()).transaction('takes', 'readwrite', strictly);
      const entry = await changes.store.get(take);
      if (entry) await changes.store.put({ ...entry, ended: true });
      await changes.done;
    },
    async read(take, from, maxBytes) {
      const { blocks, key } = await find(await database(), take, from, maxBytes);
      const [first] = blocks;
      if (!first || !key) return null;
      const pieces: Uint8Array[] = [];
      for (const block of blocks) pieces.push(new Uint8Array(await unseal(key, formatPlace(take, block.from), block)));
      const start = Math.max(from, first.from);
      const samples = joinBytes(pieces).slice(start - first.from, start - first.from + maxBytes).buffer;
      const missing = start === first.from ? first.missing : undefined;
      return { from: start, samples, ...(missing !== undefined && { missing }) };
    },
    async forget(take, before) {
      const changes = (await database()).transaction(['takes', 'blocks'], 'readwrite');
      const [takes, blocks] = [changes.objectStore('takes'), changes.objectStore('blocks')];
      if (before === undefined) {
        await Promise.all([takes.delete(take), blocks.delete(getBlockRange(take)), changes.done]);
        return notifyPages();
      }
      const entry = await takes.get(take);
      if (entry) await takes.put({ ...entry, from: Math.max(entry.from, Math.min(before, entry.to)) });
      for (let at = await blocks.openCursor(getBlockRange(take, before)); at; at = await at.continue()) {
        if (at.value.from + at.value.length <= before) await at.delete();
      }
      await changes.done;
    },
    reports: async () => (await database()).getAll('reports'),
    async keepReport(report) {
      const changes = (await database()).transaction('reports', 'readwrite', strictly);
      await Promise.all([changes.store.put(report), changes.done]);
      notifyPages();
    },
    async forgetReport(dictation) {
      await (await database()).delete('reports', dictation);
      notifyPages();
    },
    async hold(held, signal, work) {
      await navigator.locks.request(`${name} ${held}`, { signal }, work);
    },
    onChange: listeners.add,
  };
}

/** The key of a take, and its consecutive blocks, starting with the one that contains the byte or the next one. */
async function find(
  database: Database,
  take: string,
  from: number,
  maxBytes: number,
): Promise<{ blocks: StoredBlock[]; key: CryptoKey | undefined }> {
  const reading = database.transaction(['takes', 'blocks']);
  const stored = await reading.objectStore('takes').get(take);
  const blocks: StoredBlock[] = [];
  for (let at = await reading.objectStore('blocks').openCursor(getBlockRange(take)); at; at = await at.continue()) {
    const block = at.value;
    const end = block.from + block.length;
    if (end <= from) continue;
    const last = blocks.at(-1);
    if (last && (last.from + last.length !== block.from || block.missing !== undefined)) break;
    blocks.push(block);
    if (end - Math.max(from, elementAt(blocks, 0).from) >= maxBytes) break;
  }
  return { blocks, key: stored?.key };
}
