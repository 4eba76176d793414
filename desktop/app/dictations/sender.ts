/**
 * Sends sealed dictations to the service, one at a time, and follows each until its record exists. If the service fails
 * to process one, those of other exams go first, and it fails after a number of attempts. Deletes the local audio only
 * after verifying that the service has the same audio.
 */
import type { Sentence } from '../../../src/contract/messages/message.ts';
import { appMessage } from '../../../src/contract/messages/app.ts';
import { isDeepStrictEqual } from 'node:util';
import { itemsOf } from '../../../src/client/pages.ts';
import type { OutgoingFile } from '../../../src/client/transport.ts';
import { waitForJob } from '../../../src/client/wait-for-job.ts';
import { concernsEveryRequest, isTransient } from '../../../src/client/transient.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import { noRecogniser } from '../../../src/contract/engine.ts';
import type { SpokenPiece } from '../../../src/contract/spoken-piece.ts';
import { liveSampleRate } from '../../../src/contract/transcription.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Job } from '../../../src/contract/job.ts';
import { maxAudioBytes } from '../../../src/contract/record.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { computeDelay, getMaxAttempts, resending } from '../changes/retry-policy.ts';
import type { ServiceDeps } from '../service.ts';
import { heardWav } from './live/live-sound.ts';
import type { LiveWordsOfDesk } from './live/live-words.ts';
import { awaitCompressed, gapsOf, isToBeCompressed, pathIn } from './local-dictation.ts';
import type { LocalDictation } from './local-dictation.ts';
import { openSound } from './sealed-sound.ts';
import { encodedName, idempotencyKey, renewed } from './stored-dictation.ts';
import type { SealedFile } from './stored-dictation.ts';
import { hashPieces, readWav, wavBytes } from './wav-file.ts';

export interface SenderDeps extends Pick<ServiceDeps, 'clock' | 'random' | 'log' | 'connect' | 'sealing'> {
  readonly live: Pick<LiveWordsOfDesk, 'spoken' | 'giveUp'>;
  /** The sealed dictations, in the order of sealing. */
  queued(): readonly LocalDictation[];
  /** Called when the service has made the record, before the dictation is done. Repeated if the app ends in between. */
  onMade(dictation: LocalDictation, record: MedicalRecord): Promise<void>;
  /** Called when the service has the dictation, and the dictation is marked as done on disk. */
  onDone(dictation: LocalDictation): Promise<void>;
}

