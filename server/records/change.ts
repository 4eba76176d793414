/** Changes existing records: edits, signatures, addenda, spoken corrections, deletion. */
import type { MedicalRecord, Section } from '../../src/contract/document.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { Correction, CorrectRequest, RecordUpdate } from '../../src/contract/record.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import { undo } from '../../src/reporting/versions/undo.ts';
import type { UndoRefusal } from '../../src/reporting/versions/undo.ts';
import type { UndoRequest } from '../../src/contract/review.ts';
import type { Macro } from '../../src/reporting/vocabulary/macros.ts';
import { withTerms } from '../../src/reporting/dictation.ts';
import { changeContent, isSameContent } from '../../src/domain/record-state.ts';
import type { Step } from '../../src/domain/signing-rules.ts';
import type { Call } from '../http/call.ts';
import type { RecordDeps } from './deps.ts';
import type { Transaction } from '../storage/store.ts';
import { removeBlob } from './uploads/remove-blob.ts';
import { callableMacros } from './wordbook/macros.ts';
import { toSpaceUser } from './wordbook/wordbook-item.ts';
import { expectedTerms, termsFor } from './wordbook/vocabulary.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import { findBrought } from './brought.ts';
import { openAudio, readInput, whileCalled } from './dictation.ts';
import { checkNotReplaced, findPreviousReport, createMover, unlinkExam } from './exam.ts';
import type { SignatureDeps } from './exam.ts';
import { startGrace, updatePendingSignature } from './grace.ts';
import { findChanges } from '../../src/reporting/instructions/instruct.ts';
import { mergeReports } from '../../src/reporting/versions/report-merge.ts';
import { mergeTexts } from '../../src/domain/text-change.ts';
import { reviewSignature } from './review.ts';
import { checkOpen, applyTransition, readSigner, readStanding, decideEdit } from './signing.ts';
import { reopen, withTransition } from './signature-state.ts';
import {
  isSigning,
  toTemplateRef,
  publishRecord,
  putRecord,
  readRecord,
  toStoredProvenance,
  toRecord,
  versionId,
} from './stored-record.ts';
import type { OpenRecord, SettledRecord, StoredRecord, StoredVersion } from './stored-record.ts';
import { createMaker, nextVersion, prepare, findTemplate } from './next-version.ts';
import type { InspectionDeps, PreparedVersion } from './next-version.ts';
import { findLastInstruction } from './last-instruction.ts';

export type ChangeDeps = InspectionDeps & SignatureDeps;
export type CorrectionDeps = ChangeDeps & Pick<RecordDeps, 'writer' | 'recognition' | 'blobs'>;

interface ChangeAnswer<T> {
  readonly status: 200;
  readonly data: T;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The macros that an instruction can call. A macro for a section that the report doesn't have is inserted where the
 * instruction says.
 */
async function findCallableMacros(services: InspectionDeps, record: StoredRecord, { caller }: Call): Promise<Macro[]> {
  const template = await findTemplate(services, record);
  const known = new Set([...record.sections, ...(template?.sections ?? [])].map(({ key }) => key));
  const of = { language: record.language, macros: template?.macros ?? [] };
  const macros = await callableMacros(services.store, toSpaceUser(caller), of);
  return macros.map(({ section, ...macro }) => ({
    ...macro,
    ...(section !== undefined && known.has(section) && { section }),
  }));
}

/** Gives up after this many concurrent changes. */
const maxAttempts = 50;

/** Repeats a change if the record changed between the read and the transaction. */
async function retryOnConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      // 412 answers an If-Match, which would fail again.
      const isRepeated = error instanceof AppError && error.code === 'VERSION_CONFLICT' && error.status !== 412;
      if (!isRepeated || attempt >= maxAttempts || error.details?.['edited'] === true) throw error;
    }
  }
}

const answerWith = (record: StoredRecord): ChangeAnswer<MedicalRecord> => ({
  status: 200,
  data: toRecord(record),
  headers: { ETag: etagOf(record) },
});

/** Whether the update signs the record, as an attending or as a resident. */
const isSignature = ({ status = 'draft' }: RecordUpdate, before: StoredRecord): boolean =>
  status !== 'draft' && status !== before.status;

/** Seconds of the grace period. VALIDATION_FAILED if the update is no signature. */
function readGrace({ status, grace_seconds: seconds = 0 }: RecordUpdate): number {
  if (seconds === 0 || status === 'final' || status === 'preliminary') return seconds;
  const message = 'grace_seconds comes with status final or preliminary';
  throw validationFailed([{ field: 'grace_seconds', message, code: 'INVALID_VALUE' }]);
}

