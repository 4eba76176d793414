/** The state of the recorder of one exam and its reducer. Pure data and functions. */
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { SoundGap } from '../../../../src/contract/sound-gap.ts';
import type { Dictation, InsertMode } from '../../../bridge/dictation.ts';
import { alarmAfterMs, freshListening, hearing, listen } from '../../../../src/domain/dictation/level.ts';
import type { Listening } from '../../../../src/domain/dictation/level.ts';
import type { MicrophoneProblem } from '../../audio/microphone.ts';
import { pageName } from '../page-name.ts';

/**
 * `off`: the microphone is off; `asking`: the browser asks for permission; `starting`: the page begins to listen and
 * nothing is stored yet; `recording`: audio has been stored; `pausing`: the last audio is being saved.
 */
export type Phase = 'off' | 'asking' | 'starting' | 'recording' | 'pausing';

/** A take that is being added to a dictation. All in seconds. */
export interface Take {
  readonly id: string;
  readonly mode: InsertMode;
  /** Where the take starts. */
  readonly at: number;
  /** Length of the dictation before the take. */
  readonly base: number;
  readonly captured: number;
  /** Length of the take on disk. */
  readonly saved: number;
  /** Length of the take on disk or stored in the browser. */
  readonly kept: number;
  /** Gaps in the audio, by their position in the dictation. */
  readonly gaps: readonly SoundGap[];
}

/**
 * Faults of the microphone or the disk during a recording, in order of precedence. `unsaved`: audio that is not on disk
 * is stored in the browser; `unkept`: it exists only in this page; `not_begun`: so does all of it, since Laudio has not
 * created the dictation.
 */
export const alarms = [
  'stopped',
  'lost',
  'unkept',
  'no_sound',
  'not_begun',
  'muted',
  'dead',
  'noise',
  'faint',
  'unsaved',
  'quiet',
] as const;
export type Alarm = (typeof alarms)[number];

/** Alarms about storage; the others are about the microphone. */
export const diskAlarms: ReadonlySet<Alarm> = new Set(['stopped', 'unkept', 'not_begun', 'unsaved']);

/** Audio of earlier takes that waits in this browser, in seconds. */
export interface Rest {
  readonly seconds: number;
  /** Why the audio waits; `null`: it is being sent. */
  readonly trouble: BridgeError | null;
  /** Whether waiting alone won't help. */
  readonly isRefused: boolean;
}

/** Why the recorder stops automatically: too much audio waits; the app refuses it; only this page holds it. */
export type WhyStopped = 'full' | 'refused' | 'unkept';

export interface RecorderState {
  readonly phase: Phase;
  readonly dictation: Dictation | null;
  readonly mode: InsertMode;
  /** Where the next take and playback start, in seconds. */
  readonly cursor: number;
  readonly isPlaying: boolean;
  readonly take: Take | null;
  readonly listening: Listening;
  /** When the microphone was opened, ms since 1970. */
  readonly openedAt: number;
  /** When audio last arrived, ms since 1970. */
  readonly heardAt: number;
  readonly now: number;
  readonly isMuted: boolean;
  readonly isLost: boolean;
  readonly device: string | null;
  readonly stopped: WhyStopped | null;
  /** Why there is no microphone. */
  readonly problem: MicrophoneProblem | null;
  /** Why saving is stalled. */
  readonly trouble: BridgeError | null;
  /** The last refusal of the app. */
  readonly refused: BridgeError | null;
  /** Audio of earlier takes in this browser that is not on disk. */
  readonly rest: Rest | null;
  /** The dictation discarded last, which can be restored. */
  readonly discarded: Dictation | null;
}

export const freshRecorder: RecorderState = {
  phase: 'off',
  dictation: null,
  mode: 'insert',
  cursor: 0,
  isPlaying: false,
  take: null,
  listening: freshListening,
  openedAt: 0,
  heardAt: 0,
  now: 0,
  isMuted: false,
  isLost: false,
  device: null,
  stopped: null,
  problem: null,
  trouble: null,
  refused: null,
  rest: null,
  discarded: null,
};

