/** Revocation (RFC 7009). The endpoint ignores `token_type_hint`: the form of a token shows its type. */
import { checked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { revokeToken } from './grants.ts';

/** An unknown or expired token is no error: there is nothing to revoke (RFC 7009 2.2). */
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
