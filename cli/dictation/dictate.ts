/**
 * `laudio record generate --mic`: records until Ctrl-C, and generates the report from the live transcription, otherwise
 * from the complete audio. Only Ctrl-C sends. If the recording ends in any other way, its audio stays in a private
 * file, and the error explains how to send it.
 */
import type { Client } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import { keptHours, liveBytesPerSecond, maxTranscriptionBytes } from '../../src/contract/transcription.ts';
import type { TranscriptionEvent } from '../../src/contract/transcription.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { pause } from '../../src/domain/pause.ts';
import { beginLiveDictation } from '../../src/client/events/live-dictation.ts';
import type { LiveDictation } from '../../src/client/events/live-dictation.ts';
import type { Context } from '../context.ts';
import { outgoingFile } from '../shell/input-file.ts';
import { restate } from '../shell/restate.ts';
import { patientSession } from '../resources/patient-session.ts';
import { duration } from '../shell/time.ts';
import { checkBeforeDictation } from './check-before-dictation.ts';
import { listenForControlKeys } from '../shell/keyboard.ts';
import { openMicrophone } from './microphone.ts';
import type { Microphone, MicrophoneChoice } from './microphone.ts';
import { laterLine } from './order.ts';
import type { Order } from './order.ts';
import { openRecordingView } from './recording-view.ts';
import type { RecordingView } from './recording-view.ts';
import { createSoundFile, keptDictations } from './sound-file.ts';
import type { SoundFile } from './sound-file.ts';

type Answer = ReturnType<Client['records']['generate']>;

/** Milliseconds after the first Ctrl-C before anything is generated, so that a second one always discards the audio. */
const secondPressMs = 500;
/** Milliseconds without progress after which the complete audio replaces the live transcription. */
const stalledMs = 10_000;
/** Timeout for deleting a transcription, in ms. */
const takingBackMs = 3000;
/** Minimum length of a dictation, in bytes. */
const shortest = liveBytesPerSecond / 5;
/** Bytes before the maximum length at which a warning appears. */
const lastMinute = 60 * liveBytesPerSecond;

const secondsOf = (bytes: number): number => bytes / liveBytesPerSecond;

/** Rejects after everything is deleted or kept; the error explains which, and where the audio is. */
export async function dictate(context: Context, order: Order, wanted: MicrophoneChoice): Answer {
  const { io, clock, paths, signals, platform, env } = context;
  io.noticeAtOnce();
  const { client } = await patientSession(context);
  const isLive = await checkBeforeDictation(context, client, order, wanted);
  for (const file of await keptDictations(paths.state)) io.notice(`Not sent yet: ${laterLine(file)}`, 'warn');
  if (context.signal.aborted) throw new AppError('INTERRUPTED');
  const sound = await createSoundFile(paths.state, clock.now());

  /** Resolves at Ctrl-C, to its time; rejects if the recording ends otherwise. */
  const recorded = Promise.withResolvers<number>();
  recorded.promise.catch(() => undefined);
  const discarding = new AbortController();
  const terminating = new AbortController();
  const ending = AbortSignal.any([discarding.signal, terminating.signal]);
  let isPressed = false;
  let isRecording = false;
  let isSuspended = false;
  let isAsked = false as boolean;
  let live: LiveDictation | undefined;
  let microphone: Promise<Microphone> | undefined;

  async function listen(): Promise<void> {
    microphone = openMicrophone({ clock, system: platform, env, onSound: take }, wanted);
    void (await microphone).gone.then(recorded.reject);
  }
  const stopListening = async (): Promise<void> => (await microphone?.catch(() => undefined))?.stop();
  async function take(samples: Uint8Array): Promise<void> {
    const room = maxTranscriptionBytes - sound.size;
    const taken = samples.subarray(0, room);
    await sound.append(taken);
    live?.more();
    view.sound(taken, secondsOf(sound.size));
    if (room > lastMinute && room - taken.length <= lastMinute)
      view.tell('The maximum length is reached in one minute.');
    if (taken.length < samples.length) {
      throw new AppError('PAYLOAD_TOO_LARGE', { message: 'The recording ended: it has the maximum length.' });
    }
  }

  const view = await openRecordingView(io, clock);
  const record = async (): Promise<void> => {
    await listen();
    view.start();
    isRecording = true;
  };
  const interrupt = (): void => {
    if (isPressed) return discarding.abort();
    isPressed = true;
    recorded.resolve(clock.elapsed());
  };
  let releaseKeys = listenForControlKeys(io, interrupt);
  const giveBack = signals.take({
    interrupt,
    terminate() {
      terminating.abort();
      recorded.reject(new AppError('INTERRUPTED'));
    },
    async suspend() {
      releaseKeys();
      if (!isRecording || isPressed) return;
      isSuspended = true;
      view.rest();
      await stopListening();
      view.tell(`Paused at ${duration(Math.floor(secondsOf(sound.size)))}: nothing is recorded. fg resumes.`);
    },
    resume() {
      releaseKeys = listenForControlKeys(io, interrupt);
      if (isSuspended) record().catch(recorded.reject);
      isSuspended = false;
    },
  });
  try {
    if (isLive) {
      live = await begin(context, client, sound, order, {
        onEvent: (event) => show(view, event),
        onRefused: ({ message }) =>
          view.tell(`No more words are shown (${message}). The audio is kept, and sent at the end.`),
      });
    }
    await record();
    const pressedAt = await recorded.promise.finally(stopListening).finally(() => view.close());
    if (sound.size < shortest) throw new AppError('INTERRUPTED', { message: 'Nothing was recorded or sent.' });
    const answer = await io.progress('Sending; Ctrl-C discards', async (update) => {
      if (!io.progressCanvas) io.notice('Sending; Ctrl-C discards.', 'faint');
      const id = live && (await isWhole(clock, live, ending)) ? live.id : undefined;
      await pause(clock, Math.max(0, pressedAt + secondPressMs - clock.elapsed()), ending);
      isAsked = true;
      update('Writing the report; Ctrl-C discards');
      return generate(context, order, sound, id, ending);
    });
    await live?.close();
    // A record made from the complete audio doesn't need the transcription.
    await Promise.all([sound.remove(), takeBack(clock, client, live)]);
    return answer;
  } catch (error) {
    view.close();
    await stopListening();
    await live?.close();
    const left = await takeBack(clock, client, live);
    if (discarding.signal.aborted) {
      await sound.remove();
      throw discardedError(left, isAsked);
    }
    if (sound.size < shortest) {
      await sound.remove();
      throw error;
    }
    await sound.close();
    throw keptError(error, sound, order);
  } finally {
    releaseKeys();
    giveBack();
  }
}

