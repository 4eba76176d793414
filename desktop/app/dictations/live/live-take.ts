/** Sends a part of a dictation to a live transcription of the service, and receives the words. */
import { isTransient } from '../../../../src/client/transient.ts';
import type { AppError } from '../../../../src/contract/errors.ts';
import { liveBytesPerSecond } from '../../../../src/contract/transcription.ts';
import type { Phrase } from '../../../../src/contract/transcription.ts';
import { goOnWithLiveDictation } from '../../../../src/client/events/live-dictation.ts';
import type { LiveDictation } from '../../../../src/client/events/live-dictation.ts';
import type { ServiceDeps } from '../../service.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveStretch } from '../stored-dictation.ts';
import { liveSound } from './live-sound.ts';

export type LiveTakeDeps = Pick<ServiceDeps, 'clock' | 'random' | 'connect'>;

export interface LiveTake {
  readonly id: string;
  /** Index of the stretch in the dictation. */
  readonly number: number;
  /** Start in the audio file, in samples. */
  readonly from: number;
  /** Current end of the stretch in samples, exclusive. */
  readonly to: number;
  /** Whether the stretch may still grow. */
  readonly isOpen: boolean;
  readonly phrases: readonly Phrase[];
  readonly partial: string;
  /** No more words will arrive. */
  readonly isDeaf: boolean;
  /** Seconds of audio that the service does not have yet. */
  readonly behind: number;
  more(): void;
  hurry(): void;
  /** Ends the stretch here. Resolves to whether the service has all of it. */
  end(to: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Continues the transcription of the stretch. `changed` is called after new words. */
export function openLiveTake(
  deps: LiveTakeDeps,
  dictation: LocalDictation,
  { id, from, to: known, number }: LiveStretch & Pick<LiveTake, 'number'>,
  changed: (isFinal: boolean) => void,
): LiveTake {
  const { recording, stored } = dictation;
  let to = known;
  const phrases: Phrase[] = [];
  let partial = '';
  let isDeaf = false;
  let ending: Promise<boolean> | undefined;
  const end = (): number => to ?? recording.recorded;
  const sound = liveSound(dictation, from, () => ({ end: end(), isOpen: to === null }));
  const live: LiveDictation = goOnWithLiveDictation(
    {
      ...deps,
      transcriptions: deps.connect().client.transcriptions,
      sound,
      onEvent(event) {
        if (event.type === 'final') phrases.push(event.phrase);
        if (event.type === 'failed') isDeaf = true;
        partial = event.type === 'partial' ? event.text : '';
        changed(event.type === 'final');
      },
      onRefused() {
        isDeaf = true;
        partial = '';
        changed(false);
      },
    },
    id,
  );
  return {
    id,
    number,
    from,
    get to() {
      return end();
    },
    get isOpen() {
      return to === null;
    },
    phrases,
    get partial() {
      return partial;
    },
    get isDeaf() {
      return isDeaf;
    },
    get behind() {
      return (end() - from) / stored.sample_rate - live.stored / liveBytesPerSecond;
    },
    more: () => live.more(),
    hurry: () => live.hurry(),
    end(at) {
      to ??= at;
      ending ??= live.end().then(
        () => true,
        () => false,
      );
      return ending;
    },
    close: () => live.close(),
  };
}

/** Whether a later attempt may succeed. */
export const mayPass = (error: unknown): error is AppError =>
  isTransient(error) && error.details?.['reason'] === undefined;
