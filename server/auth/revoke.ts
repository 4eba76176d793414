/** Revocation (RFC 7009). `token_type_hint` is ignored: a token's form shows its type. */
import { requireChecked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { revokeToken } from './grants.ts';

/** Unknown and expired tokens are no errors: there is nothing to revoke (RFC 7009 2.2). */
export async function answerRevoke(exchange: Exchange): Promise<void> {
  const { services, tokens } = exchange.server;
  const clientId = requireChecked(exchange, 'client').id;
  const token = exchange.params.token ?? '';
  const claims = await tokens.read(token);
  await revokeToken(
    services,
    clientId,
    typeof claims === 'string' ? { refresh_token: token } : { grant_id: claims.grant_id, token_id: claims.id },
  );
}