export interface Sender {
  /** A dictation was queued, or the service answers again: checks everything at once. */
  wake(): void;
  /** Follows the job of a dictation that the service has accepted. */
  follow(dictation: LocalDictation): void;
  /**
   * Stops work on this dictation; resolves when the work has stopped. If it must not be sent again, the caller removes
   * it from the queue first.
   */
  leave(dictation: LocalDictation): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds for which a service remembers an Idempotency-Key (a day, minus an hour to be safe). */
const keyKept = 23 * 3_600_000;
/** Maximum wait for a job in one request, in ms. */
const patience = 600_000;
/** Minimum step of progress that is reported to the page. */
const progressStep = 0.05;

/** Cancellable work. */
interface Work {
  readonly controller: AbortController;
  readonly end: Promise<void>;
}

export function createSender(deps: SenderDeps): Sender {
  const { clock, random, log } = deps;
  const work = new Map<string, Work>();
  let closed = false;
  const { wake, woken, rest } = createRest(clock);
  const logUnsent = ({ id }: LocalDictation, error: unknown): void =>
    log({ level: 'error', event: 'dictation_not_sent', dictation_id: id, code: codeOf(error) });

  function run(dictation: LocalDictation, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    if (closed) controller.abort();
    const end = task(controller.signal)
      // A permanent failure shows at the dictation. This logs one that could not be stored there.
      .catch((error: unknown) => logUnsent(dictation, error))
      .finally(() => {
        if (work.get(dictation.id)?.controller === controller) work.delete(dictation.id);
      });
    work.set(dictation.id, { controller, end });
    return end;
  }

  /** Failures of the service per dictation, and the time of the next attempt in `elapsed` time of the clock. */
  const trials = new Map<string, { readonly tries: number; readonly again: number }>();
  const dueAt = ({ id, encodedBy }: LocalDictation): number => Math.max(encodedBy, trials.get(id)?.again ?? 0);

  async function sendAll(): Promise<void> {
    let failures = 0;
    let looked = woken();
    while (!closed) {
      // A person asks for another attempt now, or the service answers again.
      if (looked !== woken()) for (const [id, { tries }] of trials) trials.set(id, { tries, again: 0 });
      looked = woken();
      const now = clock.elapsed();
      // Those of one exam keep their order.
      const queue = deps.queued();
      const firsts = queue.filter(
        (each, at) => queue.findIndex(({ stored }) => stored.item_id === each.stored.item_id) === at,
      );
      const next = firsts.find((each) => dueAt(each) <= now);
      if (!next) {
        await rest(Math.min(...firsts.map(dueAt)) - now);
        continue;
      }
      let setback: AppError | undefined;
      await run(next, async (signal) => {
        setback = await sendOne(deps, next, signal, follow).finally(() => {
          next.isSending = false;
        });
        if (setback) next.notify();
      });
      if (closed) return;
      if (setback && concernsEveryRequest(setback)) {
        if (looked === woken()) await rest(computeDelay(++failures, setback, random));
        continue;
      }
      failures = 0;
      const isWaiting = next.encodedBy > clock.elapsed();
      if (!setback && (isWaiting || !deps.queued().includes(next))) {
        trials.delete(next.id);
        continue;
      }
      // Without a setback its failure could not be stored.
      const tries = (trials.get(next.id)?.tries ?? 0) + 1;
      if (setback && tries >= getMaxAttempts(setback)) {
        trials.delete(next.id);
        await fail(next, failureIn(setback)).catch((error: unknown) => logUnsent(next, error));
      } else trials.set(next.id, { tries, again: clock.elapsed() + computeDelay(tries, setback ?? {}, random) });
    }
  }

  function follow(dictation: LocalDictation): void {
    void run(dictation, async (signal) => {
      for (let failures = 0; !signal.aborted;) {
        const setback = await followOnce(deps, dictation, signal);
        if (!setback || signal.aborted) return;
        if (setback.code === 'STILL_PENDING') failures = 0;
        else await rest(backoffDelay(++failures, { ...resending, random }));
      }
    });
  }

  const sending = sendAll();
  return {
    wake,
    follow,
    async leave({ id }) {
      const busy = work.get(id);
      busy?.controller.abort();
      wake();
      await busy?.end;
    },
    async close() {
      closed = true;
      for (const { controller } of work.values()) controller.abort();
      wake();
      await Promise.all([sending, ...[...work.values()].map(({ end }) => end)]);
    },
  };
}

/** Waits until the delay is over or `wake` is called. */
function createRest(clock: ServiceDeps['clock']) {
  let next = Promise.withResolvers<void>();
  return {
    wake(): void {
      next.resolve();
      next = Promise.withResolvers();
    },
    /** Resolves at the next wake; replaced after each wake. */
    woken: (): Promise<void> => next.promise,
    async rest(ms: number): Promise<void> {
      const due = Promise.withResolvers<void>();
      const callOff = Number.isFinite(ms) ? clock.schedule(clock.now() + ms, due.resolve) : () => {};
      await Promise.race([next.promise, due.promise]);
      callOff();
    },
  };
}

const codeOf = (error: unknown): unknown => Object(error).code;

/** Returns a transient failure; any other failure is stored at the dictation. */
async function sendOne(
  deps: SenderDeps,
  dictation: LocalDictation,
  signal: AbortSignal,
  follow: (dictation: LocalDictation) => void,
): Promise<AppError | undefined> {
  try {
    const { client } = deps.connect();
    dictation.progress = 0;
    dictation.isSending = true;
    const previous = dictation.stored.tried_at;
    const heard = previous === null ? await deps.live.spoken(dictation) : undefined;
    if (!heard && dictation.encodedBy === 0 && isToBeCompressed(dictation)) {
      // Waiting for live audio that is still being sent would only delay the file.
      deps.live.giveUp(dictation);
      dictation.isSending = false;
      awaitCompressed(dictation, deps.clock);
      await dictation.inOrder(() => dictation.change({ live: [] }));
      return undefined;
    }
    const { file, spoken } = await dictation.inOrder(async () => {
      const pieces = previous === null ? (heard ?? null) : (dictation.stored.spoken ?? null);
      const sent = dictation.stored.sent ?? (await sealedFile(dictation, pieces));
      await dictation.change({ sent, spoken: pieces, tried_at: previous ?? isoNow(deps.clock) });
      return { file: sent, spoken: pieces };
    });
    const known = previous === null ? undefined : await recordBefore(deps, dictation, previous, file);
    if (known) {
      await finish(deps, dictation, known);
      return undefined;
    }
    const { item_id, language, template_id } = dictation.stored;
    const gaps = gapsOf(dictation);
    const body = {
      mode: 'async',
      worklist_item_id: item_id,
      language,
      ...(template_id !== null && { template_id }),
      ...(gaps.length > 0 && { sound_gaps: gaps }),
    } as const;
    const answer = await client.records.generate(
      spoken ? { body: { ...body, transcriptions: [...spoken] } } : { body, file: outgoing(deps, dictation, file) },
      { idempotencyKey: idempotencyKey(dictation.stored), signal },
    );
    if (answer.status === 201) {
      await finish(deps, dictation, answer.data);
      return undefined;
    }
    dictation.progress = 0;
    const isWanted = await dictation.inOrder(async () => {
      const wanted = isOnItsWay(dictation);
      dictation.waitingFor = answer.data.waiting_for;
      await dictation.change(wanted ? { state: 'processing', job_id: answer.data.id } : renewed(dictation.stored));
      return wanted;
    });
    if (isWanted) follow(dictation);
    else await client.jobs.cancel({ params: { id: answer.data.id } });
    return undefined;
  } catch (error) {
    if (!dictation.stored.spoken || signal.aborted || isTransient(error)) return setbackOr(dictation, error, signal);
    deps.live.giveUp(dictation);
    await dictation.inOrder(() => dictation.change({ ...renewed(dictation.stored), live: [] }));
    return sendOne(deps, dictation, signal, follow);
  }
}

/** Returns a transient failure, or one that `leave` caused; any other failure ends this attempt for good. */
async function setbackOr(
  dictation: LocalDictation,
  error: unknown,
  signal: AbortSignal,
): Promise<AppError | undefined> {
  if (signal.aborted) return new AppError('INTERRUPTED');
  const passes = isTransient(error) || (error instanceof AppError && error.code === 'STILL_PENDING');
  if (passes && error.details?.['reason'] !== noRecogniser) return error;
  await fail(dictation, failureIn(error instanceof AppError ? error : new AppError('BAD_ANSWER', { cause: error })));
  return undefined;
}

interface Failure {
  readonly code: string;
  readonly message: Sentence;
  readonly details?: Record<string, unknown> | undefined;
}

const failureIn = ({ code, sentences, details }: AppError): Failure => ({ code, message: sentences.message, details });

const fail = (dictation: LocalDictation, { code, message, details }: Failure): Promise<void> =>
  dictation.inOrder(async () => {
    const reason = details?.['reason'];
    const error = { code, message, ...(typeof reason === 'string' && { reason }) };
    if (isOnItsWay(dictation)) await dictation.change({ state: 'failed', error });
  });

/** The person may have withdrawn the dictation in the meantime. */
const isOnItsWay = ({ stored: { state } }: LocalDictation): boolean => state === 'queued' || state === 'processing';

/** The compressed audio if available, otherwise WAV. For audio that was transcribed live the service makes the WAV. */
async function sealedFile(dictation: LocalDictation, spoken: readonly SpokenPiece[] | null): Promise<SealedFile> {
  const sound = dictation.sound();
  if (spoken && sound.rate !== liveSampleRate) {
    const wav = heardWav(dictation, spoken, dictation.stored.live ?? []);
    return { content_type: 'audio/wav', bytes: wav.bytes, sha256: await hashPieces(wav.read()) };
  }
  const file: SealedFile = (spoken ? null : dictation.stored.encoded) ?? {
    content_type: 'audio/wav',
    bytes: wavBytes(sound),
    sha256: await hashPieces(readWav(sound)),
  };
  if (file.bytes > maxAudioBytes) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: appMessage('too_large', {
        size: Math.ceil(file.bytes / 2 ** 20),
        limit: maxAudioBytes / 2 ** 20,
      }),
      hint: appMessage('compress'),
    });
  }
  return file;
}

