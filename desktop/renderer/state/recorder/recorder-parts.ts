/** The dependencies of a recorder, and the state that its parts share. */
import type { ReadonlySignal } from '@preact/signals';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { EncodedSound } from '../../audio/encode.ts';
import type { Player } from '../../audio/player.ts';
import type { Backlog } from '../../backlog/backlog.ts';
import type { RecorderEvent, RecorderState } from './recorder-state.ts';
import type { ReportChoices } from './report-choices.ts';
import type { WaitingReports } from './waiting-reports.ts';
import type { WarmMicrophone } from './warm-microphone.ts';

export interface RecorderDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly microphone: WarmMicrophone;
  readonly player: Pick<Player, 'play' | 'stop'>;
  /** The current settings. */
  readonly settings: () => Pick<AppSettings, 'microphone' | 'document_language' | 'template_id' | 'upload_format'>;
  /** Whether this person may record for the exam, as far as the page knows; a notice explains why not. */
  readonly mayTake: () => boolean;
  /** Takes the exam for this person; `false`: another person has it. Asks the service only if the page can't know. */
  readonly takeExam: () => boolean | Promise<boolean>;
  /** Stores late audio. */
  readonly backlog: Backlog;
  /** The requests for reports that wait. */
  readonly reports: Pick<WaitingReports, 'ask' | 'withdraw'>;
  /** Identifies this page among the windows of one person. */
  readonly page: string;
  /** The desk of the person who is logged in; `null`: nobody. */
  readonly desk: () => string | null;
  /** Another window has taken over the dictation or is recording it; this window can take it over. */
  readonly elsewhere: (takeOver: (() => void) | undefined) => void;
  /** The dictation was sealed or discarded elsewhere: the audio goes into another one. */
  readonly moved: () => void;
  /** The disk has room for this many minutes, less than an hour. */
  readonly littleRoom: (minutes: number) => void;
  /** Encodes the audio at an address as Opus, if the browser can. */
  readonly encoder: { can(): Promise<boolean>; encode(address: string): Promise<EncodedSound> };
}

/** The state that the parts of a recorder share. */
export interface RecorderParts {
  readonly state: ReadonlySignal<RecorderState>;
  readonly dispatch: (event: RecorderEvent) => void;
  readonly chosen: ReportChoices;
}
