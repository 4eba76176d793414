/** Sends the changes of records so that repeating one is harmless. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { saySame } from '../../../src/reporting/versions/report-merge.ts';
import type { Standing } from '../../../src/domain/signing-rules.ts';
import type { TypedInput } from '../../bridge/typed.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes } from '../changes/changes.ts';
import type { TypedWords } from './typed-words.ts';
import type { ServiceDeps } from '../service.ts';
import type { RecordCache } from './record-cache.ts';
import {
  findBase,
  editOf,
  emptyRecord,
  hasAddendum,
  hasEdit,
  isSigned,
  isVersionConflict,
  ontoPresent,
  updates,
} from './record-edits.ts';
import type { RecordEdit, UpdateKind } from './record-edits.ts';
import { bodyOfWriting } from './writing.ts';
import type { KeptWriting } from './writing.ts';

export interface RecordChangesDeps extends Pick<ServiceDeps, 'connect'> {
  readonly changes: Changes;
  readonly typed: TypedWords;
  readonly cache: RecordCache;
  /** Stores the answer to a change of this device; `unread`: it contains words that the person has not seen. */
  keep(record: MedicalRecord, change?: string, unread?: boolean): Promise<MedicalRecord>;
  /** Reads the record from the service, and stores it. */
  fetch(id: string): Promise<MedicalRecord>;
  /** Notifies the pages of a new version. */
  announce(record: MedicalRecord): void;
  /** Notifies the pages that a revocable signature exists, or no longer exists. */
  emitSigning(record: MedicalRecord): void;
  /** The person's rights to the record. */
  standingTo(record: MedicalRecord): Standing;
}

export const wordsOf = ({ version, title, sections }: RecordEdit): Omit<TypedInput, 'kind' | 'subject'> => ({
  version,
  ...(title !== undefined && { title }),
  ...(sections && { sections }),
});

export function defineRecordChanges(deps: RecordChangesDeps): void {
  const { connect, changes, typed, cache, keep, fetch, announce, emitSigning, standingTo } = deps;
  const api = () => connect().client.records;

  const put = async (id: string, version: number, body: RecordUpdate): Promise<MedicalRecord> =>
    (await api().update({ params: { id }, body }, { headers: { 'if-match': `"${version}"` } })).data;

  const made = async (record: MedicalRecord, change: string, unread = false): Promise<MedicalRecord> => {
    await keep(record, change, unread);
    announce(record);
    return record;
  };
  /**
   * Saves the words onto the service's version: another person's changes of other sections stay. Throws
   * VERSION_CONFLICT if both changed the same section, and keeps the words, which the page shows next to the other
   * version.
   */
  const saveOnto = async (
    change: Change,
    edit: RecordEdit,
    base: NonNullable<RecordEdit['base']>,
  ): Promise<MedicalRecord> => {
    const { subject: id } = change;
    const cached = cache.get(id);
    const expected = findBase(change.kind, edit, cached);
    const known = cached?.record;
    // An earlier edit of this device may have been merged with another person's: the next one builds on that.
    let present = known?.version === expected ? known : undefined;
    for (;;) {
      const onto = present ? ontoPresent(edit, present) : { edit, clashes: false, unread: false };
      const update = updates['record.save'](onto.edit, emptyRecord);
      if (present && hasEdit(present, update, standingTo(present))) return keep(present, change.id, onto.unread);
      if (onto.clashes) {
        const kept = typed.find({ kind: 'report', subject: id });
        const { title = base.title, sections = [] } = kept ?? {};
        // Words of a page carry its stroke. Others remain from an earlier edit, over which the person typed these.
        if (!kept?.stroke || saySame({ title, sections }, base))
          await typed.keep({ kind: 'report', subject: id, ...wordsOf(edit) });
        throw new AppError('VERSION_CONFLICT', { message: appMessage('section_changed') });
      }
      try {
        return await made(await put(id, present?.version ?? expected, update), change.id, onto.unread);
      } catch (error) {
        if (!isVersionConflict(error)) throw error;
        const fresh = await fetch(id);
        // Only a later version justifies another attempt.
        if (isSigned(fresh) || fresh.version === present?.version) throw error;
        present = fresh;
      }
    }
  };

  const examOf = ({ subject, touches = [] }: Change): string | null =>
    cache.get(subject)?.record.worklist_item_id ?? touches[0] ?? null;
  for (const kind of Object.keys(updates) as UpdateKind[]) {
    changes.define(
      kind,
      async (change, { unkept }) => {
        const { subject: id } = change;
        const edit = editOf(change);
        if (kind === 'record.save' && edit.base) return saveOnto(change, edit, edit.base);
        const base = findBase(kind, edit, cache.get(id));
        const before = kind === 'record.addendum' ? await fetch(id) : undefined;
        if (before && hasAddendum(before, edit, base)) return keep(before, change.id);
        const update = { ...updates[kind](edit, before ?? emptyRecord), ...unkept };
        try {
          const record = await made(await put(id, before?.version ?? base, update), change.id);
          if (kind === 'record.sign') emitSigning(record);
          return record;
        } catch (error) {
          if (!isVersionConflict(error)) throw error;
          // The answer to an earlier attempt may be lost: then the record already has the edit.
          const present = await fetch(id);
          if (!hasEdit(present, update, standingTo(present))) throw error;
          return keep(present, change.id);
        }
      },
      examOf,
    );
  }
  changes.define(
    'record.take_back',
    async ({ id: change, subject: id }) => {
      const record = await keep((await connect().client.signatures.takeBack({ params: { id } })).data, change);
      emitSigning(record);
      return record;
    },
    examOf,
  );
  changes.define(
    'record.delete',
    async (change) => {
      const { subject: id } = change;
      // The person did not mean to delete a version that another person made since, above all a signed one.
      const headers = { 'if-match': `"${findBase(change.kind, editOf(change), cache.get(id))}"` };
      await api()
        .delete({ params: { id } }, { headers })
        .catch((error: unknown) => {
          if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
        });
      await cache.remove(id);
      return undefined;
    },
    examOf,
  );

  changes.define(
    'record.write',
    async ({ id: idempotencyKey, subject: item_id, payload }) => {
      const { data } = await api().generate(
        { body: { ...bodyOfWriting(payload as KeptWriting), worklist_item_id: item_id } },
        { idempotencyKey },
      );
      // With `mode: sync` the answer is the record itself.
      if (!('sections' in data)) throw new AppError('BAD_ANSWER');
      await keep(data);
      announce(data);
      return data;
    },
    ({ subject }) => subject,
  );
}
