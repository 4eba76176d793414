/** Keeps the microphone open for a moment after a pause: opening it again would lose the first word. */
import type { Clock } from '../../../../src/domain/clock.ts';
import type { Microphone, OpenMicrophone } from '../../audio/microphone.ts';

const warmMs = 20_000;

export interface WarmMicrophone {
  readonly open: OpenMicrophone;
  /** Sounds a short alarm if no microphone could be opened. */
  readonly alarm: () => void;
  /** Releases the microphone. It closes unless it is requested again soon. */
  release(microphone: Microphone, isBroken: boolean): void;
}

export function keepWarm(open: OpenMicrophone, clock: Clock, alarm: () => void): WarmMicrophone {
  let warm: { microphone: Microphone; device: string | null; callOff: () => void } | null = null;
  const devices = new WeakMap<Microphone, string | null>();
  return {
    alarm,
    async open(wanted) {
      const { microphone, device, callOff } = warm ?? {};
      warm = null;
      callOff?.();
      const fits = wanted.sampleRate === null || wanted.sampleRate === microphone?.sampleRate;
      if (microphone && device === wanted.device && fits) return microphone;
      await microphone?.close();
      const opened = await open(wanted);
      devices.set(opened, wanted.device);
      return opened;
    },
    release(microphone, isBroken) {
      // A broken microphone still sounds its alarm.
      const callOff = clock.schedule(clock.now() + (isBroken ? 1000 : warmMs), () => {
        if (warm?.microphone === microphone) warm = null;
        void microphone.close();
      });
      if (!isBroken) warm = { microphone, device: devices.get(microphone) ?? null, callOff };
    },
  };
}
