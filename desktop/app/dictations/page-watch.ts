/** Watches the recording pages: a page that crashes sends no notice. */
import type { ServiceDeps } from '../service.ts';
import { interrupt, lastSoundAt } from './local-dictation.ts';
import type { LocalDictation } from './local-dictation.ts';

/** Milliseconds without a block after which other pages no longer see this one as recording. */
const shortSilence = 3000;
/** Milliseconds without a block after which the app considers the recording page dead. */
const maxSilence = 10_000;

export interface PageWatch {
  /** Ends the take of a page that sends nothing any more; the next page offers the dictation as recovered. */
  watch(dictation: LocalDictation): void;
  /** Notifies the pages whether another one records. */
  noteSound(dictation: LocalDictation, isSounding: boolean): void;
}

export function createPageWatch({ clock, log }: Pick<ServiceDeps, 'clock' | 'log'>): PageWatch {
  const watched = new Set<LocalDictation>();

  function watch(dictation: LocalDictation): void {
    if (watched.has(dictation)) return;
    watched.add(dictation);
    const look = (): void => {
      const silence = clock.now() - lastSoundAt(dictation);
      if (dictation.recording.current === undefined) watched.delete(dictation);
      else if (silence < maxSilence) {
        noteSound(dictation, silence < shortSilence);
        clock.schedule(clock.now() + (silence < shortSilence ? shortSilence : maxSilence) - silence, look);
      } else {
        watched.delete(dictation);
        void dictation
          .inOrder(() => interrupt(dictation))
          .catch(() => log({ level: 'warn', event: 'dictation_not_paused', dictation_id: dictation.id }));
      }
    };
    clock.schedule(clock.now() + shortSilence, look);
  }

  function noteSound(dictation: LocalDictation, isSounding: boolean): void {
    if (dictation.isSounding === isSounding) return;
    dictation.isSounding = isSounding;
    dictation.notify();
  }

  return { watch, noteSound };
}