export type RecorderEvent =
  | { readonly type: 'asked' }
  | { readonly type: 'microphone_allowed' }
  | { readonly type: 'microphone_open'; readonly device: string; readonly now: number }
  | { readonly type: 'microphone_failed'; readonly problem: MicrophoneProblem }
  | { readonly type: 'microphone_closed' }
  | { readonly type: 'refused'; readonly error: BridgeError }
  | {
      readonly type: 'take_begun';
      readonly dictation: Dictation;
      readonly begun: Omit<Take, 'saved' | 'kept' | 'gaps'>;
    }
  | {
      readonly type: 'block';
      readonly seconds: number;
      readonly peak: number;
      readonly speech: number;
      readonly now: number;
    }
  | { readonly type: 'gap'; readonly seconds: number }
  | { readonly type: 'saved'; readonly seconds: number }
  | { readonly type: 'kept'; readonly seconds: number }
  | { readonly type: 'stopped'; readonly why: WhyStopped }
  | { readonly type: 'trouble'; readonly error: BridgeError | null }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'muted'; readonly isMuted: boolean }
  | { readonly type: 'lost' }
  | { readonly type: 'pausing' }
  | { readonly type: 'paused'; readonly dictation: Dictation | null }
  | { readonly type: 'moved'; readonly dictation: Dictation }
  | { readonly type: 'rest'; readonly rest: Rest | null }
  | { readonly type: 'dictation'; readonly dictation: Dictation | null }
  | { readonly type: 'discarded'; readonly dictation: Dictation }
  | { readonly type: 'restored'; readonly dictation: Dictation }
  | { readonly type: 'cursor'; readonly at: number }
  | { readonly type: 'mode'; readonly mode: InsertMode }
  | { readonly type: 'seen' }
  | { readonly type: 'playing'; readonly isPlaying: boolean };

type Lasting = Pick<RecorderState, 'take' | 'dictation'>;
const lengthWith = ({ take, dictation }: Lasting, added: number): number => {
  if (!take) return dictation?.seconds ?? 0;
  return take.mode === 'overwrite' ? Math.max(take.base, take.at + added) : take.base + added;
};

/** Length of the dictation including the running take. */
export const lengthOf = (state: Lasting): number => lengthWith(state, state.take?.captured ?? 0);

/** Length of the dictation including audio that waits in this browser. */
export const wholeLength = (state: RecorderState): number => lengthOf(state) + (state.rest?.seconds ?? 0);

/** Gaps in the audio of the dictation, in order of position. */
export const gapsOf = ({ take, dictation }: Lasting): readonly SoundGap[] =>
  [...(dictation?.gaps ?? []), ...(take?.gaps ?? [])].toSorted((a, b) => a.at - b.at);

/** Length of the dictation on disk. */
export const savedLength = (state: Lasting): number => lengthWith(state, state.take?.saved ?? 0);

const openStates: ReadonlySet<Dictation['state']> = new Set(['recording', 'paused', 'failed']);
/** Whether audio can still be added to the dictation. */
export const isOpen = (dictation: Dictation | null): dictation is Dictation =>
  dictation !== null && openStates.has(dictation.state);

/** The report exists: the next audio starts another dictation. */
export const hasEnded = (dictation: Dictation): boolean => dictation.state === 'done';

/** Whether another window records the dictation now. */
export const isRecordedElsewhere = (state: Pick<RecorderState, 'phase' | 'dictation'>): boolean =>
  !isLive(state) && ![undefined, pageName].includes(state.dictation?.recorded_by);

/** Whether the microphone is open, and the person may be speaking. */
const isListening = ({ phase }: Pick<RecorderState, 'phase'>): boolean => phase === 'starting' || phase === 'recording';

/** Whether the microphone is live or about to be. */
export const isLive = ({ phase }: Pick<RecorderState, 'phase'>): boolean => phase !== 'off';

/** Seconds of the take that are not on disk yet. */
export const unsaved = ({ take }: Pick<RecorderState, 'take'>): number =>
  take ? Math.max(0, take.captured - take.saved) : 0;

/** Seconds of the take that exist only in this page. */
export const unkept = ({ take }: Pick<RecorderState, 'take'>): number =>
  take ? Math.max(0, take.captured - Math.max(take.saved, take.kept)) : 0;

/** Whether audio has existed only in this page for longer than storing it takes. */
export const isUnkept = (state: Pick<RecorderState, 'take'>): boolean => unkept(state) * 1000 >= alarmAfterMs;

const holds: Readonly<Record<Alarm, (state: RecorderState) => boolean>> = {
  stopped: (state) => state.stopped !== null,
  lost: (state) => state.isLost,
  unkept: isUnkept,
  no_sound: (state) => isListening(state) && state.now - state.heardAt >= alarmAfterMs,
  not_begun: (state) => state.phase === 'starting' && !state.take && state.now - state.openedAt >= alarmAfterMs,
  muted: (state) => state.isMuted,
  dead: (state) => hearing(state.listening) === 'dead',
  noise: (state) => hearing(state.listening) === 'noise',
  faint: (state) => hearing(state.listening) === 'faint',
  unsaved: (state) => unsaved(state) * 1000 >= alarmAfterMs || (state.phase === 'pausing' && state.trouble !== null),
  quiet: (state) => hearing(state.listening) === 'quiet',
};

/** The fault that the person must be warned about, if any. */
export const alarmOf = (state: RecorderState): Alarm | null =>
  isListening(state) || state.phase === 'pausing' || state.isLost || state.stopped !== null
    ? (alarms.find((alarm) => holds[alarm](state)) ?? null)
    : null;

const clamp = (at: number, length: number): number => Math.min(Math.max(0, at), length);

