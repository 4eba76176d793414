/** Answers the device authorization endpoint (RFC 8628 3.2). */
import { deviceCodeSeconds, devicePollSeconds } from '../../src/contract/oauth.ts';
import type { DeviceAuthorization } from '../../src/contract/oauth.ts';
import { deviceAddress } from './pages/paths.ts';
import { findTestUser } from './accounts.ts';
import { openDevice } from './devices.ts';
import { requireChecked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { oauthError } from '../http/oauth-error.ts';
import { readRequestedScope } from './steps/check-scope.ts';

/** Approves test clients at once in the name of their test user. For other clients a person decides. */
export async function answerDevice(exchange: Exchange): Promise<DeviceAuthorization> {
  const { services } = exchange.server;
  const client = requireChecked(exchange, 'client');
  const { issuer, address } = exchange;
  const user = requireChecked(exchange, 'interactive') ? null : await findTestUser(services.store, client.space);
  if (user === undefined) throw oauthError('access_denied', 'The test user of this client was deleted');
  const codes = await openDevice(services, {
    client_id: client.id,
    scope: readRequestedScope(exchange) ?? client.scopes,
    issuer,
    address,
    approvedBy: user?.id,
  });
  return {
    ...codes,
    verification_uri: issuer + deviceAddress(),
    verification_uri_complete: issuer + deviceAddress(codes.user_code),
    expires_in: deviceCodeSeconds,
    interval: devicePollSeconds,
  };
}
