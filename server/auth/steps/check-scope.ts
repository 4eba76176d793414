import { allowsScope, isScope } from '../../../src/contract/scopes.ts';
import type { Scope } from '../../../src/contract/scopes.ts';
import { requireChecked } from '../exchange.ts';
import type { Exchange, CheckResults } from '../exchange.ts';
import { oauthError } from '../../http/oauth-error.ts';
import type { StoredClient } from '../stored-account.ts';

/** Specification 4.1: `scope` is required. */
export function checkScope(exchange: Exchange): Partial<CheckResults> {
  const { scope } = exchange.params;
  if (scope === undefined) throw oauthError('invalid_request', 'scope is missing');
  return { scope: parseClientScope(scope, requireChecked(exchange, 'client')) };
}

/** The requested scopes; `undefined` if none are named, which means all that are allowed. */
export function readRequestedScope(exchange: Exchange): Scope[] | undefined {
  const { scope } = exchange.params;
  return scope === undefined ? undefined : parseClientScope(scope, requireChecked(exchange, 'client'));
}

/** RFC 6749 3.3, 4.1.2.1: every scope must exist and be registered for the client. */
function parseClientScope(scope: string, { scopes }: Pick<StoredClient, 'scopes'>): Scope[] {
  const asked = parseScope(scope);
  if (asked.some((word) => !allowsScope(scopes, word))) {
    throw oauthError('invalid_scope', 'scope asks for more than this client registered');
  }
  return asked;
}

/** Splits at spaces and removes duplicates. */
export function parseScope(scope: string): Scope[] {
  const words = [...new Set(scope.split(' ').filter((word) => word !== ''))];
  const known = words.filter(isScope);
  if (known.length === 0 || known.length < words.length)
    throw oauthError('invalid_scope', 'scope has a word that is none');
  return known;
}
