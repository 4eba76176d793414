/** Generates a record at once, or queues a job for it. */
import { jobs } from '../../src/contract/job.ts';
import type { Job } from '../../src/contract/job.ts';
import type { MedicalRecord } from '../../src/contract/document.ts';
import { isOutcomeUnknown, validationFailed } from '../../src/contract/errors.ts';
import type { GenerateRequest } from '../../src/contract/record.ts';
import type { Call } from '../http/call.ts';
import { createLog } from './jobs/run-job.ts';
import { newJob, toJob, withWait } from './jobs/stored-job.ts';
import type { RecordDeps } from './deps.ts';
import { etagOf } from '../http/versions.ts';
import { keepVersion } from './templates/own-templates.ts';
import { createDictation, draftDocument, createRecord, whileCalled } from './dictation.ts';
import type { Dictation, DictationDeps } from './dictation.ts';
import { linkExam, takeExam } from './exam.ts';
import { putRecord, toStoredProvenance, toRecord } from './stored-record.ts';
import { checkUnused, removeUsed } from './transcriptions/stored-transcription.ts';
import { removeBlob } from './uploads/remove-blob.ts';

export interface GeneratedAnswer {
  readonly status: 201;
  readonly data: MedicalRecord;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AcceptedAnswer {
  readonly status: 202;
  readonly data: Job;
  readonly headers: Readonly<Record<string, string>>;
}

export type GenerationDeps = DictationDeps & Pick<RecordDeps, 'jobs' | 'ids' | 'log' | 'members'>;

/** Generates the record at once, or queues a job. */
export async function generate(
  services: GenerationDeps,
  body: GenerateRequest,
  call: Call,
): Promise<GeneratedAnswer | AcceptedAnswer> {
  const dictation = await createDictation(services, body, call);
  return keepingAudio(services, dictation, call, async () =>
    body.mode === 'async' ? generateLater(services, dictation, call) : generateNow(services, dictation, call),
  );
}

/** Queues a job for the recording of the call. */
export async function generateFromRecording(
  services: GenerationDeps,
  fields: Pick<GenerateRequest, 'template_id' | 'language' | 'worklist_item_id'>,
  call: Call,
): Promise<AcceptedAnswer> {
  const { upload } = call;
  if (!upload) {
    const message = 'the body must be a recording, with Content-Type application/octet-stream or audio/…';
    throw validationFailed([{ field: '', message, code: 'FIELD_REQUIRED' }]);
  }
  const { content_type } = upload.audio;
  const body: GenerateRequest = { ...fields, mode: 'async', audio: { content_type, data: '' } };
  const dictation = await createDictation(services, body, call);
  return keepingAudio(services, dictation, call, () => generateLater(services, dictation, call));
}

/** Removes joined audio if the work fails; keeps all audio if nobody knows. */
async function keepingAudio<T>(
  services: GenerationDeps,
  dictation: Dictation,
  call: Call,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isOutcomeUnknown(error)) call.upload?.keep();
    else if (dictation.request.transcriptions && dictation.audio) await removeBlob(services, dictation.audio.blob);
    throw error;
  }
}

/** Generates the record at once: 201 with the record. */
async function generateNow(
  services: DictationDeps & Pick<RecordDeps, 'ids'>,
  dictation: Dictation,
  call: Call,
): Promise<GeneratedAnswer> {
  const draft = await whileCalled(call, draftDocument(services, dictation, call.signal));
  const record = createRecord(dictation, draft, { id: services.ids('rec'), job_id: null, clock: services.clock });
  const answer = await call.commit(async (tx): Promise<GeneratedAnswer> => {
    await checkUnused(tx, dictation.request.transcriptions ?? []);
    await takeExam(tx, services, dictation.request.worklist_item_id, call);
    await keepVersion(tx, record.space, draft.template);
    putRecord(tx, record, { who: dictation.who, change: 'generated', ...toStoredProvenance(draft.inspection) });
    await linkExam(tx, services, record);
    await removeUsed(tx, dictation.request.transcriptions ?? [], record);
    return { status: 201, data: toRecord(record), headers: { ETag: etagOf(record) } };
  });
  call.upload?.keep();
  return answer;
}

/** Queues a job: 202 with the job, even if no recogniser is available yet. SERVER_BUSY if too much audio is waiting. */
async function generateLater(
  services: Pick<RecordDeps, 'jobs' | 'templates' | 'clock' | 'ids' | 'members'>,
  dictation: Dictation,
  call: Call,
): Promise<AcceptedAnswer> {
  const { jobs: runner } = services;
  const fault = call.jobFault();
  const job = newJob(dictation, {
    id: services.ids('job'),
    client_id: call.caller.client_id,
    ...(dictation.request.transcriptions && { holder: services.members.id }),
    clock: services.clock,
    ...(fault && { simulate: fault }),
  });
  const { template_id: id } = dictation.request;
  // The template may be deleted while the job waits.
  const template = id === undefined ? undefined : await services.templates.find(call.caller, { id }, 'en-US');
  const log = createLog(job, runner.unheardSince(job));
  const answer = await call.commit(async (tx): Promise<AcceptedAnswer> => {
    await checkUnused(tx, job.request.transcriptions ?? []);
    if (job.audio && !job.request.transcriptions) runner.requireRoom(job, job.audio.bytes);
    await takeExam(tx, services, dictation.request.worklist_item_id, call);
    if (template) await keepVersion(tx, job.space, template);
    tx.put('jobs', { ...job, log });
    const data = withWait(toJob(job), runner.waitingFor([job]).get(job.id));
    return { status: 202, data, headers: { Location: jobs.endpoints.get.path.replace('{id}', job.id) } };
  });
  call.upload?.keep();
  return answer;
}
