/** A short spoken text: recorded at the press of a button, and sent at the next. Leaving the view releases the microphone. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { recordClip } from '../../state/recorder/spoken-clip.ts';
import type { SpokenClip } from '../../state/recorder/spoken-clip.ts';
import { settings } from '../../state/settings.ts';

export type ClipStep = 'rest' | 'recording' | 'working' | 'no-microphone';

export interface Clip {
  readonly step: ClipStep;
  /** Records, or ends the recording and passes it on. */
  toggle(): Promise<void>;
}

/** `isOpen`: whether the view is there; `take` gets the recording. */
export function useClip(isOpen: boolean, take: (wav: ArrayBuffer) => Promise<void>): Clip {
  const [step, setStep] = useState<ClipStep>('rest');
  const clip = useRef<SpokenClip | null>(null);
  const isHere = useRef(false);
  const stop = async (): Promise<void> => {
    const spoken = clip.current;
    clip.current = null;
    if (!spoken) return;
    setStep('working');
    try {
      await take(await spoken.stop());
    } finally {
      setStep('rest');
    }
  };
  const record = async (): Promise<void> => {
    try {
      const begun = await recordClip(openPageMicrophone, settings.peek()?.microphone ?? null, () => void stop());
      // The view was left while the microphone was opened.
      if (!isHere.current) return begun.cancel();
      clip.current = begun;
      setStep('recording');
    } catch {
      setStep('no-microphone');
    }
  };
  useLayoutEffect(() => {
    isHere.current = isOpen;
    if (!isOpen) setStep('rest');
    return () => {
      isHere.current = false;
      clip.current?.cancel();
      clip.current = null;
    };
  }, [isOpen]);
  return { step, toggle: () => (clip.current ? stop() : record()) };
}
