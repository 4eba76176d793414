/** Finds or makes the tables of a store. Whatever does not fit is refused, before anything is written. */
import { randomUUID } from 'node:crypto';
import { AppError } from '../../../src/contract/errors.ts';
import { collectionNames } from '../collections.ts';
import { migrations, schemaAfter } from '../migrations.ts';
import type { DatabaseAddress } from './address.ts';
import { unlimited } from './connections.ts';
import type { Connection, Connections } from './connections.ts';
import { codeIn, DatabaseFailure } from './failures.ts';
import { clusterSql, form, indexStatements, ownTables, schemaStatements, tableStatement } from './layout.ts';
import type { Tables } from './layout.ts';
import type { Locks } from './locks.ts';
import { beginReadingAll } from './rows.ts';
import { addColumns } from './upgrade.ts';

/** The oldest version of PostgreSQL that has all that the statements need. */
const oldestServer = 14;

const program = 'laudio';

const refused = (message: string, hint: string, cause?: unknown): AppError =>
  new AppError('CONFIGURATION', {
    message,
    hint,
    details: { setting: 'store' },
    ...(cause !== undefined && { cause }),
  });

/** Opens the store of the schema, or makes it. Rejects with AppError CONFIGURATION, or STORAGE_UNAVAILABLE without a server. */
export async function openSchema(connections: Connections, address: DatabaseAddress, locks: Locks): Promise<void> {
  const { shown, schema, connection: client } = address;
  const begin = `${locks.beginAlone}; SET LOCAL statement_timeout = 0`;
  const open = async (connection: Connection): Promise<void> => {
    const server = await requireServer(connection, shown);
    if (server.isReplica)
      throw refused(`The PostgreSQL at ${shown} is a replica, which takes no changes.`, 'Name the primary server.');
    const tables = await readTables(connection, schema);
    if (tables.size === 0) return createSchema(connection, schema, client.user);
    await requireOurs(connection, schema, tables);
    for (const collection of collectionNames) {
      if (tables.has(collection)) continue;
      const table = `"${schema}".${collection}`;
      for (const text of [tableStatement(table, collection), ...indexStatements(table, collection)])
        await connection.run({ text });
    }
    await addColumns(connection, `"${schema}"`, tables);
  };
  await explained(address, () => connections.during(begin, open, unlimited));
}

/**
 * Refuses to go on where a newer version began to fill columns that this version does not write. Asked once this process is a member:
 * a newer version that did not see it has raised the form before. Rejects with AppError CONFIGURATION.
 */
export async function requireForm(connection: Connection, schema: string): Promise<void> {
  const rows = await connection.run({ text: `SELECT FROM ${schema}.meta WHERE form > $1`, values: [form] });
  if (rows.length > 0) throw newerVersion();
}

/** Reads in the store of the schema, as it is at one moment; `tables`: those that there are. Changes nothing. Rejects as `openSchema`. */
export function readSchema<T>(
  connections: Connections,
  address: DatabaseAddress,
  read: (connection: Connection, tables: Tables) => Promise<T>,
): Promise<T> {
  const { shown, schema } = address;
  const look = async (connection: Connection): Promise<T> => {
    await requireServer(connection, shown);
    const tables = await readTables(connection, schema);
    if (tables.size === 0)
      throw refused(
        `The schema ${schema} of the database has no tables.`,
        'Check the address of --store; the first start of a server makes them.',
      );
    await requireOurs(connection, schema, tables);
    return read(connection, tables);
  };
  return explained(address, () => connections.during(beginReadingAll, look, unlimited));
}

function explained<T>({ shown, connection: { user, database } }: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw explain(error, { shown, user, database });
  });
}

async function requireServer(connection: Connection, shown: string): Promise<{ readonly isReplica: boolean }> {
  const [server] = await connection.run<{ version: number; encoding: string; reads: boolean }>({
    text: `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS reads`,
  });
  const major = Math.floor((server?.version ?? 0) / 10_000);
  requireVersion(major, shown);
  if (server?.encoding !== 'UTF8')
    throw refused(
      'The database does not keep its texts in UTF-8.',
      "Make one that does: CREATE DATABASE laudio ENCODING 'UTF8' TEMPLATE template0.",
    );
  return { isReplica: server.reads };
}

export function requireVersion(major: number, shown: string): void {
  if (major >= oldestServer) return;
  throw refused(
    `The PostgreSQL at ${shown} has version ${major}, which is too old.`,
    `Update it to version ${oldestServer} or later.`,
  );
}

