/** The calls about critical results. */
import type { criticalResults } from '../../src/contract/critical-results.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { Call } from '../http/call.ts';
import { decideCritical, markCritical } from '../records/critical.ts';
import type { SignatureDeps } from '../records/exam.ts';

export const criticalRoutes = (services: SignatureDeps): Handlers<typeof criticalResults, Call> => ({
  mark: ({ params, body }, call) => markCritical(services, params.id, body, call),
  decide: ({ params, body }, call) => decideCritical(services, params, body, call),
});