/**
 * Replaces the fields of the update. An update without changes makes no version. Signing completes the exam, at once or
 * after the grace period.
 */
export async function updateRecord(
  services: ChangeDeps & Pick<RecordDeps, 'pins'>,
  id: string,
  update: RecordUpdate,
  call: Call,
): Promise<ChangeAnswer<MedicalRecord>> {
  return retryOnConflict(async () => {
    const before = await readRecord(services.store, call.caller.space, id);
    checkIfMatch(call.header('if-match'), before);
    const grace = readGrace(update);
    if (isSignature(update, before)) await services.pins.check(call, update.pin);
    // Inspection is slow, so it runs before the transaction, which makes all decisions on the record that it reads
    // itself.
    const prepared = isSigning(before) ? undefined : await prepareUpdate(services, before, update, call);
    return call.commit(async (tx) => {
      const present = await readRecord(tx, call.caller.space, id);
      if (present.version !== before.version || isSigning(present) !== isSigning(before))
        throw changedMeanwhile(present);
      if (isSigning(present)) return answerWith(await updatePendingSignature(tx, services, present, update, call));
      // The operator may have removed the role meanwhile.
      const changed = changeContent(present, update, await readStanding(tx, present, call));
      if (!changed || !prepared) return answerWith(present);
      const { status: _status, ...words } = changed.content;
      const next = { present, prepared: { ...prepared, words }, update };
      if (present.status === 'final' || changed.change === 'addendum')
        return answerWith(await putAddendum(tx, services, next, call));
      return answerWith(await putTransition(tx, services, { ...next, present, change: changed.change, grace }, call));
    });
  });
}

/** A record with the words of its next version and the update that requests them. */
interface Next<Present extends SettledRecord> {
  readonly present: Present;
  readonly prepared: PreparedVersion;
  readonly update: RecordUpdate;
}

/** Stores the signed record with its addendum. */
async function putAddendum(
  tx: Transaction,
  services: ChangeDeps,
  { present, prepared }: Next<SettledRecord>,
  call: Call,
): Promise<StoredRecord> {
  await checkNotReplaced(tx, present);
  const maker = createMaker(call, services);
  const record = nextVersion(present, prepared, maker);
  const change = 'addendum';
  putRecord(tx, record, { who: maker.by, change, ...toStoredProvenance(prepared), signer: await readSigner(tx, call) });
  await applyTransition(tx, services, { before: present, record, change }, createMover(call));
  return record;
}

/** Stores the next version in its new state. With `grace`, in seconds, a signature only begins. */
async function putTransition(
  tx: Transaction,
  services: ChangeDeps,
  next: Next<OpenRecord> & { readonly change: Step['change']; readonly grace: number },
  call: Call,
): Promise<StoredRecord> {
  const { present, prepared, update, change, grace } = next;
  const maker = createMaker(call, services);
  const version = nextVersion(present, prepared, maker);
  // Receivers of both must recognise the signed record as a correction of the exam's previous report.
  const replaces = change === 'signed' ? await findPreviousReport(tx, version) : undefined;
  const by = { ...maker, id: call.caller.user?.id };
  const transitioned = withTransition(version, change, { maker: by, note: update.note, replaces });
  if (change !== 'signed' && change !== 'preliminary') {
    const note = change === 'sent_back' ? transitioned.sent_back?.note : undefined;
    putRecord(tx, transitioned, {
      who: maker.by,
      change,
      ...toStoredProvenance(prepared),
      ...(note !== undefined && { note }),
    });
    await applyTransition(tx, services, { before: present, record: transitioned, change }, createMover(call));
    return transitioned;
  }
  const { reviewed, open_findings } = reviewSignature(transitioned, update, maker);
  if (grace > 0) {
    const draft = isSameContent(present, update)
      ? present
      : await putChange(tx, services, { present, prepared, change: 'edited' }, call);
    const as = change === 'signed' ? 'final' : 'preliminary';
    const kept = { open_findings, signer: await readSigner(tx, call) };
    return startGrace(tx, services, draft, { reviewed, as, version: kept, seconds: grace }, maker, call);
  }
  const record = { ...transitioned, ...reviewed };
  const signer = await readSigner(tx, call);
  putRecord(tx, record, { who: maker.by, change, ...toStoredProvenance(prepared), open_findings, signer });
  await applyTransition(tx, services, { before: present, record, change }, createMover(call));
  return record;
}