async function readTables(connection: Connection, schema: string): Promise<Tables> {
  const rows = await connection.run<{ name: string; columns: readonly string[] }>({
    text: `SELECT c.relname::text AS name, array_agg(a.attname::text) AS columns FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
      WHERE n.nspname = $1 GROUP BY 1`,
    values: [schema],
  });
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]));
}

async function createSchema(connection: Connection, schema: string, user: string | undefined): Promise<void> {
  const quoted = `"${schema}"`;
  try {
    await connection.run({ text: `CREATE SCHEMA IF NOT EXISTS ${quoted}` });
    for (const text of schemaStatements(quoted)) await connection.run({ text });
  } catch (error) {
    if (codeIn(error) !== '42501') throw error;
    throw refused(
      `The user ${user} may not make the tables of the schema ${schema}.`,
      `Let an administrator of the database say: CREATE SCHEMA ${schema} AUTHORIZATION "${user}".`,
    );
  }
  await connection.run({
    text: `INSERT INTO ${quoted}.meta (program, form, documents, epoch, base, begins, cluster) SELECT $1, $2, $3, $4, 0, 0, ${clusterSql}`,
    values: [program, form, schemaAfter(migrations), randomUUID()],
  });
}

const newerVersion = (): AppError =>
  refused(
    'A newer version of Laudio wrote the database.',
    'Start that version, or a newer one; or restore a backup into an empty schema.',
  );

async function requireOurs(connection: Connection, schema: string, tables: Tables): Promise<void> {
  const isLike = ['program', 'form', 'documents'].every((name) => tables.get('meta')?.has(name));
  const [meta] = isLike
    ? await connection.run<{ program: string; form: number; documents: number }>({
        text: `SELECT program, form, documents FROM "${schema}".meta`,
      })
    : [];
  if (meta?.program !== program)
    throw refused(
      `The schema ${schema} of the database has tables of another program.`,
      'Name another database, or another schema: schema=NAME at the end of the address.',
    );
  const present = schemaAfter(migrations);
  if (meta.form > form || meta.documents > present) throw newerVersion();
  // A collection, and columns of indexes, may be missing: they are made.
  if (meta.documents < present || !ownTables.every((table) => tables.has(table)))
    throw refused(
      'An older version of Laudio wrote the database, in a form that this version does not read.',
      'Make a backup with that version, and restore it into an empty schema with this one.',
    );
}

/** A failure of the connection, in words of the operator. */
function explain(
  error: unknown,
  { shown, user, database }: { shown: string; user: string | undefined; database: string | undefined },
): unknown {
  if (error instanceof AppError && error.code !== 'STORAGE_UNAVAILABLE') return error;
  const cause = error instanceof AppError ? error.cause : error;
  const code = codeIn(cause);
  if (!(cause instanceof DatabaseFailure)) return error;
  // Findings of the client have no code.
  const reason = cause.cause instanceof Error ? cause.cause.message : '';
  const found = refusals[code] ?? clientRefusals.find(([begins]) => reason.startsWith(begins))?.[1];
  if (found) return refused(...found({ user: user ?? '', database: database ?? '' }), cause);
  return new AppError('STORAGE_UNAVAILABLE', {
    message: `The PostgreSQL at ${shown} cannot be reached${code === '' ? '' : ` (${code})`}.`,
    hint: 'Start it, or look at the host, the port and sslmode of --store, and at the firewall.',
    cause,
  });
}

type Refusal = (names: { readonly user: string; readonly database: string }) => [message: string, hint: string];

const wrongPassword: Refusal = ({ user }) => [
  `The database refuses the user ${user}.`,
  'Set the password of this user as LAUDIO_STORE_KEY, and look at pg_hba.conf.',
];

/** Each with the beginning of the message of the client. */
const clientRefusals: readonly (readonly [begins: string, refusal: Refusal])[] = [
  ['SASL', wrongPassword],
  [
    'The server does not support SSL',
    () => [
      'The PostgreSQL of --store takes no encrypted connections.',
      'Turn on ssl in its postgresql.conf; sslmode=disable is for a network of its own.',
    ],
  ],
];

/** The answers of PostgreSQL to a client that connects. */
const refusals: Readonly<Record<string, Refusal>> = {
  '28P01': wrongPassword,
  '28000': wrongPassword,
  '3D000': ({ user, database }) => [
    `There is no database ${database}.`,
    `Make it: CREATE DATABASE "${database}" OWNER "${user}" ENCODING 'UTF8'.`,
  ],
  '42501': ({ user, database }) => [
    `The user ${user} has not the rights that it needs in the database ${database}.`,
    `Make it the owner of the database: ALTER DATABASE "${database}" OWNER TO "${user}".`,
  ],
};
