/** The person's signing PIN. It is sent to the service and stored nowhere. */
import { appMessage } from '../../../src/contract/messages/app.ts';
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

/** Rejects at once what the service would refuse: a signature without its required PIN would wait forever. */
export function checkPin({ has_pin }: PinState, pin: string | undefined): void {
  if (!has_pin || pin !== undefined) return;
  throw new AppError('FORBIDDEN', {
    message: appMessage('pin_missing'),
    details: { reason: 'pin_missing' satisfies PinProblem },
  });
}
