/** Revocation (RFC 7009). The hint is not needed: what a token is can be seen from the token. */
import { checked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { revokeToken } from './grants.ts';

/** An unknown or expired token needs no revoking, and is no error (RFC 7009 2.2). */
export async function answerRevoke(exchange: Exchange): Promise<void> {
  const { services, tokens } = exchange.server;
  const clientId = checked(exchange, 'client').id;
  const token = exchange.params.token ?? '';
  const claims = await tokens.read(token);
  await revokeToken(
    services,
    clientId,
    typeof claims === 'string' ? { refresh_token: token } : { grant_id: claims.grant_id, token_id: claims.id },
  );
}