function outgoing(
  { sealing }: SenderDeps,
  dictation: LocalDictation,
  { content_type: contentType, bytes: size }: SealedFile,
): OutgoingFile {
  async function* readEncoded(): AsyncGenerator<Uint8Array> {
    const reader = await openSound(pathIn(dictation, encodedName(contentType)), sealing);
    try {
      yield* reader.read(0, size);
    } finally {
      await reader.close();
    }
  }
  const open = (): AsyncIterable<Uint8Array> =>
    contentType === 'audio/wav' ? readWav(dictation.sound()) : readEncoded();
  return {
    contentType,
    size,
    async *open() {
      let sent = 0;
      for await (const piece of open()) {
        yield piece;
        sent += piece.length;
        if (sent / size >= dictation.progress + progressStep) {
          dictation.progress = sent / size;
          dictation.notify();
        }
      }
    },
  };
}

/**
 * The record that an earlier request made, in case the service has forgotten its Idempotency-Key: a record of this exam
 * made from the same audio.
 */
async function recordBefore(
  { clock, connect }: SenderDeps,
  { stored }: LocalDictation,
  triedAt: string,
  { sha256 }: SealedFile,
): Promise<MedicalRecord | undefined> {
  if (clock.now() - Date.parse(triedAt) < keyKept) return undefined;
  const { client } = connect();
  for await (const record of itemsOf((paging) =>
    client.records.list({ query: { worklist_item_id: stored.item_id, ...paging } }),
  )) {
    if (record.source.sha256 === sha256) return record;
  }
  return undefined;
}

