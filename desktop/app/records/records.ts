/** Records: read, edited, signed and corrected, online or offline. */
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { signsAs } from '../../../src/domain/signing-rules.ts';
import type { Service } from '../service.ts';
import { createCorrections } from './corrections.ts';
import { checkPin } from './pin.ts';
import { defineRecordChanges } from './record-changes.ts';
import { openRecordCopies } from './record-copies.ts';
import type { RecordsDeps, VersionNews } from './record-copies.ts';
import { createRecordEditing } from './record-editing.ts';
import { editOf, isSigned } from './record-edits.ts';
import { followRecords } from './record-feed.ts';
import { createRecordReadings } from './record-readings.ts';
import { readSignatures } from './signatures.ts';
import { textOfWriting, withPatient } from './writing.ts';
import type { KeptWriting, Writing } from './writing.ts';

export interface Records extends Service<'record'> {
  /** Stores the answer of the service, and notifies the pages of a new version. */
  take(record: MedicalRecord): Promise<MedicalRecord>;
  /** Sends the waiting changes of the record. Throws NETWORK if that fails. */
  sendWaiting(id: string): Promise<void>;
  /** Replaces the sections of the record that was just made, now or as soon as the service is reachable. */
  edit(record: MedicalRecord, sections: Section[]): Promise<void>;
  /** Whether the exam has a report that is signed, or whose signature waits, as far as the app knows. */
  isSigned(itemId: string): boolean;
}

export async function createRecords(deps: RecordsDeps): Promise<Records> {
  const { connect, changes, typed } = deps;
  const copies = await openRecordCopies(deps);
  const { cache, keep, announce, fetch, known, withEdits } = copies;
  const api = () => connect().client.records;
  /** The version stays the same while a signature can be undone. */
  const emitSigning = ({ id, worklist_item_id: item_id, version }: VersionNews): void =>
    deps.emit('record', { id, item_id, version, deleted: false, reviewed: true });
  const close = followRecords(deps, copies, emitSigning);
  defineRecordChanges({
    ...deps,
    cache,
    keep,
    fetch,
    announce,
    emitSigning,
    standingTo: copies.standingTo,
  });
  const change = createRecordEditing(deps, copies);
  const corrections = createCorrections(deps, copies);
  const { backgroundOf, versionsOf } = createRecordReadings(deps, copies);

  return {
    handlers: {
      'record.get': ({ id }) => copies.seen(id),
      async 'record.for_item'({ id }) {
        const items = await copies.ofItem(id);
        const written = changes.waiting(id).findLast(({ kind }) => kind === 'record.write');
        return {
          items,
          waiting: items.map((record) => record.id).filter((each) => changes.waiting(each).length > 0),
          written: written ? textOfWriting(written.payload as KeptWriting) : null,
        };
      },
      async 'record.write'({ item_id, stroke, ...typedIn }) {
        const exam = deps.isTest() ? deps.examOf(item_id) : undefined;
        const measured = deps.placed().find(item_id, typedIn.sections);
        const whole: Writing = { ...typedIn, ...(measured.length > 0 && { brought: measured }) };
        const writing = exam ? withPatient(whole, exam) : whole;
        const made = await changes.make('record.write', item_id, () => writing);
        await deps.placed().settle(item_id, measured);
        await typed.settle({ kind: 'text', subject: item_id }, stroke, { sections: typedIn.sections });
        return { outcome: made ? 'saved' : 'queued' };
      },
      'record.save': ({ id, ...edit }) => change('record.save', id, edit),
      async 'record.sign'({ id, pin, ...words }) {
        const { role, pin: own } = deps.own;
        checkPin(own.present, pin);
        const edit = { ...words, grace: deps.grace(), status: signsAs(role.present) };
        return change('record.sign', id, edit, pin === undefined ? {} : { unkept: { pin } });
      },
      async 'record.take_back'({ id }) {
        if (await takeAddendumBack(deps, id)) {
          const record = withEdits(await known(id));
          emitSigning(record);
          return { outcome: 'saved', record };
        }
        // A signature that the service does not have is no longer sent; an earlier attempt may have reached it
        // nevertheless.
        await changes.cancel('record.sign', id);
        const made = await changes.make('record.take_back', id, () => ({}));
        const record = withEdits(made ? (made.sent as MedicalRecord) : await known(id));
        return { outcome: made ? 'saved' : 'queued', record };
      },
      'record.send_back': ({ id, ...edit }) => change('record.send_back', id, edit),
      'record.reopen': ({ id, ...edit }) => change('record.reopen', id, edit),
      'record.decide': async ({ id, finding, status }) => {
        const { data } = await connect().client.reviews.decide({ params: { id, finding }, body: { status } });
        return withEdits(await keep(data));
      },
      async 'record.undo'({ id, version, operation }) {
        const { data } = await connect().client.reviews.undo(
          { params: { id }, body: { operation } },
          { headers: { 'if-match': `"${version}"` } },
        );
        return keep(data);
      },
      'record.background': ({ id, version }) => backgroundOf(id, version),
      async 'record.addendum'({ id, ...edit }) {
        const grace = deps.grace() * 1000;
        const notBefore = grace > 0 ? new Date(deps.clock.now() + grace).toISOString() : undefined;
        const answer = await change('record.addendum', id, edit, { notBefore });
        if (notBefore !== undefined) emitSigning(answer.record);
        return answer;
      },
      ...corrections.handlers,
      'record.versions': async ({ id }) => ({ items: await versionsOf(id) }),
      'record.signature': ({ id }) => readSignatures(id, { cache, versionsOf }),
      'record.distribution': async ({ id }) => (await connect().client.distribution.ofRecord({ params: { id } })).data,
      'record.version': async ({ id, n }) => (await api().version({ params: { id, n } })).data,
      async 'record.delete'({ id }) {
        const { version } = await known(id);
        await changes.make('record.delete', id, (after) => ({ version, ...(after !== undefined && { after }) }));
        await typed.forget(id);
        return {};
      },
    },
    async take(record) {
      await keep(record);
      announce(record);
      return withEdits(record);
    },
    sendWaiting: corrections.sendWaiting,
    async edit(record, sections) {
      const { id, version, title } = await keep(record);
      const words = { version, title, sections, base: { title, sections: record.sections } };
      // Words that the service refuses are shown next to the record.
      await change('record.save', id, words).catch(() =>
        typed.keep({ kind: 'report', subject: id, version, title, sections }),
      );
    },
    isSigned: (itemId) =>
      cache
        .ofItem(itemId)
        .some((record) => isSigned(withEdits(record)) || copies.findWaiting('record.sign', record.id).length > 0),
    close,
  };
}

/** Its author goes on with the text of the addendum. `false`: none is held back. */
async function takeAddendumBack({ changes, typed }: RecordsDeps, id: string): Promise<boolean> {
  const held = changes.findHeld('record.addendum', id);
  if (!held) return false;
  const about = { kind: 'addendum', subject: id } as const;
  const previous = typed.find(about);
  // Another window may have other words. All are on the disk before the change is gone.
  const texts = new Set([editOf(held).text, previous?.text].map((text) => text?.trim() ?? ''));
  await typed.keep({ ...about, text: [...texts].filter((text) => text !== '').join('\n\n') });
  const isWithdrawn = await changes.withdraw(held);
  // It was sent in the meantime.
  if (!isWithdrawn) await typed.restore(about, previous);
  return isWithdrawn;
}
