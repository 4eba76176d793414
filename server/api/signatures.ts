/** The calls for taking back signatures, and for the PIN of a person. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { signatures } from '../../src/contract/signature.ts';
import type { Call } from '../http/call.ts';
import { takeBack } from '../records/grace.ts';
import type { Pins } from '../auth/pins.ts';
import type { RecordDeps } from '../records/deps.ts';

interface SignatureDeps extends Pick<RecordDeps, 'clock'> {
  readonly pins: Pick<Pins, 'state' | 'set'>;
}

export const signatureRoutes = (services: SignatureDeps): Handlers<typeof signatures, Call> => ({
  takeBack: ({ params }, call) => takeBack(services, params.id, call),
  pin: async (_input, call) => ({ status: 200, data: await services.pins.state(call) }),
  setPin: async ({ body }, call) => ({ status: 200, data: await services.pins.set(call, body.password, body.pin) }),
});
