/** Adds timeouts to the steps of opening a microphone: a browser that leaves one unanswered never fails otherwise. */
import type { Clock } from '../../../src/domain/clock.ts';
import { microphoneFailure } from './microphone.ts';
import type { MicrophoneProblem, OpenMicrophone } from './microphone.ts';

/** Timeouts in ms: for the person's answer to the browser, and for the browser. */
const limits = { answer: 60_000, opening: 10_000, starting: 5000 } as const;

export function addTimeouts(open: OpenMicrophone, clock: Clock): OpenMicrophone {
  const limit = <T>(ms: number, problem: MicrophoneProblem, step: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const callOff = clock.schedule(clock.now() + ms, () => reject(microphoneFailure(problem)));
      step.then(resolve, reject).finally(callOff);
    });
  return async ({ allowed, ...wanted }) => {
    const answered = Promise.withResolvers<void>();
    const opening = open({
      ...wanted,
      allowed() {
        allowed?.();
        answered.resolve();
      },
    });
    opening.then(() => answered.resolve(), answered.reject);
    try {
      await limit(limits.answer, 'unanswered', answered.promise);
      const microphone = await limit(limits.opening, 'silent', opening);
      return { ...microphone, start: (to) => limit(limits.starting, 'silent', microphone.start(to)) };
    } catch (error) {
      // A microphone that opens later must not listen.
      void opening.then((late) => late.close()).catch(() => undefined);
      throw error;
    }
  };
}