/** Inspects the next version; `undefined` if the update changes nothing. */
async function prepareUpdate(
  services: InspectionDeps,
  before: StoredRecord,
  update: RecordUpdate,
  call: Call,
): Promise<PreparedVersion | undefined> {
  const changed = changeContent(before, update, await readStanding(services.store, before, call));
  if (!changed) return undefined;
  const brought = await findBrought(services.store, before, update.brought);
  const { status: _status, ...words } = changed.content;
  return prepare(services, before, words, call, brought.length > 0 ? { brought } : {});
}

/** Undoes one conversion of the report and keeps other changes. */
export async function undoConversion(
  services: ChangeDeps,
  id: string,
  { operation }: TypeOf<typeof UndoRequest>,
  call: Call,
): Promise<ChangeAnswer<MedicalRecord>> {
  return retryOnConflict(async () => {
    const before = await readRecord(services.store, call.caller.space, id);
    checkIfMatch(call.header('if-match'), before);
    checkOpen(before);
    await decideEdit(services.store, before, call);
    const { provenance } = (await services.store.get('versions', versionId(id, before.version))) ?? {};
    if (!provenance) throw undoRefusals.unknown();
    const done = undo({ sections: before.sections, provenance }, operation, normalForm(before.transcript ?? ''));
    if (typeof done === 'string') throw undoRefusals[done]();
    const origin = { provenance: done.provenance };
    const prepared = await prepare(services, before, { sections: [...done.sections] }, call, { origin });
    return call.commit(async (tx) => {
      const present = await readRecord(tx, call.caller.space, id);
      if (present.version !== before.version) throw changedMeanwhile(present);
      checkOpen(present);
      return answerWith(await putChange(tx, services, { present, prepared, change: 'edited' }, call));
    });
  });
}

/** Stores the next version of a record that is not final. If its resident changes it, it becomes a draft again. */
async function putChange(
  tx: Transaction,
  services: SignatureDeps,
  {
    present,
    prepared,
    change,
    instruction,
  }: { present: OpenRecord; prepared: PreparedVersion; change: 'edited' | 'corrected' } & Pick<
    StoredVersion,
    'instruction'
  >,
  call: Call,
): Promise<OpenRecord> {
  const maker = createMaker(call, services);
  const step = await decideEdit(tx, present, call);
  const next = nextVersion(present, prepared, maker);
  const record = step.change === 'reopened' ? reopen(next) : next;
  const made = step.change === 'reopened' ? step.change : change;
  putRecord(tx, record, {
    who: maker.by,
    change: made,
    ...toStoredProvenance(prepared),
    ...(instruction && { instruction }),
  });
  await applyTransition(tx, services, { before: present, record, change: made }, createMover(call));
  return record;
}

const undoRefusals: Readonly<Record<UndoRefusal, () => AppError>> = {
  unknown: () =>
    new AppError('NOT_FOUND', {
      message: 'The present version has no conversion with this id.',
      hint: 'GET …/provenance lists the conversions.',
    }),
  wordless: () =>
    new AppError('INVALID_TRANSITION', {
      message: 'This was a command, or took words back, and wrote no words of the document.',
      details: { reason: 'wordless' },
      hint: 'Edit the document, or restore an earlier version.',
    }),
  changed: () =>
    new AppError('INVALID_TRANSITION', {
      message: 'The words of this conversion were changed since.',
      details: { reason: 'changed' },
      hint: 'Edit the document, or restore an earlier version.',
    }),
};

/** Deletes the record with its versions; its audio after the commit. */
export async function deleteRecord(
  services: Pick<RecordDeps, 'clock' | 'blobs' | 'log'>,
  id: string,
  call: Call,
): Promise<ChangeAnswer<{ id: string; deleted: true }>> {
  const { blob, ...answer } = await call.commit(async (tx) => {
    const record = await readRecord(tx, call.caller.space, id);
    checkIfMatch(call.header('if-match'), record);
    for (const version of await tx.find('versions', { is: { record: id } })) tx.remove('versions', version.id);
    tx.remove('records', id);
    publishRecord(tx, record, 'deleted');
    await unlinkExam(tx, services, record);
    return { status: 200 as const, data: { id, deleted: true as const }, blob: record.audio_blob };
  });
  if (blob !== null) await removeBlob(services, blob);
  return answer;
}

type CorrectionData = TypeOf<typeof Correction>;

/**
 * Applies a spoken or typed instruction. An instruction that changes nothing makes no version, and the answer says so.
 */
