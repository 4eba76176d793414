/** The operator's calls for the audit trail. */
import type { audit } from '../../src/contract/audit.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import type { Gathered } from '../audit/gathered.ts';
import { listEntries, verify } from '../audit/trail.ts';
import type { Call } from '../http/call.ts';
import type { Store } from '../store/store.ts';

export function auditRoutes(store: Store, gathered: Gathered): Handlers<typeof audit, Call> {
  // What happened until now; where the store takes nothing, the trail so far can be read all the same.
  const settle = () => gathered.flush().catch(() => undefined);
  return {
    async list({ query }) {
      await settle();
      return { status: 200, data: await listEntries(store, query) };
    },
    async verify({ query: { number, hash } }) {
      if ((number === undefined) !== (hash === undefined)) {
        throw validationFailed([
          {
            field: number === undefined ? 'number' : 'hash',
            message: 'number and hash belong together',
            code: 'FIELD_REQUIRED',
          },
        ]);
      }
      await settle();
      const noted = number === undefined || hash === undefined ? undefined : { number, hash };
      return { status: 200, data: await verify(store, noted) };
    },
  };
}