async function followOnce(
  deps: SenderDeps,
  dictation: LocalDictation,
  signal: AbortSignal,
): Promise<AppError | undefined> {
  const { clock, random } = deps;
  const { job_id: id } = dictation.stored;
  if (id === null) return undefined;
  try {
    const { client } = deps.connect();
    const onProgress = ({ progress, waiting_for: waitingFor }: Job): void => {
      if (progress === dictation.progress && isDeepStrictEqual(waitingFor, dictation.waitingFor)) return;
      dictation.progress = progress;
      dictation.waitingFor = waitingFor;
      dictation.notify();
    };
    const job = await waitForJob(client, id, { clock, random, timeout: patience, onProgress, signal });
    if (job.status !== 'completed') {
      await fail(dictation, job.error ?? { code: 'JOB_FAILED', message: appMessage('dictation_failed') });
      return undefined;
    }
    const { data } = await client.jobs.result({ params: { id } }, { signal });
    if (!('source' in data)) throw new AppError('BAD_ANSWER', { message: appMessage('no_document') });
    await finish(deps, dictation, data);
    return undefined;
  } catch (error) {
    if (error instanceof AppError && error.code === 'JOB_RESULT_GONE') {
      await end(deps, dictation, null);
      return undefined;
    }
    return setbackOr(dictation, error, signal);
  }
}

/** Marks the dictation as done if the service has exactly the audio that was sent. */
async function finish(deps: SenderDeps, dictation: LocalDictation, record: MedicalRecord): Promise<void> {
  if (record.source.sha256 !== dictation.stored.sent?.sha256) {
    await fail(dictation, {
      code: 'BAD_ANSWER',
      message: appMessage('other_sound'),
    });
    return;
  }
  await deps.onMade(dictation, record);
  await end(deps, dictation, record.id);
}

/** The record existed and was deleted since, and with it the audio, of which this is a copy. */
const end = ({ onDone }: SenderDeps, dictation: LocalDictation, recordId: string | null): Promise<void> =>
  dictation.inOrder(async () => {
    if (!isOnItsWay(dictation)) return;
    await dictation.change({ state: 'done', record_id: recordId, error: null });
    await onDone(dictation);
  });
