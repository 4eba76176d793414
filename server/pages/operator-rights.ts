/** The rights of each role on the operator's pages: an operator does everything there, an auditor only looks. */
import type { FastifyRequest } from 'fastify';
import { operatorRoles } from '../auth/provider/provider-options.ts';
import type { OperatorRole } from '../auth/provider/provider-options.ts';

const both: readonly OperatorRole[] = operatorRoles;

/** Which roles may make requests by a method. */
const byMethod: Readonly<Record<string, readonly OperatorRole[]>> = { GET: both, HEAD: both, POST: ['operator'] };

/** Routes for which something else holds: searches and logouts are forms, and an export takes data away. */
const byRoute: Readonly<Record<string, readonly OperatorRole[]>> = {
  'POST /portal/leave': both,
  'POST /portal/messages': both,
  'POST /portal/patients': both,
  'GET /portal/patients/:id/export': ['operator'],
};

/** Whether the role may make this request. */
export function isAllowed(role: OperatorRole, { method, routeOptions }: FastifyRequest): boolean {
  const roles = byRoute[`${method} ${routeOptions.url}`] ?? byMethod[method] ?? [];
  return roles.includes(role);
}
