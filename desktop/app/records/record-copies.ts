/** The records as last read, with the waiting changes, and the versions that the pages know. */
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { BroughtText } from '../../../src/contract/inserted-text.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { findStanding } from '../../../src/domain/signing-rules.ts';
import type { Standing } from '../../../src/domain/signing-rules.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes } from '../changes/changes.ts';
import type { OwnFacts } from './own-facts.ts';
import type { TypedWords } from './typed-words.ts';
import type { ServiceDeps } from '../service.ts';
import { openRecordCache } from './record-cache.ts';
import type { RecordCache } from './record-cache.ts';
import { editOf, isUpdate, withEdit, withoutSigning } from './record-edits.ts';
import type { RecordEdit, UpdateKind } from './record-edits.ts';

/** The event about a new version. */
export type VersionNews = Pick<MedicalRecord, 'id' | 'worklist_item_id' | 'version'>;

/** Number of records that are read again when the service is back: those that pages requested last. */
const maxRecent = 8;

export interface RecordsDeps extends ServiceDeps {
  readonly changes: Changes;
  readonly typed: TypedWords;
  /** The exam, as last read. */
  readonly examOf: (itemId: string) => WorklistItem | undefined;
  /** Seconds for which a signature can be undone. */
  readonly grace: () => number;
  /** Whether this desk works with test patients only. */
  readonly isTest: () => boolean;
  readonly own: Pick<OwnFacts, 'role' | 'pin' | 'ask'>;
  /** The measurements of a viewer in words that are not saved yet. */
  readonly placed: () => {
    /** Those that the sections have. `before`: the sections before the words were added. */
    find(itemId: string, sections: readonly Section[], before?: readonly Section[]): BroughtText[];
    /** Forgets those that are saved. Never rejects. */
    settle(itemId: string, found: readonly BroughtText[]): Promise<void>;
  };
}

export interface RecordCopies {
  readonly cache: RecordCache;
  /** Stores the answer of the service; `change`: the id of the change that it answers. */
  keep(record: MedicalRecord, change?: string, unread?: boolean): Promise<MedicalRecord>;
  /** Notifies the pages of a version that they do not know yet. */
  announce(news: VersionNews): void;
  /** Removes a deleted record. */
  forget(news: VersionNews): Promise<void>;
  /** Reads the record. */
  fetch(id: string): Promise<MedicalRecord>;
  /** The record as last read; reads it if needed. */
  known(id: string): Promise<MedicalRecord>;
  standingTo(record: MedicalRecord): Standing;
  edited(record: MedicalRecord, kind: UpdateKind, edit: RecordEdit): MedicalRecord;
  /** Applies the waiting changes. */
  withEdits(record: MedicalRecord): MedicalRecord;
  findWaiting(kind: string, id: string): Change[];
  /** The current record, or the one read last, with the waiting changes. Throws NOT_FOUND if its deletion waits. */
  seen(id: string): Promise<MedicalRecord>;
  /** The records of the exam. */
  ofItem(itemId: string): Promise<MedicalRecord[]>;
  /** The records that pages requested last. */
  recentIds(): readonly string[];
}

export async function openRecordCopies(deps: RecordsDeps): Promise<RecordCopies> {
  const { connect, changes } = deps;
  const cache = await openRecordCache(join(deps.directory, 'records'), deps.log, deps.sealing);
  const api = () => connect().client.records;
  let looked: readonly string[] = [];

  const keep = async (record: MedicalRecord, change?: string, unread = false): Promise<MedicalRecord> => {
    const mine = change === undefined ? undefined : { change, version: record.version, ...(unread && { unread }) };
    await cache.put(record, mine);
    return record;
  };
  /**
   * The latest version of each record that the pages know: the app receives its own change twice, as answer and from
   * the feed.
   */
  const announced = new Map<string, number>();
  const announce = ({ id, worklist_item_id: item_id, version }: VersionNews) => {
    if ((announced.get(id) ?? 0) >= version) return;
    announced.set(id, version);
    deps.emit('record', { id, item_id, version, deleted: false });
  };
  const forget = async ({ id, worklist_item_id: item_id, version }: VersionNews): Promise<void> => {
    announced.delete(id);
    await cache.remove(id);
    deps.emit('record', { id, item_id, version, deleted: true });
  };
  const fetch = async (id: string): Promise<MedicalRecord> => keep((await api().get({ params: { id } })).data);
  const known = async (id: string): Promise<MedicalRecord> => cache.get(id)?.record ?? (await fetch(id));
  const standingTo = ({ preliminary }: MedicalRecord): Standing =>
    findStanding(deps.own.role.present ?? undefined, preliminary?.by === connect().person.display_name);
  const edited = (record: MedicalRecord, kind: UpdateKind, edit: RecordEdit): MedicalRecord =>
    withEdit(record, kind, edit, standingTo(record));
  /** An addendum that its author may still take back is shown like a signature in its grace period. */
  const withSigning = (record: MedicalRecord, { not_before: final_at, created_at: at }: Change): MedicalRecord => {
    const isHeld = final_at !== undefined && Date.parse(final_at) > deps.clock.now();
    return isHeld ? { ...record, signing: { by: connect().person.display_name, at, final_at } } : record;
  };
  const withEdits = (record: MedicalRecord): MedicalRecord =>
    changes.waiting(record.id).reduce((seen, change) => {
      if (change.kind === 'record.take_back') return withoutSigning(seen);
      if (change.kind === 'record.addendum') return withSigning(edited(seen, change.kind, editOf(change)), change);
      return isUpdate(change.kind) ? edited(seen, change.kind, editOf(change)) : seen;
    }, record);
  const findWaiting = (kind: string, id: string): Change[] => changes.waiting(id).filter((each) => each.kind === kind);
  const isGone = (id: string): boolean => findWaiting('record.delete', id).length > 0;
  const seen = async (id: string): Promise<MedicalRecord> => {
    if (isGone(id)) throw new AppError('NOT_FOUND');
    const kept = cache.get(id);
    const record = await fetch(id).catch((error: unknown) => {
      if (kept && isTransient(error)) return kept.record;
      throw error;
    });
    return withEdits(record);
  };
  const ofItem = async (itemId: string): Promise<MedicalRecord[]> => {
    const records: MedicalRecord[] = [];
    try {
      for await (const record of itemsOf((paging) => api().list({ query: { ...paging, worklist_item_id: itemId } }))) {
        records.push(await keep(record));
      }
    } catch (error) {
      if (!isTransient(error)) throw error;
      records.splice(0, records.length, ...cache.ofItem(itemId));
    }
    looked = [...records.map(({ id }) => id), ...looked].slice(0, maxRecent);
    return records.filter(({ id }) => !isGone(id)).map(withEdits);
  };

  return {
    cache,
    keep,
    announce,
    forget,
    fetch,
    known,
    standingTo,
    edited,
    withEdits,
    findWaiting: findWaiting,
    seen,
    ofItem,
    recentIds: () => looked,
  };
}
