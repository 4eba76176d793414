/** A dictation on this computer: its data and audio on disk, and the work in progress. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import type { WaitingFor } from '../../../src/contract/job.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import type { OpenFile } from '../../../src/node/files/durable-file.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';
import { changedElsewhere, otherWindow } from '../../bridge/dictation.ts';
import type { SoundGap } from '../../../src/contract/sound-gap.ts';
import type { Dictation } from '../../bridge/dictation.ts';
import type { NextRevision } from '../revisions.ts';
import { openRecording } from './recording.ts';
import type { Recording } from './recording.ts';
import { readStored, writeStored } from './stored-dictation.ts';
import type { StoredDictation } from './stored-dictation.ts';
import type { Sound } from './wav-file.ts';

export interface LocalDictation {
  readonly id: string;
  readonly directory: string;
  readonly recording: Recording;
  readonly stored: StoredDictation;
  /** Runs changes of the dictation one by one. */
  readonly inOrder: InOrder;
  /** Stores the fields, then notifies the pages. */
  change(fields: Partial<StoredDictation>): Promise<void>;
  /** Progress of the upload, or of the job; 0 to 1. */
  progress: number;
  /** Why the service's job waits; `undefined` if it does not. */
  waitingFor: WaitingFor | undefined;
  /** Whether the upload is under way. */
  isSending: boolean;
  /** Whether a page can compress the audio if it must be sent as a file. */
  canBeCompressed: boolean;
  /** Until when the upload waits for a page to compress the audio, in ms of the clock; 0: it does not wait. */
  encodedBy: number;
  /** Name of the page that records the dictation, or recorded it last. */
  page: string | undefined;
  /** When that page started its take, ms since 1970. */
  takenAt: number;
  /** Whether that page sends audio; a closed, frozen or sleeping page does not. */
  isSounding: boolean;
  /** The last waveform that was requested. */
  peaks: { readonly revision: number; readonly points: number; readonly peaks: number[] } | undefined;
  sound(): Sound;
  view(): Dictation;
  notify(): void;
}

export interface LocalDeps {
  readonly emit: (dictation: Dictation) => void;
  readonly revision: NextRevision;
  readonly open: OpenFile | undefined;
  readonly sealing: Sealing | undefined;
}

export interface OpenedDictation {
  readonly dictation: LocalDictation;
  readonly interrupted: boolean;
  readonly damaged: boolean;
}

/** Opens the dictation in a directory; `undefined` if its creation never finished. */
export async function openDictation(directory: string, deps: LocalDeps): Promise<OpenedDictation | undefined> {
  const stored = await readStored(directory, deps.sealing);
  if (!stored) return undefined;
  const { recording, ...opened } = await openRecording(directory, deps);
  return { dictation: localDictation(directory, stored, recording, deps), ...opened };
}

export async function createDictation(
  directory: string,
  stored: StoredDictation,
  deps: LocalDeps,
): Promise<LocalDictation> {
  const { recording } = await openRecording(directory, deps);
  try {
    // Written last: this turns the directory into a dictation.
    await writeStored(directory, stored, deps.sealing);
  } catch (error) {
    await recording.close();
    throw error;
  }
  return localDictation(directory, stored, recording, deps);
}

function localDictation(
  directory: string,
  from: StoredDictation,
  recording: Recording,
  { emit, sealing, revision }: LocalDeps,
): LocalDictation {
  let stored = from;
  const dictation: LocalDictation = {
    id: stored.id,
    directory,
    recording,
    get stored() {
      return stored;
    },
    inOrder: createOrder(),
    async change(fields) {
      const next = { ...stored, ...fields };
      await writeStored(directory, next, sealing);
      stored = next;
      dictation.notify();
    },
    progress: 0,
    waitingFor: undefined,
    isSending: false,
    canBeCompressed: false,
    encodedBy: 0,
    page: undefined,
    takenAt: 0,
    isSounding: false,
    peaks: undefined,
    sound: () => ({ reader: recording.reader, segments: recording.segments(), rate: stored.sample_rate }),
    view: () => ({ ...toView(dictation), revision: revision() }),
    notify: () => emit(dictation.view()),
  };
  return dictation;
}

