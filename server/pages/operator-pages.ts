/** The operator's pages, which share one login: by a code, or by the login provider. */
import type { FastifyInstance } from 'fastify';
import { describeError } from '../../src/domain/describe-error.ts';
import { isSetupCode } from '../../src/node/login/setup-code.ts';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { hasNamedOperator } from '../auth/provider/admit-person.ts';
import { registerOperatorLogin } from './operator-login.ts';
import { sameSecret } from '../runtime/secrets.ts';
import type { OperatorPlace } from '../auth/operator-place.ts';
import { createOperatorSessions } from './operator-sessions.ts';
import type { OperatorCode } from './operator-sessions.ts';
import { registerInspector } from './inspector.ts';
import type { InspectorDeps } from './inspector.ts';
import { registerPortal } from './portal/index.ts';
import type { PortalDeps } from './portal/index.ts';

interface Codes {
  /** Shown in the terminal of this process. */
  readonly setupCode: string | undefined;
  readonly operatorToken: string | undefined;
}

/** Without a code, and without a provider, these pages do not exist. */
export function registerOperatorPages(
  app: FastifyInstance,
  codes: Codes,
  authorization: AuthorizationServices,
  deps: Omit<InspectorDeps & PortalDeps, 'sessions' | 'providerName'>,
): void {
  const { provider } = authorization;
  const code = chooseCode(codes, deps.place);
  if (code === undefined && !provider) return;
  const sessions = createOperatorSessions({
    ...authorization,
    code,
    kept: deps.place.sessions,
    // The setup code is for the first operator: later ones have names.
    isCodeClosed: async () =>
      code?.way === 'setup_code' &&
      provider !== undefined &&
      !provider.keepsSetupCode &&
      hasNamedOperator(authorization),
  });
  const shared = { ...deps, sessions, providerName: provider?.name };
  // Each process knows its own calls only.
  if (!deps.place.isShared) registerInspector(app, shared);
  registerPortal(app, shared);
  if (!provider) return;
  provider.logouts.add((user) => {
    sessions.end(user).catch((error: unknown) => {
      deps.log({ level: 'error', event: 'operator_not_logged_out', ...describeError(error) });
    });
  });
  registerOperatorLogin(app, { authorization, provider, sessions });
}

/** The setup code is known to one process alone; several have the operator's token in common. */
function chooseCode({ setupCode, operatorToken }: Codes, { isShared }: OperatorPlace): OperatorCode | undefined {
  if (isShared && operatorToken !== undefined)
    return { way: 'operator_token', matches: (typed) => sameSecret(typed.trim(), operatorToken) };
  if (!isShared && setupCode !== undefined)
    return { way: 'setup_code', matches: (typed) => isSetupCode(typed, setupCode) };
  return undefined;
}
