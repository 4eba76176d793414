/** Reads the roles that a provider gives a person, from the claims of the token or of its userinfo. */
import { findEntry } from '../../../src/domain/find-entry.ts';
import { providerRoles } from './provider-options.ts';
import type { ChosenProvider, ProviderRole } from './provider-options.ts';

export type Claims = Readonly<Record<string, unknown>>;

const defaultClaims = ['roles', 'groups'] as const;

/** A claim by its name, else by a path such as `realm_access.roles`. Names of claims may be addresses with dots. */
function readClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, step) => findEntry(Object(value) as Claims, step), claims);
}

const readNames = (value: unknown): string[] =>
  [value].flat().flatMap((each) => (typeof each === 'string' ? [each.replace(/^\//, '')] : []));

const namesOf = ({ claim }: Pick<ChosenProvider, 'claim'>): readonly string[] =>
  claim === undefined ? defaultClaims : [claim];

/** Whether the claims say anything about roles; otherwise the userinfo may. */
export const hasRoleClaims = (claims: Claims, chosen: Pick<ChosenProvider, 'claim'>): boolean =>
  namesOf(chosen).some((name) => readClaim(claims, name) !== undefined);

/** Names that mean no role are ignored: providers add some to everybody. */
export function readRoles(claims: Claims, chosen: Pick<ChosenProvider, 'claim' | 'roles'>): ReadonlySet<ProviderRole> {
  const given = new Set(namesOf(chosen).flatMap((name) => readNames(readClaim(claims, name))));
  return new Set(providerRoles.filter((role) => chosen.roles[role].some((name) => given.has(name.replace(/^\//, '')))));
}
