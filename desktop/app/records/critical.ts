/** Critical results: only the service stores them, so that a communication is never repeated or lost. */
import { isTransient } from '../../../src/client/transient.ts';
import type { MedicalRecord } from '../../../src/contract/document.ts';
import type { Service, ServiceDeps } from '../service.ts';
import type { Records } from './records.ts';

/** Maximum number of records with open results listed. */
const maxListed = 200;

export function createCritical(
  { connect }: Pick<ServiceDeps, 'connect'>,
  records: Pick<Records, 'take' | 'sendWaiting'>,
): Service<'critical'> {
  let seen: MedicalRecord[] = [];
  const api = () => connect().client;
  return {
    handlers: {
      async 'critical.open'() {
        try {
          seen = (await api().records.list({ query: { critical: 'open', limit: maxListed } })).data.items;
        } catch (error) {
          if (!isTransient(error)) throw error;
        }
        return { items: seen };
      },
      async 'critical.mark'({ id, mark }) {
        await records.sendWaiting(id);
        return records.take((await api().criticalResults.mark({ params: { id }, body: mark })).data);
      },
      async 'critical.decide'({ id, result, decision }) {
        await records.sendWaiting(id);
        const { data } = await api().criticalResults.decide({ params: { id, result }, body: decision });
        return records.take(data);
      },
    },
    close: async () => undefined,
  };
}
