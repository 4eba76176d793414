/** What is known of a dictation whose words are told while somebody speaks. */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import { lengthOf } from '../../../../src/domain/dictation/timeline.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import type { ServiceDeps } from '../../service.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveReportInput } from './live-report.ts';
import type { LiveTake } from './live-take.ts';
import { piecesOf, spokenPieces } from './stretches.ts';

type ReportBasis = Pick<LiveReportInput, 'template' | 'macros' | 'terms'>;

/** What the person wants and the service can. */
export interface LiveChoices {
  /** Whether the person wants words while speaking. */
  isWanted(): boolean;
  /** Whether the service hears live. */
  isHeard(): boolean;
  /** What the report of the dictation is written by. */
  report(dictation: LocalDictation['stored']): Promise<ReportBasis>;
}

export type LiveWordsDeps = LiveChoices &
  Pick<ServiceDeps, 'clock' | 'random' | 'log' | 'connect' | 'onOnline' | 'revision' | 'tell'>;

export interface Following {
  readonly dictation: LocalDictation;
  takes: LiveTake[];
  basis: ReportBasis;
  /** The part that is being recorded, as the file has it. */
  part: number | undefined;
  /** The part for which a transcription is being begun; `to`: where the part has ended meanwhile. */
  beginning: { readonly from: number; readonly to: number | null } | undefined;
  /** Nothing is begun before, in ms of the clock; Infinity: not in this part. */
  notBefore: number;
  failures: number;
  report: LiveReport;
  /** Those of the open take that stand in the report. */
  phrases: LiveWords['phrases'];
  latest: string;
  state: LiveWords['state'];
  /** Cancels the next composing. */
  callOff: (() => void) | undefined;
  /** Ms of the clock. */
  composedUntil: number;
  isLeft: boolean;
}

export const newFollowing = (dictation: LocalDictation): Following => ({
  dictation,
  takes: [],
  basis: { template: undefined, macros: [], terms: [] },
  part: undefined,
  beginning: undefined,
  notBefore: 0,
  failures: 0,
  report: { sections: [], heard: [] },
  phrases: [],
  latest: '',
  state: 'still',
  callOff: undefined,
  composedUntil: 0,
  isLeft: false,
});

export const piecesOfAll = ({ dictation, takes }: Following) => piecesOf(dictation.recording.segments(), takes);

/** `undefined`: not all of the sound went to live transcriptions. */
export function spokenIn(following: Following): readonly SpokenPiece[] | undefined {
  const { recording, stored } = following.dictation;
  if (lengthOf(recording.segments()) === 0) return undefined;
  return spokenPieces(piecesOfAll(following), stored.sample_rate);
}
