/** The names of the people and applications in the audit trail, which holds ids only. */
import type { AuditEntry } from '../../src/contract/audit.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';

/** An entry with names; `null`: there is none, or it was deleted. */
export interface NamedEntry extends AuditEntry {
  readonly user: string | null;
  readonly client: string | null;
}

export interface AuditNames {
  withNames(entry: AuditEntry): NamedEntry;
  /** The id of a user by id or name. NOT_FOUND if no user has the name. */
  findUserId(text: string): string;
}

export async function readAuditNames({ users, clients }: Client): Promise<AuditNames> {
  const [usernames, clientNames] = [new Map<string, string>(), new Map<string, string>()];
  for await (const { id, username } of itemsOf((page) => users.list({ query: page }))) usernames.set(id, username);
  for await (const { id, name } of itemsOf((page) => clients.list({ query: page }))) clientNames.set(id, name);
  const find = (names: ReadonlyMap<string, string>, id: string | null) =>
    id === null ? null : (names.get(id) ?? null);
  return {
    withNames: (entry) => ({
      ...entry,
      user: find(usernames, entry.user_id),
      client: find(clientNames, entry.client_id),
    }),
    findUserId(text) {
      if (text.startsWith('usr_')) return text;
      const wanted = text.toLowerCase();
      const found = [...usernames].find(([, name]) => name.toLowerCase() === wanted);
      if (found) return found[0];
      throw new AppError('NOT_FOUND', {
        message: `There is no user ${text}.`,
        hint: 'laudio user list shows them; a deleted user is found by the id (usr_…).',
      });
    },
  };
}
