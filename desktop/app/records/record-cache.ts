/** Records as last read from the service, one file each, for reading and editing offline. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MedicalRecord } from '../../../src/contract/document.ts';
import { object, integer, literal, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { ensurePrivateDirectory, removePrivateFile } from '../../../src/node/files/private-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { Signature } from '../../bridge/record.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { Log } from '../service.ts';

/**
 * `mine`: the last change that this device sent, and the version that it became; `unread`: that version also contains
 * words of another person that this person had not seen.
 */
const CachedRecord = object(
  { record: MedicalRecord },
  { mine: object({ change: string(), version: integer() }, { unread: literal(true) }), signature: Signature },
);
export type CachedRecord = TypeOf<typeof CachedRecord>;

/** Maximum number of records in the cache; the newest are kept. */
const maxRecords = 500;

export interface RecordCache {
  get(id: string): CachedRecord | undefined;
  /** The records of an exam, newest first. */
  ofItem(itemId: string): MedicalRecord[];
  /**
   * Stores the record unless a newer version is cached or the record was removed: this version may have been read
   * before.
   */
  put(record: MedicalRecord, mine?: NonNullable<CachedRecord['mine']>): Promise<void>;
  /** Stores the signer of a cached record, which never changes. */
  putSignature(id: string, signature: Signature): Promise<void>;
  remove(id: string): Promise<void>;
}

export async function openRecordCache(directory: string, log: Log, sealing?: Sealing): Promise<RecordCache> {
  await ensurePrivateDirectory(directory);
  const pathOf = (id: string): string => join(directory, `${id}.json`);
  const files = new Map<string, JsonFile<CachedRecord>>();
  /** One file object per record, which orders its reads and writes. */
  const openFile = (id: string): JsonFile<CachedRecord> => {
    const file = files.get(id) ?? jsonFile(pathOf(id), CachedRecord, sealing);
    files.set(id, file);
    return file;
  };
  const cached = new Map<string, CachedRecord>();
  /** Removed ids; the service never reuses an id. */
  const removed = new Set<string>();
  for (const id of await newest(directory)) {
    const entry = await openFile(id).read();
    if (entry?.record.id === id) cached.set(id, entry);
  }
  const keep = async (entry: CachedRecord): Promise<void> => {
    cached.set(entry.record.id, entry);
    // The answer of the service counts even if a full disk can't store it.
    await openFile(entry.record.id)
      .write(entry)
      .catch(() => log({ level: 'warn', event: 'record_not_kept' }));
  };
  return {
    get: (id) => cached.get(id),
    ofItem: (itemId) =>
      [...cached.values()]
        .map(({ record }) => record)
        .filter(({ worklist_item_id: item }) => item === itemId)
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
    async put(record, mine) {
      if (removed.has(record.id)) return;
      const previous = cached.get(record.id);
      const latest = previous && previous.record.version > record.version ? previous.record : record;
      const sent = mine ?? previous?.mine;
      const entry: CachedRecord = { ...previous, record: latest, ...(sent && { mine: sent }) };
      // A decision on a finding changes the record, but not the version.
      if (previous && !mine && isDeepStrictEqual(previous.record, latest)) return;
      await keep(entry);
    },
    async putSignature(id, signature) {
      const previous = cached.get(id);
      if (previous) await keep({ ...previous, signature });
    },
    async remove(id) {
      removed.add(id);
      cached.delete(id);
      await openFile(id).remove();
    },
  };
}

/** Ids of the cached records; removes the oldest files if there are too many. */
async function newest(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => /^[A-Za-z0-9_-]+\.json$/.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })),
  );
  const sorted = dated.toSorted((a, b) => b.at - a.at).map(({ name }) => name);
  for (const name of sorted.slice(maxRecords)) await removePrivateFile(join(directory, name));
  return sorted.slice(0, maxRecords).map((name) => name.slice(0, -'.json'.length));
}
