/** The call that proposes sentences for the impression of a record. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { impressions } from '../../src/contract/impression.ts';
import type { Call } from '../http/call.ts';
import { proposeImpression } from '../records/impression.ts';
import type { ImpressionDeps } from '../records/impression.ts';

export const impressionRoutes = (services: ImpressionDeps): Handlers<typeof impressions, Call> => ({
  propose: ({ params }, call) => proposeImpression(services, params.id, call),
});
