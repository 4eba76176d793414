/** The call for the destinations of a medical record. */
import type { distribution } from '../../src/contract/distribution.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { readDistribution } from '../delivery/channels/sending/distribution.ts';
import type { Call } from '../http/call.ts';
import { readRecord } from '../records/stored-record.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';

export const distributionRoutes = ({ store }: Pick<DeliveryDeps, 'store'>): Handlers<typeof distribution, Call> => ({
  async ofRecord({ params }, { caller }) {
    const record = await readRecord(store, caller.space, params.id);
    return { status: 200, data: { items: await readDistribution(store, record) } };
  },
});
