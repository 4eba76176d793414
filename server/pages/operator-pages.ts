/** The operator's pages, which share one login: by the setup code, or by the login provider. */
import type { FastifyInstance } from 'fastify';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { hasNamedOperator } from '../auth/provider/admit-person.ts';
import { registerOperatorLogin } from './operator-login.ts';
import { createOperatorSessions } from './operator-sessions.ts';
import { registerInspector } from './inspector.ts';
import type { InspectorDeps } from './inspector.ts';
import { registerPortal } from './portal/index.ts';
import type { PortalDeps } from './portal/index.ts';

/** `code` is shown in the server's terminal. Without one, and without a provider, these pages do not exist. */
export function registerOperatorPages(
  app: FastifyInstance,
  code: string | undefined,
  authorization: AuthorizationServices,
  deps: Omit<InspectorDeps & PortalDeps, 'sessions' | 'providerName'>,
): void {
  const { provider } = authorization;
  if (code === undefined && !provider) return;
  const sessions = createOperatorSessions({
    ...authorization,
    code,
    // The code is for the first operator: later ones have names.
    isCodeClosed: async () => provider !== undefined && !provider.keepsSetupCode && hasNamedOperator(authorization),
  });
  const shared = { ...deps, sessions, providerName: provider?.name };
  registerInspector(app, shared);
  registerPortal(app, shared);
  if (!provider) return;
  provider.logouts.add(sessions.end);
  registerOperatorLogin(app, { authorization, provider, sessions });
}
