import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';

/** RFC 6749 3.1.2.4, 4.1.2.1: the client must be known before anything is sent anywhere. */
export async function identifyClient({ params, server }: Exchange): Promise<Partial<CheckResults>> {
  if (params.client_id === undefined) throw oauthError('invalid_request', 'client_id is missing or repeated');
  const client = await server.services.store.get('clients', params.client_id);
  if (!client) throw oauthError('invalid_client', 'client_id is not registered here');
  return { client };
}
