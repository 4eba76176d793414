/** Documents: read, edited, signed and corrected, online or offline. */
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import type { MedicalRecord, Section } from '../../../src/contract/document.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { contract } from '../../../src/contract/index.ts';
import type { RecordVersion } from '../../../src/contract/record-version.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { signsAs, standingOf } from '../../../src/domain/signing-rules.ts';
import type { Standing } from '../../../src/domain/signing-rules.ts';
import { forLanguage } from '../../../src/reporting/templates/template.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import type { CallOutput } from '../../bridge/calls.ts';
import type { Stroke } from '../../bridge/shapes.ts';
import type { Typed } from '../../bridge/typed.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes, Unkept } from '../changes/changes.ts';
import { checkPin } from './pin.ts';
import { followEvents } from '../../../src/client/events/event-feed.ts';
import { openRecordCache } from './record-cache.ts';
import { defineRecordChanges, wordsOf } from './record-changes.ts';
import { addendaOf, editOf, isSigned, isUpdate, withEdit, withoutSigning } from './record-edits.ts';
import type { RecordEdit, UpdateKind } from './record-edits.ts';
import { signaturesOf } from './signatures.ts';
import { textOfWriting, withPatient } from './writing.ts';
import type { KeptWriting, Writing } from './writing.ts';
import type { Service, ServiceDeps } from '../service.ts';
import type { OwnFacts } from './own-facts.ts';
import type { TypedWords } from './typed-words.ts';

const RecordEvent = contract.records.endpoints.events.responses[200];
type RecordEvent = TypeOf<typeof RecordEvent>;
/** What pages learn about a new version. */
type VersionNews = Pick<RecordEvent, 'id' | 'worklist_item_id' | 'version'>;

type Saved = CallOutput<'record.save'>;
/** How many documents are read again when the service is back: those that pages asked for last. */
const mostLooked = 8;

/** Under which kind the typed words of an edit are kept. */
const typedAs: Readonly<Partial<Record<UpdateKind, Typed['kind']>>> = {
  'record.save': 'report',
  'record.addendum': 'addendum',
};

export interface RecordsDeps extends ServiceDeps {
  readonly changes: Changes;
  readonly typed: TypedWords;
  /** The exam, as the app last read it. */
  readonly examOf: (itemId: string) => WorklistItem | undefined;
  /** For how many seconds a signature can be taken back. */
  readonly grace: () => number;
  /** Whether this desk works with test patients only. */
  readonly isTest: () => boolean;
  readonly own: Pick<OwnFacts, 'role' | 'pin' | 'ask'>;
}

export interface Records extends Service<'record'> {
  /** Keeps what the service answered, and tells the pages of a new version. */
  take(record: MedicalRecord): Promise<MedicalRecord>;
  /** Sends what waits of the document. NETWORK where it cannot be sent. */
  sendWaiting(id: string): Promise<void>;
  /** Replaces the sections of the document that was just made, now or as soon as the service can be reached. */
  edit(record: MedicalRecord, sections: Section[]): Promise<void>;
  /** Whether the exam has a report that is signed, or whose signature waits, as far as the app knows. */
  isSigned(itemId: string): boolean;
}

