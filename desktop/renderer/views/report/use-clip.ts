/** A short spoken text: recorded at the press of a button, and sent at the next. Leaving the view releases the microphone. */
import { useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import { createClipRecorder } from '../../state/recorder/spoken-clip.ts';
import type { ClipStep } from '../../state/recorder/spoken-clip.ts';
import { settings } from '../../state/settings.ts';

export interface Clip {
  readonly step: ClipStep;
  /** Whether a dictation uses the microphone: nothing else can be recorded. */
  readonly isTaken: boolean;
  /** Records, or ends the recording and passes it on. Without effect while nothing can be recorded. */
  toggle(): Promise<void>;
}

/** `mayRecord`: whether the view is there, and words can be recognised; `take` gets the recording. */
export function useClip(mayRecord: boolean, take: (wav: ArrayBuffer) => Promise<void>): Clip {
  const latest = useRef(take);
  latest.current = take;
  const clip = useMemo(
    () =>
      createClipRecorder({
        open: openPageMicrophone,
        device: () => settings.peek()?.microphone ?? null,
        isTaken: () => liveRecorder.peek() !== null,
        take: (wav) => latest.current(wav),
      }),
    [],
  );
  // A dictation that begins has the microphone to itself.
  useSignalEffect(() => {
    if (liveRecorder.value !== null) void clip.stop();
  });
  useLayoutEffect(() => clip.cancel, [mayRecord]);
  return {
    step: clip.step.value,
    isTaken: liveRecorder.value !== null,
    toggle: async () => {
      if (mayRecord) await clip.toggle();
    },
  };
}
