/**
 * Keys of the server, which all its members share. The first use makes the key; it is read each time, because a restored backup brings
 * its own.
 */
import { randomBytes } from 'node:crypto';
import type { AuthDeps } from './deps.ts';

/** The key with which a server seals what browsers carry through a login. */
export const readLoginKey = async (deps: Pick<AuthDeps, 'store'>): Promise<Uint8Array> =>
  Buffer.from(await readServerKey(deps, 'login_key', () => randomBytes(32).toString('base64url')), 'base64url');

export async function readServerKey<T>(
  { store }: Pick<AuthDeps, 'store'>,
  id: 'signing_key' | 'login_key',
  make: () => T | Promise<T>,
): Promise<T> {
  const present = await store.get('settings', id);
  if (present) return present.value as T;
  const created = { id, value: await make() };
  const kept = await store.transact(async (tx) => {
    const first = await tx.get('settings', id);
    if (!first) tx.put('settings', created);
    return first ?? created;
  });
  return kept.value as T;
}