export async function createRecords(deps: RecordsDeps): Promise<Records> {
  const { connect, changes, typed } = deps;
  const cache = await openRecordCache(join(deps.directory, 'records'), deps.sealing);
  const api = () => connect().client.records;

  const keep = async (record: MedicalRecord, change?: string, unread = false): Promise<MedicalRecord> => {
    const mine = change === undefined ? undefined : { change, version: record.version, ...(unread && { unread }) };
    await cache.put(record, mine);
    return record;
  };
  /**
   * The version of each document that the pages learned of last: the app hears of its own change twice, by the answer
   * and by the feed.
   */
  const announced = new Map<string, number>();
  const announce = ({ id, worklist_item_id: item_id, version }: VersionNews) => {
    if ((announced.get(id) ?? 0) >= version) return;
    announced.set(id, version);
    deps.tell('record', { id, item_id, version, deleted: false });
  };
  const forget = async ({ id, worklist_item_id: item_id, version }: VersionNews): Promise<void> => {
    announced.delete(id);
    await cache.remove(id);
    deps.tell('record', { id, item_id, version, deleted: true });
  };
  const fetch = async (id: string): Promise<MedicalRecord> => keep((await api().get({ params: { id } })).data);
  const standingTo = ({ preliminary }: MedicalRecord): Standing =>
    standingOf(deps.own.role.present ?? undefined, preliminary?.by === connect().person.display_name);
  const edited = (record: MedicalRecord, kind: UpdateKind, edit: RecordEdit): MedicalRecord =>
    withEdit(record, kind, edit, standingTo(record));
  const withEdits = (record: MedicalRecord): MedicalRecord =>
    changes.waiting(record.id).reduce((seen, change) => {
      if (change.kind === 'record.take_back') return withoutSigning(seen);
      return isUpdate(change.kind) ? edited(seen, change.kind, editOf(change)) : seen;
    }, record);
  const waitingOf = (kind: string, id: string): Change[] => changes.waiting(id).filter((each) => each.kind === kind);
  const isGone = (id: string): boolean => waitingOf('record.delete', id).length > 0;
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
    looked = [...records.map(({ id }) => id), ...looked].slice(0, mostLooked);
    return records.filter(({ id }) => !isGone(id)).map(withEdits);
  };

  let looked: readonly string[] = [];
  let catchingUp: Promise<void> = Promise.resolve();
  /** Handles news one after the other. A document that cannot be read now is read when somebody asks for it. */
  const inTurn = (work: () => Promise<void>): void => {
    catchingUp = catchingUp.then(work).catch((error: unknown) => {
      if (!(error instanceof AppError)) deps.log({ level: 'error', event: 'records_not_followed' });
    });
  };
  /** The version stays while a signature can be taken back. */
  const tellSigning = ({ id, worklist_item_id: item_id, version }: VersionNews): void =>
    deps.tell('record', { id, item_id, version, deleted: false, reviewed: true });
  /** Somebody, perhaps here, decided about a finding, signed for a while, or took that back: the version stays. */
  const followDecision = async (event: RecordEvent): Promise<void> => {
    if (cache.get(event.id)) await fetch(event.id);
    tellSigning(event);
  };
  /** Reads a cached document again before the pages are told, so that they find the new version here. */
  const follow = async (event: RecordEvent): Promise<void> => {
    const { id, version } = event;
    if (event.change === 'deleted') return forget(event);
    if (event.change === 'distributed') return deps.tell('distributed', { id });
    const kept = cache.get(id)?.record;
    if (['reviewed', 'signing', 'taken_back'].includes(event.change)) return followDecision(event);
    if (kept && kept.version >= version) return;
    if (kept) await fetch(id);
    announce(event);
  };
  const lookAgain = async (id: string): Promise<void> => {
    const before = cache.get(id)?.record;
    try {
      const record = await fetch(id);
      if (before?.version !== record.version) announce(record);
    } catch (error) {
      if (!before || !(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
      await forget(before);
    }
  };
  const feed = followEvents({
    clock: deps.clock,
    random: deps.random,
    open: (signal) => api().events({}, { signal }),
    schema: RecordEvent,
    onEvent: (event) => inTurn(() => follow(event)),
    onOpen() {
      for (const id of new Set(looked)) inTurn(() => lookAgain(id));
    },
  });
  const forgetOnline = deps.onOnline(() => feed.hurry());

  defineRecordChanges({ ...deps, cache, keep, fetch, announce, tellSigning, standingTo });

  /** Makes the edit; if somebody else changed the document meanwhile, returns both versions. */
  async function change(
    kind: UpdateKind,
    id: string,
    { stroke, ...words }: Omit<RecordEdit, 'after' | 'version'> & { version?: number; stroke?: Stroke },
    unkept?: Unkept,
  ): Promise<Saved> {
    const before = cache.get(id)?.record ?? (await fetch(id));
    const edit: RecordEdit = {
      ...words,
      version: words.version ?? before.version,
      ...(kind === 'record.addendum' && { addenda: addendaOf(before).length + waitingOf(kind, id).length }),
    };
    const about = typedAs[kind] && { kind: typedAs[kind], subject: id };
    // A signature completes the exam: what was decided about that before comes first.
    const touches = kind === 'record.sign' && before.worklist_item_id !== null ? [before.worklist_item_id] : [];
    try {
      const payload = (after: string | undefined) => ({ ...edit, ...(after !== undefined && { after }) });
      const made = await changes.make(kind, id, payload, { unkept, touches });
      // The title of an addendum is none that somebody typed.
      if (about) await typed.settle(about, stroke, about.kind === 'addendum' ? { ...words, title: undefined } : words);
      if (made) return { outcome: 'saved', record: made.sent as MedicalRecord };
      return { outcome: 'queued', record: withEdits(before) };
    } catch (error) {
      // The operator may have given another role, or the person has a PIN meanwhile, or none.
      if (error instanceof AppError && error.code === 'FORBIDDEN') deps.own.ask();
      const isConflict =
        error instanceof AppError && (error.code === 'VERSION_CONFLICT' || error.code === 'INVALID_TRANSITION');
      if (!isConflict) throw error;
      const theirs = await fetch(id);
      if (theirs.version === edit.version) throw error;
      // The person may choose between both versions later, or in another window.
      if (about?.kind === 'report') await typed.keep({ ...about, ...wordsOf(edit), ...(stroke && { stroke }) });
      return { outcome: 'conflict', record: edited(before, kind, edit), theirs };
    }
  }

  /** What the service does itself, such as a correction, needs every change first. */
  const sendWaiting = async (id: string): Promise<void> => {
    if (changes.waiting(id).length > 0) await changes.flush(id);
  };
  const corrected = async ({
    record,
    changes: made,
    instruction,
    message,
  }: Awaited<ReturnType<ReturnType<typeof api>['correct']>>['data']) => {
    await keep(record);
    if (made.length > 0) announce(record);
    return { record, changes: made, instruction, ...(message !== undefined && { message }) };
  };

  const backgroundOf = async (id: string, version: number): Promise<CallOutput<'record.background'>> => {
    const { template_id, template_version, language } = cache.get(id)?.record ?? (await fetch(id));
    const { templates, reviews } = connect().client;
    const query = { language, ...(template_version !== undefined && { version: template_version }) };
    const [found, origins] = await Promise.all([
      orNull(templates.get({ params: { id: template_id }, query })),
      orNull(reviews.provenance({ params: { id }, query: { version } })),
    ]);
    const template = found && forLanguage(found.data, language).sections;
    if (!origins) return { template, provenance: null };
    const { id: _id, version: _version, ...provenance } = origins.data;
    return { template, provenance };
  };
  const versionsOf = async (id: string): Promise<RecordVersion[]> => {
    const versions: RecordVersion[] = [];
    for await (const version of itemsOf((paging) => api().versions({ params: { id }, query: paging })))
      versions.push(version);
    return versions;
  };
  return {
    handlers: {
      'record.get': ({ id }) => seen(id),
      async 'record.for_item'({ id }) {
        const items = await ofItem(id);
        const written = changes.waiting(id).findLast(({ kind }) => kind === 'record.write');
        return {
          items,
          waiting: items.map((record) => record.id).filter((each) => changes.waiting(each).length > 0),
          written: written ? textOfWriting(written.payload as KeptWriting) : null,
        };
      },
      async 'record.write'({ item_id, stroke, ...typedIn }) {
        const exam = deps.isTest() ? deps.examOf(item_id) : undefined;
        const writing: Writing = exam ? withPatient(typedIn, exam) : typedIn;
        const made = await changes.make('record.write', item_id, () => writing);
        await typed.settle({ kind: 'text', subject: item_id }, stroke, { sections: typedIn.sections });
        return { outcome: made ? 'saved' : 'queued' };
      },
      'record.save': ({ id, ...edit }) => change('record.save', id, edit),
      async 'record.sign'({ id, pin, ...words }) {
        const { role, pin: own } = deps.own;
        checkPin(own.present, pin);
        const edit = { ...words, grace: deps.grace(), status: signsAs(role.present) };
        return change('record.sign', id, edit, pin === undefined ? undefined : { pin });
      },
      async 'record.take_back'({ id }) {
        // A signature that the service has not got is not sent any more; an earlier try may have reached it all the same.
        await changes.cancel('record.sign', id);
        const made = await changes.make('record.take_back', id, () => ({}));
        const record = withEdits(made ? (made.sent as MedicalRecord) : (cache.get(id)?.record ?? (await fetch(id))));
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
      'record.addendum': ({ id, ...edit }) => change('record.addendum', id, edit),
      async 'record.correct'({ id, version, instruction, stroke }) {
        await sendWaiting(id);
        const answer = await api().correct(
          { params: { id }, body: { text: instruction } },
          { headers: { 'if-match': `"${version}"` } },
        );
        await typed.settle({ kind: 'instruction', subject: id }, stroke, { text: instruction });
        return corrected(answer.data);
      },
      async 'record.correct_spoken'({ id, version }, bytes = new Uint8Array()) {
        await sendWaiting(id);
        const file = {
          contentType: 'audio/wav',
          size: bytes.length,
          open: async function* () {
            yield bytes;
          },
        };
        const answer = await api().correct(
          { params: { id }, body: {}, file },
          { headers: { 'if-match': `"${version}"` } },
        );
        return corrected(answer.data);
      },
      'record.versions': async ({ id }) => ({ items: await versionsOf(id) }),
      'record.signature': ({ id }) => signaturesOf(id, { cache, versionsOf }),
      'record.distribution': async ({ id }) => (await connect().client.distribution.ofRecord({ params: { id } })).data,
      'record.version': async ({ id, n }) => (await api().version({ params: { id, n } })).data,
      async 'record.delete'({ id }) {
        const { version } = cache.get(id)?.record ?? (await fetch(id));
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
    sendWaiting,
    async edit(record, sections) {
      const { id, version, title } = await keep(record);
      const words = { version, title, sections, base: { title, sections: record.sections } };
      // What the service does not take, the person finds beside the document.
      await change('record.save', id, words).catch(() =>
        typed.keep({ kind: 'report', subject: id, version, title, sections }),
      );
    },
    isSigned: (itemId) =>
      cache
        .ofItem(itemId)
        .some((record) => isSigned(withEdits(record)) || waitingOf('record.sign', record.id).length > 0),
    async close() {
      forgetOnline();
      await feed.close();
      await catchingUp;
    },
  };
}

/** What the service gives, or `null` if it has nothing there. */
const orNull = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  });