/** The transcription; `undefined` if the service can't recognise live now. */
async function begin(
  { io, clock }: Context,
  client: Client,
  sound: SoundFile,
  { input }: Order,
  listener: { readonly onEvent: (event: TranscriptionEvent) => void; readonly onRefused: (error: AppError) => void },
): Promise<LiveDictation | undefined> {
  const deps = { transcriptions: client.transcriptions, clock, random: Math.random, sound, ...listener };
  try {
    return await beginLiveDictation(deps, input);
  } catch (error) {
    const mayGoOn =
      error instanceof AppError &&
      (error.code === 'INSUFFICIENT_SCOPE' || error.status === 404 || error.status === 429 || error.status === 503);
    if (!mayGoOn) throw error;
    io.notice(`No words are shown while you speak: ${error.message}`, 'warn');
    return undefined;
  }
}

function show(view: RecordingView, event: TranscriptionEvent): void {
  switch (event.type) {
    case 'partial':
      return view.partial(event.text);
    case 'final':
      return view.final(event.phrase.text);
    case 'failed':
      return view.tell(
        'No more words are shown: the recogniser failed. The audio is kept, and transcribed at the end.',
      );
    case 'ended':
  }
}

/** Whether the service has all of the audio; gives up if no more arrives. INTERRUPTED with `signal`. */
async function isWhole(clock: Clock, live: LiveDictation, signal: AbortSignal): Promise<boolean> {
  const ended = live.end().then(
    () => true,
    () => false,
  );
  for (let stored = -1; stored !== live.stored;) {
    ({ stored } = live);
    const whole = await Promise.race([ended, pause(clock, stalledMs, signal).then(() => undefined)]);
    if (whole !== undefined) return whole;
  }
  return false;
}

/** Generates the record from the transcription, or without one from the audio. */
async function generate(
  context: Context,
  { input, mode }: Order,
  sound: SoundFile,
  transcription: string | undefined,
  signal: AbortSignal,
): Answer {
  const { records } = await context.client();
  const body = { ...input, mode };
  if (transcription !== undefined) {
    try {
      return await records.generate({ body: { ...body, transcription_id: transcription } }, { signal });
    } catch (error) {
      if (!isAboutTranscription(error)) throw error;
    }
  }
  return records.generate({ body, file: await outgoingFile(context.io, sound.path) }, { signal });
}

/** Whether the service lacks the words and the audio of the transcription. */
function isAboutTranscription(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  const fields = error.details?.['errors'];
  const isNamed = (field: unknown): boolean => String(Object(field).field).startsWith('transcription');
  return error.code === 'NOT_FOUND' || (Array.isArray(fields) && fields.some(isNamed));
}

/** The audio left at the service after the request to delete it. */
type DeletionOutcome = 'deleted' | 'nothing' | 'unknown';

/** Deletes the transcription if the service has it. */
async function takeBack(
  clock: Clock,
  { transcriptions }: Client,
  live: LiveDictation | undefined,
): Promise<DeletionOutcome> {
  if (!live) return 'nothing';
  const late = new AbortController();
  const callOff = clock.schedule(clock.now() + takingBackMs, () => late.abort());
  return transcriptions
    .delete({ params: { id: live.id } }, { signal: late.signal })
    .then(
      (): DeletionOutcome => 'deleted',
      (error: unknown): DeletionOutcome =>
        error instanceof AppError && error.code === 'NOT_FOUND' ? 'nothing' : 'unknown',
    )
    .finally(callOff);
}

/** Reports exactly what was deleted. */
function discardedError(left: DeletionOutcome, isAsked: boolean): AppError {
  const hints = [
    ...(left === 'unknown'
      ? [`The service did not answer. It may have part of the audio, which it deletes within ${keptHours + 1} hours.`]
      : []),
    ...(isAsked && left !== 'deleted' ? ['If the record was just made: laudio record list --limit 1'] : []),
  ];
  return new AppError('INTERRUPTED', {
    message:
      left === 'unknown' ? 'Discarded: the audio on this computer is deleted.' : 'Discarded: the audio is deleted.',
    ...(hints.length > 0 && { hint: hints.join(' ') }),
  });
}

/** The error with the location of the audio, and the command that sends it. */
function keptError(error: unknown, { path, size }: SoundFile, order: Order): unknown {
  const known = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });
  const kept = `The dictation (${duration(secondsOf(size))}) is kept. To send it: ${laterLine(path, order)}`;
  return restate(known, known.hint === undefined ? kept : `${known.hint} ${kept}`, { kept: path });
}
