/** A part of a dictation on its way to a live transcription of the service, and the words that come back. */
import { isTransient } from '../../../../src/client/transient.ts';
import type { AppError } from '../../../../src/contract/errors.ts';
import { liveSampleRate } from '../../../../src/contract/transcription.ts';
import type { Phrase } from '../../../../src/contract/transcription.ts';
import { goOnWithLiveDictation } from '../../../../src/events/live-dictation.ts';
import type { LiveDictation, RecordedSound } from '../../../../src/events/live-dictation.ts';
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { ServiceDeps } from '../../service.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveStretch } from '../stored-dictation.ts';
import { readSamples } from '../wav-file.ts';

/** Sound goes to the service in steps of so many ms. */
const stepMs = 100;

export type LiveTakeDeps = Pick<ServiceDeps, 'clock' | 'random' | 'connect'>;

export interface LiveTake {
  readonly id: string;
  /** In the sound file, in samples. */
  readonly from: number;
  /** Up to where the stretch goes at present, in samples; not included. */
  readonly to: number;
  /** Whether the stretch goes on. */
  readonly isOpen: boolean;
  readonly phrases: readonly Phrase[];
  readonly partial: string;
  /** No more words come. */
  readonly isDeaf: boolean;
  /** Seconds of sound that the service does not have yet. */
  readonly behind: number;
  more(): void;
  hurry(): void;
  /** The stretch ends here; resolves to whether the service has all of it. */
  end(to: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Goes on with the transcription of the stretch. `changed` is called after new words. */
export function openLiveTake(
  deps: LiveTakeDeps,
  dictation: LocalDictation,
  { id, from, to: end }: LiveStretch,
  changed: (isFinal: boolean) => void,
): LiveTake {
  const { recording, stored } = dictation;
  let to = end;
  const phrases: Phrase[] = [];
  let partial = '';
  let isDeaf = false;
  let ending: Promise<boolean> | undefined;
  const recorded = (): number => (to ?? recording.recorded) - from;
  const step = (stored.sample_rate * stepMs) / 1000;
  const sound: RecordedSound = {
    get size() {
      return (to === null ? Math.floor(recorded() / step) * step : recorded()) * bytesPerSample;
    },
    async read(start, until) {
      const wanted = { from: from + start / bytesPerSample, length: (until - start) / bytesPerSample };
      const pieces: Buffer[] = [];
      for await (const piece of readSamples(dictation.sound(), [wanted])) pieces.push(piece);
      return Buffer.concat(pieces);
    },
  };
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
    from,
    get to() {
      return to ?? recording.recorded;
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
      return (recorded() - live.stored / bytesPerSample) / stored.sample_rate;
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

/** Whether the service hears sound of this rate as it is. */
export const fitsLive = (rate: number): boolean => rate === liveSampleRate;

/** Whether the service may answer otherwise later. */
export const mayPass = (error: unknown): error is AppError =>
  isTransient(error) && error.details?.['reason'] === undefined;
