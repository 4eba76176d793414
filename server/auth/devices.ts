/**
 * Logins of devices without a browser (RFC 8628): the device gets two codes, shows the short one, and polls with the
 * long one until the user decides in a browser. Each function is one transaction, so that only one of concurrent uses
 * succeeds.
 */
import { deviceCodeSeconds, devicePollSeconds, refreshTokenSeconds } from '../../src/contract/oauth.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { isMovable, isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Documents } from '../storage/collections.ts';
import { createLoneCounters } from '../storage/counters.ts';
import type { CountTime } from '../storage/counters.ts';
import type { AuthDeps } from './deps.ts';
import type { Transaction } from '../storage/store.ts';
import {
  inSeconds,
  isExpired,
  unwrapOutcome,
  restrictScope,
  putGrant,
  putRefreshToken,
  invalidGrant,
  revokeGrant,
} from './grants.ts';
import type { GrantDeps, IssuedTokens } from './grants.ts';
import { oauthError } from '../http/oauth-error.ts';
import type { OAuthError } from '../http/oauth-error.ts';
import { randomSecret, sha256 } from '../runtime/secrets.ts';
import { makeUserCode, userCodeId } from './user-code.ts';

export type Device = Documents['devices'];

/**
 * Pending logins per client; more would make codes easier to guess. Beyond that, the oldest login of the busiest
 * address ends, so that a flood neither blocks the client nor ends logins elsewhere.
 */
const maxPending = 1000;

export interface DeviceRequest {
  readonly client_id: string;
  readonly scope: readonly Scope[];
  readonly issuer: string;
  /** The address of the device. */
  readonly address: string;
  /** The user who approved in advance; `undefined` if a person has to decide. */
  readonly approvedBy: string | undefined;
}

export interface DeviceCodes {
  readonly device_code: string;
  readonly user_code: string;
}

/** Creates the codes of a device. They last ten minutes and work once. */
export async function openDevice({ store, clock }: GrantDeps, request: DeviceRequest): Promise<DeviceCodes> {
  const codes = { device_code: randomSecret(), user_code: makeUserCode() };
  const { approvedBy, scope, ...asked } = request;
  await store.transact(async (tx) => {
    // Redeemed logins live as long as their tokens, so their end is later.
    const during = { expires: { from: clock.now(), to: clock.now() + deviceCodeSeconds * 1000 } };
    const others = await tx.find('devices', { is: { client: request.client_id }, during });
    const pending = others.filter((other) => isPending(clock, other));
    if (pending.length >= maxPending) tx.remove('devices', findOldestOfBusiest(pending).id);
    tx.put('devices', {
      id: sha256(codes.device_code),
      user_code: userCodeId(codes.user_code),
      ...asked,
      scope: [...scope],
      created_at: isoNow(clock),
      expires_at: inSeconds(clock, deviceCodeSeconds),
      decision: approvedBy === undefined ? null : 'approved',
      user_id: approvedBy ?? null,
      grant_id: null,
    });
  });
  return codes;
}

const isPending = (clock: Clock, device: Device): boolean =>
  device.decision === null && !isExpired(clock, device.expires_at);

/** Returns the oldest login of the address that has the most. */
function findOldestOfBusiest(pending: readonly Device[]): Device {
  const byAddress = [...Map.groupBy(pending, ({ address }) => address).values()];
  const busiest = byAddress.reduce((max, each) => (each.length > max.length ? each : max));
  return busiest.reduce((oldest, each) => (each.expires_at < oldest.expires_at ? each : oldest));
}

/** Finds the pending login for the code that the user typed. */
export async function findDevice({ store, clock }: GrantDeps, typed: string): Promise<Device | undefined> {
  const [device] = await store.find('devices', { is: { user_code: userCodeId(typed) }, limit: 1 });
  return device && isPending(clock, device) ? device : undefined;
}

/**
 * Stores the decision; a `user_id` approves, `null` refuses. Returns false if the login was decided before or has
 * expired.
 */
export function decideDevice({ store, clock }: GrantDeps, id: string, user_id: string | null): Promise<boolean> {
  return store.transact(async (tx) => {
    const device = await tx.get('devices', id);
    if (!device || !isPending(clock, device)) return false;
    tx.put('devices', { ...device, decision: user_id === null ? 'denied' : 'approved', user_id });
    return true;
  });
}

/** Detects devices that poll too often (RFC 8628 3.5). Each time, their interval grows by five seconds. */
export interface Pace {
  isTooFast(id: string): Promise<boolean>;
}

/** Counts the polls within an interval, and how often a device was too fast. */
export function createPace({ counters, clock }: Pick<AuthDeps, 'counters' | 'clock'>): Pace {
  // Devices use a real clock, even if the server's clock is stopped for a test.
  const polls = [counters, ...(isMovable(clock) ? [createLoneCounters(clock.machine)] : [])];
  return {
    async isTooFast(id) {
      // A device may be slightly early, because requests take time.
      const count = (by: number, slowed: number) => {
        const time: CountTime = { ms: (devicePollSeconds - 1 + 5 * slowed) * 1000, renewed: true };
        return Promise.all(polls.map((each) => each.add(`poll ${id}`, by, time)));
      };
      const counted = await count(1, (await counters.read(`slow ${id}`)).n);
      if (counted.some(({ n }) => n === 1)) return false;
      const slow = await counters.add(`slow ${id}`, 1, { ms: deviceCodeSeconds * 1000, renewed: true });
      await count(0, slow.n);
      return true;
    },
  };
}

export interface DeviceRedemption {
  readonly device_code: string;
  readonly client_id: string;
}

/** RFC 8628 3.4, 3.5. As with authorization codes, a second use revokes the tokens of the first. */
export async function redeemDevice(
  deps: GrantDeps,
  pace: Pace,
  { device_code, client_id }: DeviceRedemption,
): Promise<IssuedTokens> {
  const id = sha256(device_code);
  const outcome = await deps.store.transact(async (tx) => {
    const device = await tx.get('devices', id);
    if (!device || device.client_id !== client_id) return invalidGrant('The device code is unknown');
    if (device.grant_id !== null) {
      await revokeGrant(tx, deps.clock, device.grant_id);
      return invalidGrant('The device code was used before; the tokens that it gave are revoked');
    }
    if (isExpired(deps.clock, device.expires_at)) return oauthError('expired_token', 'The device code has expired');
    if (device.decision === 'denied') return oauthError('access_denied', 'The user did not approve');
    if (device.decision === 'approved') return redeem(tx, deps, device);
    return 'pending' as const;
  });
  if (outcome !== 'pending') return unwrapOutcome(outcome);
  throw (await pace.isTooFast(id))
    ? oauthError('slow_down', 'Ask five seconds less often')
    : oauthError('authorization_pending', 'The user has not decided yet');
}

async function redeem(tx: Transaction, deps: GrantDeps, device: Device): Promise<IssuedTokens | OAuthError> {
  const user = device.user_id === null ? undefined : await tx.get('users', device.user_id);
  const client = await tx.get('clients', device.client_id);
  if (!user || !client) return invalidGrant('The user or the client is gone');
  const scope = restrictScope(device.scope, client);
  if (scope.length === 0) return invalidGrant('This client has lost every scope of the code');
  const { issuer } = device;
  const grant = putGrant(tx, deps, { client, user, issuer, scope, seconds: refreshTokenSeconds });
  // Kept as long as its grant, so that a second use is recognised.
  tx.put('devices', { ...device, grant_id: grant.id, expires_at: grant.expires_at });
  return { grant, refresh_token: putRefreshToken(tx, grant) };
}