function toView(dictation: LocalDictation): Omit<Dictation, 'revision'> {
  const { stored, recording, isSending, progress, waitingFor, page, isSounding } = dictation;
  return {
    id: stored.id,
    item_id: stored.item_id,
    state: toShownState(stored, recording, isSending),
    recovered: stored.recovered,
    seconds: lengthOf(recording.segments()) / stored.sample_rate,
    sample_rate: stored.sample_rate,
    saved_at: recording.savedAt === undefined ? null : new Date(recording.savedAt).toISOString(),
    template_id: stored.template_id,
    language: stored.language,
    can_undo: isEditable(stored) && recording.canUndo,
    ...(isEditable(stored) && recording.takenBack > 0 && { taken_back: recording.takenBack / stored.sample_rate }),
    ...(gapsOf(dictation).length > 0 && { gaps: gapsOf(dictation) }),
    progress: stored.state === 'done' ? 1 : progress,
    job_id: stored.job_id,
    record_id: stored.record_id,
    error: stored.error,
    created_at: stored.created_at,
    ...(recording.current !== undefined && page !== undefined && isSounding && { recorded_by: page }),
    ...(stored.state === 'processing' && waitingFor && { waiting_for: waitingFor }),
    ...(stored.state === 'queued' && dictation.encodedBy > 0 && isToBeCompressed(dictation) && { compress: true }),
  };
}

/** Gaps in the audio, in seconds of the audio that would be sent. */
export const gapsOf = ({ recording, stored: { sample_rate: rate } }: LocalDictation): SoundGap[] =>
  recording.gaps().map(({ at, missing }) => ({ at: at / rate, seconds: missing / rate }));

function toShownState({ state }: StoredDictation, { current }: Recording, isSending: boolean): Dictation['state'] {
  if (state === 'open') return current === undefined ? 'paused' : 'recording';
  return state === 'queued' && isSending ? 'sending' : state;
}

/** Milliseconds for a page to compress a dictation before the app sends it as WAV. */
const compressingPatience = 120_000;

/** Whether the audio must be compressed before it is sent as a file: no request has used the file yet. */
export function isToBeCompressed(
  { canBeCompressed, stored }: LocalDictation,
  change: Partial<StoredDictation> = {},
): boolean {
  const { tried_at, sent, encoded } = { ...stored, ...change };
  return canBeCompressed && tried_at === null && sent === null && encoded === null;
}

/** Makes the upload wait for a page to compress the audio; the next `notify` asks the pages to. */
export function awaitCompressed(dictation: LocalDictation, clock: Clock): void {
  dictation.encodedBy = clock.elapsed() + compressingPatience;
}

/** Whether the audio may still change. */
export const isEditable = ({ state }: Pick<StoredDictation, 'state'>): boolean =>
  state === 'open' || state === 'failed';

/** Ends the take of a page that is gone. */
export async function interrupt(dictation: LocalDictation): Promise<void> {
  const { recording } = dictation;
  if (recording.current === undefined) return;
  await recording.end();
  if (hasSound(dictation)) await dictation.change({ recovered: true });
  else dictation.notify();
}

export const hasSound = ({ recording }: LocalDictation): boolean => lengthOf(recording.segments()) > 0;

/** When the recording page last sent audio or started its take, ms since 1970. */
export const lastSoundAt = ({ recording: { savedAt = 0 }, takenAt }: LocalDictation): number =>
  Math.max(savedAt, takenAt);

/** Maximum interval between two blocks of a recording page, in ms. A reloaded page waits no longer than this. */
const maxGap = 1500;

/** Whether a page records the dictation and still sends audio. */
export const isBeingRecorded = (dictation: LocalDictation, clock: Clock): boolean =>
  dictation.recording.current !== undefined && clock.now() - lastSoundAt(dictation) < maxGap;

/** The refusal for a second window. */
export const recordedElsewhere = (): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: appMessage('recorded_elsewhere'),
    details: { reason: otherWindow },
  });

/** Throws if the dictation has another length in seconds than the one that the person decided on. */
export function checkLength({ stored, recording }: LocalDictation, of: number | undefined): void {
  if (of === undefined || Math.round(of * stored.sample_rate) === lengthOf(recording.segments())) return;
  throw new AppError('INVALID_TRANSITION', {
    message: appMessage('changed_elsewhere'),
    hint: appMessage('choose_again'),
    details: { reason: changedElsewhere },
  });
}

/** Throws INVALID_TRANSITION if the dictation is in none of the allowed states. */
export function checkState(dictation: LocalDictation, ...allowed: readonly Dictation['state'][]): void {
  const { state } = dictation.view();
  if (allowed.includes(state)) return;
  throw new AppError('INVALID_TRANSITION', {
    message: appMessage(`dictation_${state}`),
    details: { state, allowed: [...allowed] },
  });
}

export const pathIn = ({ directory }: LocalDictation, name: string): string => join(directory, name);
