/** Schemas in the PostgreSQL that all test files share. */
import { inject } from 'vitest';
import { Client } from 'pg';
import { databaseName } from './postgres.ts';
import type * as _provided from './shared-postgres.ts';

/** The address of the schema, as an operator writes it. */
export function addressIn(schema: string, { socket, port } = inject('postgres')): string {
  return `postgres://${databaseName}@localhost:${port}/${databaseName}?host=${socket}&schema=${schema}`;
}

/** Asks the database as its owner. */
export async function askDatabase<Row>(
  text: string,
  values: readonly unknown[] = [],
  { socket, port } = inject('postgres'),
): Promise<readonly Row[]> {
  const client = new Client({ host: socket, port, user: databaseName, database: databaseName });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as Row[];
  } finally {
    await client.end();
  }
}

let last = 0;

/** The name of a schema that nobody has. */
export const newSchema = (): string => `test_${process.pid}_${Date.now().toString(36)}_${++last}`;
