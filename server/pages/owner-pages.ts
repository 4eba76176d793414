/** The pages of whoever runs the server, all behind one login by the setup code. */
import type { FastifyInstance } from 'fastify';
import { createOwnerSessions } from './owner-sessions.ts';
import { registerInspector } from './inspector.ts';
import type { InspectorPage } from './inspector.ts';
import { registerPortal } from './portal/index.ts';
import type { PortalDeps } from './portal/index.ts';

/** `code` stands in the terminal of the server; `undefined`: there are no such pages. */
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
