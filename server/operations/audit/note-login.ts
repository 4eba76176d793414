/** Enters each login into the audit trail and the numbers, and into the log if it was refused. */
import type { AuthorizationServices, LoginEvent } from '../../auth/exchange.ts';
import { ownIdOrNull } from '../../http/own-ids.ts';
import type { Log } from '../../runtime/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { AccessRecorder, LoginAttempt } from './record-access.ts';

const actions = {
  password: 'login',
  secret: 'client_login',
  device_code: 'device_login',
  setup_code: 'operator_login',
  operator_token: 'operator_login',
  provider: 'provider_login',
  operator_provider: 'operator_login',
} as const satisfies Readonly<Record<LoginEvent['way'], LoginAttempt['action']>>;

interface Deps {
  readonly metrics: Pick<Metrics, 'logins'>;
  readonly shown: AccessRecorder;
  readonly log: Log;
  readonly logAddresses?: boolean | undefined;
}

export const createLoginNoter =
  ({ metrics, shown, log, logAddresses = false }: Deps): AuthorizationServices['noteLogin'] =>
  ({ way, outcome: result, reason, user_id = null, client_id = null, from: { address, request_id } }) => {
    if (way === 'password' || way === 'provider') metrics.logins.add(result);
    const outcome = result === 'done' ? 'done' : 'refused';
    const about = { user_id, client_id, request_id: ownIdOrNull(request_id), address };
    shown.enterLogin({ action: actions[way], outcome, ...about });
    if (outcome === 'done') return;
    const more = { ...(reason && { reason }), ...(logAddresses && { address }) };
    // At the provider nobody guesses here, so that fail2ban must not bar a department while the provider is down.
    const event = reason === undefined ? 'login_refused' : 'provider_refused';
    log({ level: 'warn', event, way, request_id, ...more });
  };
