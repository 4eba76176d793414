/** The PIN by which the person here signs. It goes to the service and is kept nowhere. */
import { AppError } from '../../../src/contract/errors.ts';
import type { PinState } from '../../../src/contract/signature.ts';
import type { PinProblem } from '../../bridge/pin.ts';
import type { OwnFact } from './own-facts.ts';
import type { Service, ServiceDeps } from '../service.ts';

export const createPin = ({ connect }: Pick<ServiceDeps, 'connect'>, own: OwnFact<PinState>): Service<'pin'> => ({
  handlers: {
    async 'pin.set'(body) {
      const { data } = await connect().client.signatures.setPin({ body });
      await own.take(data);
      return data;
    },
  },
  close: async () => undefined,
});

/** Refuses at once what the service would refuse: a signature without the PIN that it needs would wait for nothing. */
export function checkPin({ has_pin }: PinState, pin: string | undefined): void {
  if (!has_pin || pin !== undefined) return;
  throw new AppError('FORBIDDEN', {
    message: 'This signature needs your PIN.',
    details: { reason: 'pin_missing' satisfies PinProblem },
  });
}
