/** The operator's calls for the clock of the server. */
import type { clock as contract } from '../../src/contract/clock.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import { clockStepForm, parseClockStep } from '../../src/domain/clock-choice.ts';
import { parseInstant } from '../../src/domain/iso-time.ts';
import type { Timekeeper } from '../runtime/clock/timekeeper.ts';
import type { Call } from '../http/call.ts';

export const clockRoutes = (timekeeper: Timekeeper): Handlers<typeof contract, Call> => ({
  show: async () => ({ status: 200, data: timekeeper.show() }),
  async advance({ body: { by } }) {
    const ms = parseClockStep(by);
    if (ms === undefined) {
      throw validationFailed([{ field: 'by', message: `by must be ${clockStepForm}`, code: 'INVALID_FORMAT' }]);
    }
    return { status: 200, data: await timekeeper.advance(ms) };
  },
  set: async ({ body: { now } }) => ({ status: 200, data: await timekeeper.set(parseInstant(now)) }),
});