export async function correctRecord(
  services: CorrectionDeps,
  id: string,
  body: TypeOf<typeof CorrectRequest>,
  call: Call,
): Promise<ChangeAnswer<CorrectionData>> {
  const before = await readRecord(services.store, call.caller.space, id);
  checkIfMatch(call.header('if-match'), before);
  checkOpen(before);
  await decideEdit(services.store, before, call);
  const instruction = await readInstruction(services, before, body, call);
  const language = body.language ?? before.language;
  const last = await findLastInstruction(services.store, before);
  const macros = await findCallableMacros(services, before, call);
  const { sections, changes, undoes, answer, brought } = await whileCalled(
    call,
    services.writer.correct(
      {
        account: call.caller.space,
        instruction,
        sections: before.sections,
        last,
        language,
        macros,
      },
      call.signal,
    ),
  );
  // Concurrent edits are kept, because the instruction refers to the version that its speaker saw.
  return retryOnConflict(async () => {
    const now = await readRecord(services.store, call.caller.space, id);
    checkIfMatch(call.header('if-match'), now);
    const corrected = changes.length === 0 ? undefined : rebase(before, sections, now);
    const prepared =
      corrected && (await prepare(services, now, { sections: corrected }, call, { ...(brought && { brought }) }));
    return call.commit(async (tx) => {
      const present = await readRecord(tx, call.caller.space, id);
      if (present.version !== now.version) {
        checkIfMatch(call.header('if-match'), present);
        throw changedMeanwhile(present);
      }
      if (!prepared) {
        return correctionAnswer(present, { changes, instruction, ...answer });
      }
      checkOpen(present);
      const made = undoes ? 'taken_back' : 'carried_out';
      const record = await putChange(tx, services, { present, prepared, change: 'corrected', instruction: made }, call);
      return correctionAnswer(record, { changes: findChanges(present.sections, record.sections), instruction });
    });
  });
}

/** Merges the changes of an instruction into the current sections. VERSION_CONFLICT if the same words were edited. */
function rebase(before: StoredRecord, corrected: readonly Section[], present: StoredRecord): Section[] {
  const untitled = (sections: readonly Section[]) => ({ title: '', sections });
  const { words, clashes } = mergeReports(untitled(before.sections), untitled(corrected), untitled(present.sections));
  const merged = new Map(
    clashes.map(({ key, before: text, ours: mine, theirs }) => {
      const both =
        text === undefined || mine === undefined || theirs === undefined ? undefined : mergeTexts(text, mine, theirs);
      if (both === undefined) throw editedMeanwhile(present);
      return [key, both] as const;
    }),
  );
  const sections = words.sections.map((section) => ({ ...section, text: merged.get(section.key) ?? section.text }));
  if (findChanges(present.sections, sections).length === 0) throw editedMeanwhile(present);
  return sections;
}

const correctionAnswer = (
  record: StoredRecord,
  rest: Omit<CorrectionData, 'record'>,
): ChangeAnswer<CorrectionData> => ({
  status: 200,
  data: { record: toRecord(record), ...rest },
  headers: { ETag: etagOf(record) },
});

const changedMeanwhile = ({ version }: StoredRecord): AppError =>
  new AppError('VERSION_CONFLICT', { details: { version }, hint: 'Get the record again and repeat the change.' });

const editedMeanwhile = ({ version }: StoredRecord): AppError =>
  new AppError('VERSION_CONFLICT', {
    message: 'The words that the instruction is about were edited meanwhile; nothing was changed.',
    details: { version, edited: true },
    hint: 'Get the record again and repeat the instruction.',
  });

async function readInstruction(
  services: Pick<RecordDeps, 'store' | 'blobs' | 'recognition' | 'templates'>,
  record: StoredRecord,
  body: TypeOf<typeof CorrectRequest>,
  call: Call,
): Promise<string> {
  const { text, audio } = readInput(services, body, call);
  if (!audio) return text;
  const language = body.language ?? record.language;
  const read = () => openAudio(services.blobs, audio);
  const template = await services.templates.choose(call.caller, {
    ...toTemplateRef(record),
    language,
    exam: null,
  });
  const user = toSpaceUser(call.caller);
  const terms = await expectedTerms(services.store, user, { template, exam: null });
  const input = { audio, read, language, template, exam: null, terms, purpose: 'instruction' as const };
  const { text: heard } = await whileCalled(
    call,
    services.recognition.transcribe({ ...user, test_mode: call.caller.test_mode }, input, call.signal),
  );
  return withTerms(heard, language, { terms: await termsFor(services.store, user, language), isHeard: true });
}
