/** A short spoken text: recorded at the press of a button, and sent at the next. Leaving the view releases the microphone. */
import { computed, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { isRecording } from '../../state/jobs.ts';
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

/** A dictation of this page, or of another one of the person. */
const isMicrophoneTaken = computed(() => liveRecorder.value !== null || isRecording.value);

/** `mayRecord`: whether the view is there, and words can be recognised; `take` gets the recording. */
export function useClip(mayRecord: boolean, take: (wav: ArrayBuffer) => Promise<void>): Clip {
  const latest = useRef(take);
  latest.current = take;
  const clip = useMemo(
    () =>
      createClipRecorder({
        open: openPageMicrophone,
        device: () => settings.peek()?.microphone ?? null,
        isTaken: () => isMicrophoneTaken.peek(),
        take: (wav) => latest.current(wav),
      }),
    [],
  );
  // A dictation that begins has the microphone to itself.
  useSignalEffect(() => {
    if (isMicrophoneTaken.value) void clip.stop();
  });
  useLayoutEffect(() => clip.cancel, [mayRecord]);
  return {
    step: clip.step.value,
    isTaken: isMicrophoneTaken.value,
    toggle: async () => {
      if (mayRecord) await clip.toggle();
    },
  };
}
