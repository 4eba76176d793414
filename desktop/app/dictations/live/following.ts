/** The live state of a dictation. */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import { lengthOf } from '../../../../src/domain/dictation/timeline.ts';
import type { LiveReport } from '../../../../src/reporting/live/words.ts';
import type { LiveWords } from '../../../bridge/live.ts';
import type { ServiceDeps } from '../../service.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveReportInput } from './live-report.ts';
import type { LiveTake } from './live-take.ts';
import { mapToPieces, spokenPieces } from './stretches.ts';

type ReportBasis = Pick<LiveReportInput, 'template' | 'macros' | 'terms'>;

/** The wishes of the person and the abilities of the service. */
export interface LiveChoices {
  /** Whether the person wants live words. */
  isWanted(): boolean;
  /** Whether the person wants to give commands by voice. */
  hasCommands(): boolean;
  /** Whether the service recognises live. */
  isHeard(): boolean;
  /** The basis of the dictation's report. */
  report(dictation: LocalDictation['stored']): Promise<ReportBasis>;
}

export type LiveWordsDeps = LiveChoices &
  Pick<ServiceDeps, 'clock' | 'random' | 'log' | 'connect' | 'onOnline' | 'revision' | 'emit'>;

export interface Following {
  readonly dictation: LocalDictation;
  takes: LiveTake[];
  basis: ReportBasis;
  /** Start of the part being recorded, as in the file. */
  part: number | undefined;
  /** The part whose transcription is being created; `to`: where the part has ended since. */
  beginning: { readonly from: number; readonly to: number | null } | undefined;
  /** No transcription is created before this time, in ms of the clock; Infinity: none for this part. */
  notBefore: number;
  failures: number;
  report: LiveReport;
  /** Phrases of the open take that are in the report. */
  phrases: LiveWords['phrases'];
  latest: string;
  state: LiveWords['state'];
  /** Cancels the next composition. */
  callOff: (() => void) | undefined;
  /** In ms of the clock. */
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

export const piecesOfAll = ({ dictation, takes }: Following) => mapToPieces(dictation.recording.segments(), takes);

/** `undefined`: not all audio went to live transcriptions. */
export function spokenIn(following: Following): readonly SpokenPiece[] | undefined {
  const { recording, stored } = following.dictation;
  if (lengthOf(recording.segments()) === 0) return undefined;
  return spokenPieces(piecesOfAll(following), stored.sample_rate);
}
