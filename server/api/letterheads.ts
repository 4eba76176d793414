/** The call for the letterheads of documents. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { letterheads as contract } from '../../src/contract/letterhead.ts';
import type { Call } from '../http/call.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';

export const letterheadRoutes = ({
  letterheads,
}: Pick<DeliveryDeps, 'letterheads'>): Handlers<typeof contract, Call> => ({
  async list() {
    const items = letterheads.map(([name = '', ...lines]) => ({ name, lines }));
    return { status: 200, data: { items } };
  },
});