const off = { phase: 'off', take: null, isMuted: false, trouble: null, listening: freshListening } as const;

/** The app reports a dictation. While this page records, its own length is more accurate. */
function withDictation(state: RecorderState, dictation: Dictation | null): RecorderState {
  if (state.take || !dictation) return { ...state, dictation };
  const isFirstSeen = state.dictation?.id !== dictation.id;
  const wasAtEnd = state.cursor >= (state.dictation?.seconds ?? 0) - samePlace;
  const cursor = isFirstSeen || wasAtEnd ? dictation.seconds : clamp(state.cursor, dictation.seconds);
  return { ...state, dictation, cursor };
}

/** The recording starts with the first stored audio. */
const withKept = (state: RecorderState, take: Take): RecorderState => ({
  ...state,
  take,
  phase: state.phase === 'starting' && Math.max(take.saved, take.kept) > 0 ? 'recording' : state.phase,
});

/** The state after an event. */
export function reduce(state: RecorderState, event: RecorderEvent): RecorderState {
  const { take } = state;
  switch (event.type) {
    case 'asked':
      return {
        ...state,
        phase: 'asking',
        problem: null,
        refused: null,
        isLost: false,
        stopped: null,
        isPlaying: false,
        discarded: null,
      };
    case 'microphone_allowed':
      return state.phase === 'asking'
        ? { ...state, phase: 'starting', openedAt: state.now, heardAt: state.now }
        : state;
    case 'microphone_open': {
      const { device, now } = event;
      return { ...state, phase: 'starting', device, openedAt: now, heardAt: now, now };
    }
    case 'microphone_failed':
      return { ...state, ...off, problem: event.problem };
    case 'microphone_closed':
      return { ...state, ...off };
    case 'refused':
      return state.take ? { ...state, refused: event.error } : { ...state, ...off, refused: event.error };
    case 'take_begun': {
      const { dictation, begun } = event;
      const cursor = begun.at + begun.captured;
      return { ...state, dictation, take: { ...begun, saved: 0, kept: 0, gaps: [] }, cursor };
    }
    case 'block': {
      const heard = {
        listening: listen(state.listening, { peak: event.peak, speech: event.speech, ms: event.seconds * 1000 }),
        heardAt: event.now,
        now: event.now,
      };
      if (!take) return { ...state, ...heard };
      const captured = take.captured + event.seconds;
      return { ...state, ...heard, take: { ...take, captured }, cursor: take.at + captured };
    }
    case 'gap': {
      if (!take) return state;
      const gap = { at: take.at + take.captured, seconds: event.seconds };
      return { ...state, take: { ...take, gaps: [...take.gaps, gap] } };
    }
    case 'saved':
      return take ? withKept(state, { ...take, saved: take.saved + event.seconds }) : state;
    case 'kept':
      return take ? withKept(state, { ...take, kept: event.seconds }) : state;
    case 'stopped':
      return { ...state, stopped: event.why };
    case 'trouble':
      return { ...state, trouble: event.error };
    case 'tick':
      return { ...state, now: event.now };
    case 'muted':
      return { ...state, isMuted: event.isMuted };
    case 'lost':
      return { ...state, isLost: true };
    case 'pausing':
      return { ...state, phase: 'pausing' };
    case 'paused': {
      const { dictation } = event;
      return { ...state, ...off, dictation, cursor: clamp(state.cursor, dictation?.seconds ?? 0) };
    }
    case 'moved': {
      // The take keeps only audio that was not on disk before.
      const { dictation } = event;
      if (!take) return { ...state, dictation };
      const base = dictation.seconds - take.saved;
      return { ...state, dictation, take: { ...take, base, at: base }, cursor: base + take.captured };
    }
    case 'rest':
      return { ...state, rest: event.rest };
    case 'dictation':
      return withDictation(state, event.dictation);
    case 'discarded':
      return {
        ...state,
        ...off,
        dictation: null,
        cursor: 0,
        isPlaying: false,
        isLost: false,
        stopped: null,
        discarded: event.dictation,
      };
    case 'restored':
      return { ...state, discarded: null, dictation: event.dictation, cursor: event.dictation.seconds };
    case 'cursor':
      return take ? state : { ...state, cursor: clamp(event.at, lengthOf(state)) };
    case 'mode':
      return take ? state : { ...state, mode: event.mode };
    case 'seen':
      return isLive(state) ? state : { ...state, problem: null, refused: null, isLost: false, stopped: null };
    case 'playing':
      return { ...state, isPlaying: event.isPlaying };
  }
}

/** Positions closer than this count as equal, in seconds. */
const samePlace = 0.01;

/** Where the next take starts; `null`: at the end, after the audio of another window. */
export function nextPlace({ mode, cursor, dictation }: RecorderState): number | null {
  const length = dictation?.seconds ?? 0;
  return mode === 'append' || cursor >= length - samePlace ? null : cursor;
}
