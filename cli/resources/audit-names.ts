/** The names of the people and applications in the audit trail, which holds ids only. */
import type { AuditEntry } from '../../src/contract/audit.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import type { Client } from '../../src/client/client.ts';
import { itemsOf } from '../../src/client/pages.ts';

/** An entry with names; `null`: there is none, or it was deleted. */
export interface NamedEntry extends AuditEntry {
  readonly user: string | null;
  readonly client: string | null;
}

export interface AuditNames {
  withNames(entry: AuditEntry): NamedEntry;
  /** Reads the names again if the entry has an unknown id, at most once a minute: somebody new, while the trail is followed. */
  learn(entry: AuditEntry): Promise<void>;
  /** The id of a user by id or name. NOT_FOUND if no user has the name. */
  findUserId(text: string): string;
}

/** Milliseconds between two readings of all names. */
const readEvery = 60_000;

export async function readAuditNames({ users, clients }: Client, clock: Clock): Promise<AuditNames> {
  const [usernames, clientNames] = [new Map<string, string>(), new Map<string, string>()];
  let readAt = 0;
  const read = async (): Promise<void> => {
    readAt = clock.elapsed();
    for await (const { id, username } of itemsOf((page) => users.list({ query: page }))) usernames.set(id, username);
    for await (const { id, name } of itemsOf((page) => clients.list({ query: page }))) clientNames.set(id, name);
  };
  await read();
  const isKnown = (names: ReadonlyMap<string, string>, id: string | null) => id === null || names.has(id);
  const find = (names: ReadonlyMap<string, string>, id: string | null) =>
    id === null ? null : (names.get(id) ?? null);
  return {
    withNames: (entry) => ({
      ...entry,
      user: find(usernames, entry.user_id),
      client: find(clientNames, entry.client_id),
    }),
    async learn({ user_id: user, client_id: client }) {
      const isWhole = isKnown(usernames, user) && isKnown(clientNames, client);
      if (!isWhole && clock.elapsed() - readAt >= readEvery) await read();
    },
    findUserId(text) {
      if (text.startsWith('usr_')) return text;
      const wanted = text.toLowerCase();
      const found = [...usernames].find(([, name]) => name.toLowerCase() === wanted);
      if (found) return found[0];
      const hint = 'laudio user list shows them; a deleted user is found by the id (usr_…).';
      throw unknownWord(`There is no user ${text}.`, text, usernames.values(), hint, 'NOT_FOUND');
    },
  };
}
