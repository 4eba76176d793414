/** The operator's pages, which share one login by the setup code. */
import type { FastifyInstance } from 'fastify';
import { createOwnerSessions } from './owner-sessions.ts';
import { registerInspector } from './inspector.ts';
import type { InspectorPage } from './inspector.ts';
import { registerPortal } from './portal/index.ts';
import type { PortalDeps } from './portal/index.ts';

/** `code` is shown in the server's terminal; `undefined`: these pages do not exist. */
export function registerOwnerPages(
  app: FastifyInstance,
  code: string | undefined,
  deps: Omit<InspectorPage & PortalDeps, 'sessions'>,
): void {
  if (code === undefined) return;
  const sessions = createOwnerSessions({ clock: deps.clock, code });
  registerInspector(app, { ...deps, sessions });
  registerPortal(app, { ...deps, sessions });
}
