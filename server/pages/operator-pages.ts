/** The operator's pages, which share one login by the setup code. */
import type { FastifyInstance } from 'fastify';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { createOperatorSessions } from './operator-sessions.ts';
import { registerInspector } from './inspector.ts';
import type { InspectorDeps } from './inspector.ts';
import { registerPortal } from './portal/index.ts';
import type { PortalDeps } from './portal/index.ts';

/** `code` is shown in the server's terminal; `undefined`: these pages do not exist. */
export function registerOperatorPages(
  app: FastifyInstance,
  code: string | undefined,
  {
    counters,
    noteLogin,
    ...deps
  }: Omit<InspectorDeps & PortalDeps, 'sessions'> & Pick<AuthorizationServices, 'counters' | 'noteLogin'>,
): void {
  if (code === undefined) return;
  const sessions = createOperatorSessions({ clock: deps.clock, counters, code, noteLogin });
  registerInspector(app, { ...deps, sessions });
  registerPortal(app, { ...deps, sessions });
}
