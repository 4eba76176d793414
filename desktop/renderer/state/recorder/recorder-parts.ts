/** What a recorder needs, and what its parts share. */
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
  /** The present settings. */
  readonly settings: () => Pick<AppSettings, 'microphone' | 'document_language' | 'template_id' | 'upload_format'>;
  /** Takes the exam for this person; `false`: somebody else has the exam. Asks the service only where the page can't know. */
  readonly takeExam: () => boolean | Promise<boolean>;
  /** The store of late sound. */
  readonly backlog: Backlog;
  /** The reports that wait. */
  readonly reports: Pick<WaitingReports, 'ask' | 'withdraw'>;
  /** Name of this page among the windows of the same person. */
  readonly page: string;
  /** The desk of the person who is logged in; `null`: nobody. */
  readonly desk: () => string | null;
  /** Another window has taken the dictation over or records it already; this window may take it over. */
  readonly elsewhere: (takeOver: (() => void) | undefined) => void;
  /** The dictation was sealed or discarded elsewhere: the sound goes into another one. */
  readonly moved: () => void;
  /** The disk has room for so many minutes more, less than an hour. */
  readonly littleRoom: (minutes: number) => void;
  /** Encodes the sound at an address as Opus, if the browser can. */
  readonly encoder: { can(): Promise<boolean>; encode(address: string): Promise<EncodedSound> };
}

/** What the parts of a recorder share. */
export interface RecorderParts {
  readonly state: ReadonlySignal<RecorderState>;
  readonly dispatch: (event: RecorderEvent) => void;
  readonly chosen: ReportChoices;
}
