/** Documents as the service last gave them, one file each, so that they can be read and edited without it. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MedicalRecord } from '../../../src/contract/document.ts';
import { object, integer, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { ensurePrivateDirectory, removePrivateFile } from '../../../src/node/private-file.ts';
import type { Sealing } from '../../../src/node/sealing.ts';
import { Signature } from '../../bridge/record.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';

/** `mine`: the change of this device that was sent last, and the version that came of it. */
const Kept = object(
  { record: MedicalRecord },
  { mine: object({ change: string(), version: integer() }), signature: Signature },
);
export type KeptRecord = TypeOf<typeof Kept>;

/** Documents kept, the newest. */
const most = 500;

export interface RecordCache {
  get(id: string): KeptRecord | undefined;
  /** Of an exam, newest first. */
  ofItem(itemId: string): MedicalRecord[];
  /** Keeps the newer of this and what is kept; nothing of one that was removed: it may have been read before that. */
  put(record: MedicalRecord, mine?: NonNullable<KeptRecord['mine']>): Promise<void>;
  /** Who signed one that is kept; that never changes. */
  putSignature(id: string, signature: Signature): Promise<void>;
  remove(id: string): Promise<void>;
}

export async function openRecordCache(directory: string, sealing?: Sealing): Promise<RecordCache> {
  await ensurePrivateDirectory(directory);
  const pathOf = (id: string): string => join(directory, `${id}.json`);
  const files = new Map<string, JsonFile<KeptRecord>>();
  /** The same one each time: what is done with it is done in order. */
  const fileOf = (id: string): JsonFile<KeptRecord> => {
    const file = files.get(id) ?? jsonFile(pathOf(id), Kept, sealing);
    files.set(id, file);
    return file;
  };
  const kept = new Map<string, KeptRecord>();
  /** An id is never given twice. */
  const removed = new Set<string>();
  for (const id of await newest(directory)) {
    const found = await fileOf(id).read();
    if (found?.record.id === id) kept.set(id, found);
  }
  const keep = async (entry: KeptRecord): Promise<void> => {
    kept.set(entry.record.id, entry);
    await fileOf(entry.record.id).write(entry);
  };
  return {
    get: (id) => kept.get(id),
    ofItem: (itemId) =>
      [...kept.values()]
        .map(({ record }) => record)
        .filter(({ worklist_item_id: item }) => item === itemId)
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
    async put(record, mine) {
      if (removed.has(record.id)) return;
      const former = kept.get(record.id);
      const latest = former && former.record.version > record.version ? former.record : record;
      const sent = mine ?? former?.mine;
      const entry: KeptRecord = { ...former, record: latest, ...(sent && { mine: sent }) };
      if (former && !mine && former.record.version === latest.version) return;
      await keep(entry);
    },
    async putSignature(id, signature) {
      const former = kept.get(id);
      if (former) await keep({ ...former, signature });
    },
    async remove(id) {
      removed.add(id);
      kept.delete(id);
      await fileOf(id).remove();
    },
  };
}

/** Ids of the files kept, of which the oldest are removed where there are too many. */
async function newest(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => /^[A-Za-z0-9_-]+\.json$/.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })),
  );
  const sorted = dated.toSorted((a, b) => b.at - a.at).map(({ name }) => name);
  for (const name of sorted.slice(most)) await removePrivateFile(join(directory, name));
  return sorted.slice(0, most).map((name) => name.slice(0, -'.json'.length));
}
