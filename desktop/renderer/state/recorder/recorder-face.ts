/** The recorder's appearance, and the keys that it offers. */
import type { Dictation } from '../../../bridge/dictation.ts';
import { isLive, isOpen, isRecordedElsewhere } from './recorder-state.ts';
import type { RecorderState } from './recorder-state.ts';

export type Face =
  | 'idle'
  | 'asking'
  | 'starting'
  | 'recording'
  | 'pausing'
  | 'paused'
  | 'playing'
  | 'recovered'
  | 'queued'
  | 'sending'
  | 'processing'
  | 'waiting'
  | 'failed'
  | 'unsaved'
  | 'done'
  | 'discarded'
  | 'not_heard';

/**
 * `live`: the microphone is live; `busy`: the app works; `warn`: the person should read this; `ok`: done; `calm`: it is
 * the person's turn.
 */
export type FaceTone = 'calm' | 'live' | 'busy' | 'warn' | 'ok';

const restingFace: Readonly<Record<Dictation['state'], Face>> = {
  recording: 'paused',
  paused: 'paused',
  queued: 'queued',
  sending: 'sending',
  processing: 'processing',
  done: 'done',
  failed: 'failed',
};

export function chooseFace(state: RecorderState): Face {
  if (state.phase !== 'off') return state.phase;
  if (state.isPlaying) return 'playing';
  if (state.problem) return 'not_heard';
  if (state.discarded) return 'discarded';
  const { dictation, rest } = state;
  if (!dictation) return 'idle';
  // Audio that the other window has not saved yet is on its way.
  if (rest && isOpen(dictation) && !isRecordedElsewhere(state)) return rest.trouble ? 'unsaved' : 'pausing';
  if (dictation.state === 'processing' && dictation.waiting_for) return 'waiting';
  return dictation.recovered && dictation.state === 'paused' ? 'recovered' : restingFace[dictation.state];
}

const tones: Readonly<Partial<Record<Face, FaceTone>>> = {
  recording: 'live',
  pausing: 'busy',
  asking: 'warn',
  recovered: 'warn',
  failed: 'warn',
  unsaved: 'warn',
  not_heard: 'warn',
  queued: 'busy',
  sending: 'busy',
  processing: 'busy',
  waiting: 'busy',
  done: 'ok',
};
export const toneOf = (face: Face): FaceTone => tones[face] ?? 'calm';

/**
 * The dictation is being processed or its report exists: there is nothing to record or play until the person asks for
 * it.
 */
export const isSealed = (face: Face): boolean => ['queued', 'sending', 'processing', 'waiting', 'done'].includes(face);

/** Whether the recorder offers its editing keys. */
export const canEdit = (state: RecorderState): boolean =>
  !isLive(state) &&
  state.rest === null &&
  state.dictation !== null &&
  ['paused', 'failed', 'recording'].includes(state.dictation.state);
