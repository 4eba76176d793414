/** Who acts in a transaction, and by which call. */
import type { AuditEntry } from '../../src/contract/audit.ts';

export type Actor = Pick<AuditEntry, 'by' | 'user_id' | 'client_id' | 'action' | 'request_id' | 'address'>;

const service: Actor = {
  by: 'service',
  user_id: null,
  client_id: null,
  action: 'service',
  request_id: null,
  address: null,
};

/** The server itself; `inNameOf`: who asked for the work. */
export const serviceActor = (
  action: string,
  { user_id = null, client_id = null }: { readonly user_id?: string | null; readonly client_id?: string | null } = {},
): Actor => ({ ...service, action, user_id, client_id });
