/** The operator's calls for faults. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { faults } from '../../src/contract/fault.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import type { Faults } from '../qa/faults/faults.ts';
import type { Call } from '../http/call.ts';

export const faultRoutes = (present: Faults): Handlers<typeof faults, Call> => ({
  list: async () => ({ status: 200, data: { items: present.list() } }),
  add: async ({ body }) => ({ status: 201, data: { items: present.add(body) } }),
  clear: async () => ({ status: 200, data: { items: present.clear() } }),
  async remove({ params: { name } }) {
    const items = present.remove(name);
    if (items.length > 0) return { status: 200, data: { items } };
    const names = present.list().flatMap((fault) => [fault.name, fault.profile ?? []].flat());
    const hint = 'laudio server fault list shows all faults.';
    throw unknownWord('The server has no fault of that name.', name, names, hint, 'NOT_FOUND');
  },
  log: async ({ query }) => ({ status: 200, data: { items: present.log(query) } }),
});
