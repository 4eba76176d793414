/** One dictation as the app has it at hand: what is on disk, and what goes on with it just now. */
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { lengthOf } from '../../../src/domain/dictation/timeline.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import type { OpenFile } from '../../../src/node/durable-file.ts';
import type { Sealing } from '../../../src/node/sealing.ts';
import { changedElsewhere, otherWindow } from '../../bridge/dictation.ts';
import type { Dictation } from '../../bridge/dictation.ts';
import type { NextRevision } from '../revisions.ts';
import { openRecording } from './recording.ts';
import type { Recording } from './recording.ts';
import { readStored, writeStored } from './stored-dictation.ts';
import type { StoredDictation } from './stored-dictation.ts';
import type { Sound } from './wav-file.ts';

export interface KeptDictation {
  readonly id: string;
  readonly directory: string;
  readonly recording: Recording;
  readonly stored: StoredDictation;
  /** What changes it is done one after the other. */
  readonly inOrder: InOrder;
  /** On disk first, then told. */
  change(fields: Partial<StoredDictation>): Promise<void>;
  /** Of the sending, or of the job; 0 to 1. */
  progress: number;
  /** The service is being given it. */
  isSending: boolean;
  /** Until when its sending waits for the page to compress it, ms since 1970. */
  encodedBy: number;
  /** The page that records it, or did last. */
  page: string | undefined;
  /** When it began its take, ms since 1970. */
  takenAt: number;
  /** The outline, as asked for last. */
  peaks: { readonly revision: number; readonly points: number; readonly peaks: number[] } | undefined;
  sound(): Sound;
  view(): Dictation;
  tell(): void;
}

export interface KeptDeps {
  readonly tell: (dictation: Dictation) => void;
  readonly revision: NextRevision;
  readonly open: OpenFile | undefined;
  readonly sealing: Sealing | undefined;
}

export interface OpenedDictation {
  readonly kept: KeptDictation;
  readonly interrupted: boolean;
  readonly damaged: boolean;
}

/** What is in the directory; `undefined` where that was never a dictation. */
export async function openDictation(directory: string, deps: KeptDeps): Promise<OpenedDictation | undefined> {
  const stored = await readStored(directory, deps.sealing);
  if (!stored) return undefined;
  const { recording, ...found } = await openRecording(directory, deps);
  return { kept: keptDictation(directory, stored, recording, deps), ...found };
}

export async function createDictation(
  directory: string,
  stored: StoredDictation,
  deps: KeptDeps,
): Promise<KeptDictation> {
  const { recording } = await openRecording(directory, deps);
  try {
    // Last: with this it is one.
    await writeStored(directory, stored, deps.sealing);
  } catch (error) {
    await recording.close();
    throw error;
  }
  return keptDictation(directory, stored, recording, deps);
}

function keptDictation(
  directory: string,
  from: StoredDictation,
  recording: Recording,
  { tell, sealing, revision }: KeptDeps,
): KeptDictation {
  let stored = from;
  const kept: KeptDictation = {
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
      kept.tell();
    },
    progress: 0,
    isSending: false,
    encodedBy: 0,
    page: undefined,
    takenAt: 0,
    peaks: undefined,
    sound: () => ({ reader: recording.reader, segments: recording.segments(), rate: stored.sample_rate }),
    view: () => ({ ...viewOf(kept), revision: revision() }),
    tell: () => tell(kept.view()),
  };
  return kept;
}

function viewOf({ stored, recording, isSending, progress }: KeptDictation): Omit<Dictation, 'revision'> {
  return {
    id: stored.id,
    item_id: stored.item_id,
    state: stateOf(stored, recording, isSending),
    recovered: stored.recovered,
    seconds: lengthOf(recording.segments()) / stored.sample_rate,
    sample_rate: stored.sample_rate,
    saved_at: recording.savedAt === undefined ? null : new Date(recording.savedAt).toISOString(),
    template_id: stored.template_id,
    language: stored.language,
    can_undo: isEditable(stored) && recording.canUndo,
    progress: stored.state === 'done' ? 1 : progress,
    job_id: stored.job_id,
    record_id: stored.record_id,
    error: stored.error,
    created_at: stored.created_at,
  };
}

function stateOf({ state }: StoredDictation, { current }: Recording, isSending: boolean): Dictation['state'] {
  if (state === 'open') return current === undefined ? 'paused' : 'recording';
  return state === 'queued' && isSending ? 'sending' : state;
}

/** Its sound may still change. */
export const isEditable = ({ state }: Pick<StoredDictation, 'state'>): boolean =>
  state === 'open' || state === 'failed';

/** Ends a take whose page is gone. */
export async function interrupt(kept: KeptDictation): Promise<void> {
  const { recording } = kept;
  if (recording.current === undefined) return;
  await recording.end();
  if (hasSound(kept)) await kept.change({ recovered: true });
  else kept.tell();
}

export const hasSound = ({ recording }: KeptDictation): boolean => lengthOf(recording.segments()) > 0;

/** When its page last brought sound, or began to; ms since 1970. */
export const heardFromAt = ({ recording: { savedAt = 0 }, takenAt }: KeptDictation): number =>
  Math.max(savedAt, takenAt);

/** Milliseconds between two blocks of a page that records, at most; one that was loaded anew need not wait longer. */
const longestGap = 1500;

/** Whether a page records it and still brings sound. */
export const isHeardFrom = (kept: KeptDictation, clock: Clock): boolean =>
  kept.recording.current !== undefined && clock.now() - heardFromAt(kept) < longestGap;

/** Refused: one window at a time. */
export const elsewhere = (): AppError =>
  new AppError('INVALID_TRANSITION', {
    message: 'This dictation is being recorded in another window.',
    details: { reason: otherWindow },
  });

/** Refuses what was decided by somebody who saw a dictation of another length, in seconds, than there is now. */
export function refuseOther({ stored, recording }: KeptDictation, of: number | undefined): void {
  if (of === undefined || Math.round(of * stored.sample_rate) === lengthOf(recording.segments())) return;
  throw new AppError('INVALID_TRANSITION', {
    message: 'This dictation was changed in another window.',
    hint: 'Choose again where you go on.',
    details: { reason: changedElsewhere },
  });
}

/** Refuses with INVALID_TRANSITION what the present state does not allow. */
export function requireState(kept: KeptDictation, ...allowed: readonly Dictation['state'][]): void {
  const { state } = kept.view();
  if (allowed.includes(state)) return;
  throw new AppError('INVALID_TRANSITION', {
    message: sentences[state],
    details: { state, allowed: [...allowed] },
  });
}

const sentences: Readonly<Record<Dictation['state'], string>> = {
  recording: 'This dictation is being recorded.',
  paused: 'This dictation has not been sent.',
  queued: 'This dictation waits to be sent.',
  sending: 'This dictation is being sent.',
  processing: 'The document of this dictation is being made.',
  done: 'This dictation has become a document.',
  failed: 'This dictation could not be made into a document.',
};

export const pathIn = ({ directory }: KeptDictation, name: string): string => join(directory, name);
