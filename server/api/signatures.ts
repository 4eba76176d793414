/** The calls for signatures that can still be taken back, and for the PIN of a person. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { signatures } from '../../src/contract/signature.ts';
import type { Call } from '../http/call.ts';
import { takeBack } from '../records/grace.ts';
import type { Services } from '../services.ts';

export const signatureRoutes = (services: Services): Handlers<typeof signatures, Call> => ({
  takeBack: ({ params }, call) => takeBack(services, params.id, call),
  pin: async (_input, call) => ({ status: 200, data: await services.pins.state(call) }),
  setPin: async ({ body }, call) => ({ status: 200, data: await services.pins.set(call, body.password, body.pin) }),
});
