/** What people do to a document that exists: edit, sign, add to, correct by voice, delete. */
import type { MedicalRecord } from '../../src/contract/document.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Correction, CorrectRequest, RecordUpdate } from '../../src/contract/record.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { changeContent, refusedForFinal, textOf } from '../../src/domain/record-state.ts';
import type { Content } from '../../src/domain/record-state.ts';
import type { Call } from '../call.ts';
import type { Services } from '../services.ts';
import { removeBlob } from '../uploads/remove-blob.ts';
import { checkIfMatch, etagOf } from '../versions.ts';
import { whoIs } from '../worklists/item-status.ts';
import { heardFrom, spokenOrWritten, whileCalled } from './dictation.ts';
import { completeExam, linkExam, unlinkExam } from './exam.ts';
import { publishRecord, putRecord, readRecord, toRecord, versionId } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';

interface Done<T> {
  readonly status: 200;
  readonly data: T;
  readonly headers?: Readonly<Record<string, string>>;
}

const nextVersion = (before: StoredRecord, content: Partial<Content>, { clock }: Services): StoredRecord => {
  const after = { ...before, ...content, version: before.version + 1, updated_at: isoNow(clock) };
  return { ...after, text: textOf(after.sections) };
};

const answerWith = (record: StoredRecord): Done<MedicalRecord> => ({
  status: 200,
  data: toRecord(record),
  headers: { ETag: etagOf(record) },
});

/** Replaces what is given; what is equal makes no version. Signing completes the exam. */
export async function updateRecord(
  services: Services,
  id: string,
  update: RecordUpdate,
  call: Call,
): Promise<Done<MedicalRecord>> {
  return call.commit(async (tx) => {
    const before = await readRecord(tx, call.caller.space, id);
    checkIfMatch(call.header('if-match'), before);
    const changed = changeContent(before, update);
    if (!changed) return answerWith(before);
    const record = nextVersion(before, changed.content, services);
    putRecord(tx, record, { who: whoIs(call.caller), change: changed.change });
    if (changed.change === 'signed') await linkExam(tx, services, record);
    if (record.status === 'final') await completeExam(tx, services, record, call);
    return answerWith(record);
  });
}

/** Removes the record with its versions, and its audio once that is committed. */
export async function deleteRecord(
  services: Services,
  id: string,
  call: Call,
): Promise<Done<{ id: string; deleted: true }>> {
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

/** Applies an instruction, spoken or written. One that changes nothing says so and makes no version. */
export async function correctRecord(
  services: Services,
  id: string,
  body: TypeOf<typeof CorrectRequest>,
  call: Call,
): Promise<Done<CorrectionData>> {
  const before = await readRecord(services.store, call.caller.space, id);
  checkIfMatch(call.header('if-match'), before);
  if (before.status === 'final') throw refusedForFinal();
  const instruction = await instructionOf(services, before, body, call);
  const language = body.language ?? before.language;
  const former = await services.store.get('versions', versionId(id, before.version - 1));
  const { sections, changes, answer } = await whileCalled(
    call,
    services.writer.correct(
      {
        account: call.caller.space,
        instruction,
        sections: before.sections,
        former: former?.record.sections ?? null,
        language,
      },
      call.signal,
    ),
  );
  return call.commit(async (tx) => {
    const present = await readRecord(tx, call.caller.space, id);
    if (present.version !== before.version) throw changedMeanwhile(present, call);
    if (changes.length === 0) {
      return correctionAnswer(present, { changes, instruction, ...answer });
    }
    const record = nextVersion(present, { sections }, services);
    putRecord(tx, record, { who: whoIs(call.caller), change: 'corrected' });
    return correctionAnswer(record, { changes, instruction });
  });
}

const correctionAnswer = (record: StoredRecord, rest: Omit<CorrectionData, 'record'>): Done<CorrectionData> => ({
  status: 200,
  data: { record: toRecord(record), ...rest },
  headers: { ETag: etagOf(record) },
});

const changedMeanwhile = ({ version }: StoredRecord, call: Call): AppError =>
  new AppError('VERSION_CONFLICT', {
    ...(call.header('if-match') !== undefined && { status: 412 }),
    details: { version },
    hint: 'Get the record again and repeat the correction.',
  });

async function instructionOf(
  services: Services,
  record: StoredRecord,
  body: TypeOf<typeof CorrectRequest>,
  call: Call,
): Promise<string> {
  const { text, audio } = spokenOrWritten(services, body, call);
  if (!audio) return text;
  const language = body.language ?? record.language;
  const read = () => heardFrom(services.blobs, audio);
  const template = await services.templates.choose(call.caller, {
    id: record.template_id,
    language,
    exam: null,
  });
  const input = { audio, read, language, template, exam: null, purpose: 'instruction' as const };
  return (await whileCalled(call, services.hearing.transcribe(call.caller, input, call.signal))).text;
}
