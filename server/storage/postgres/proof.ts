/** The proof, at the commit, that what drafts have read is still so: each read is asked again, all drafts in one query a table. */
import type { CollectionName } from '../collections.ts';
import { planModes } from './connections.ts';
import type { Connection } from './connections.ts';
import type { Draft } from './draft.ts';
import { toColumnText } from './layout.ts';
import { eachStatement } from './rows.ts';
import type { SeenRow } from './rows.ts';

const describe = (row: SeenRow | undefined): string => (row ? `${row.id} ${row.x}` : '');
const describeAll = (rows: readonly SeenRow[]): string => rows.map(describe).join('\n');

/** A question, and the drafts whose reads it proves wrong. */
type Check = (connection: Connection, stale: Set<Draft>) => Promise<void>;

/** Finds the drafts of which something has changed. All questions are asked at once; the caller holds the locks. */
export async function findStale(schema: string, connection: Connection, drafts: readonly Draft[]): Promise<Set<Draft>> {
  const stale = new Set<Draft>();
  const checks = [
    ...documentChecks(schema, drafts),
    ...nameChecks(schema, drafts),
    ...leaseChecks(schema, drafts),
    ...queryChecks(drafts),
  ];
  await Promise.all(checks.map((check) => check(connection, stale)));
  return stale;
}

/** Things by a key, in the order in which they came. */
function gather<K, V>(into: Map<K, V[]>, key: K, value: V): void {
  const present = into.get(key);
  if (present) present.push(value);
  else into.set(key, [value]);
}

function documentChecks(schema: string, drafts: readonly Draft[]): Check[] {
  const read = new Map<CollectionName, { draft: Draft; id: string; x: string | null }[]>();
  for (const draft of drafts)
    for (const { collection, id, x } of draft.documents) gather(read, collection, { draft, id: toColumnText(id), x });
  return Array.from(read, ([collection, seen]) => async (connection, stale) => {
    const rows = await connection.run<{ nth: string }>({
      text: `SELECT r.nth FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS r(id, x, nth) LEFT JOIN ${schema}.${collection} t ON t.id = r.id WHERE t.x::text IS DISTINCT FROM r.x`,
      values: [seen.map(({ id }) => id), seen.map(({ x }) => x)],
    });
    for (const { nth } of rows) addStale(stale, seen[Number(nth) - 1]?.draft);
  });
}

const addStale = (stale: Set<Draft>, draft: Draft | undefined): void => {
  if (draft) stale.add(draft);
};

function nameChecks(schema: string, drafts: readonly Draft[]): Check[] {
  const looked = new Map<string, { draft: Draft; name: string; space: string; seen: SeenRow | undefined }[]>();
  const texts = new Map<string, string>();
  for (const draft of drafts) {
    for (const { collection, index, space, names, rows } of draft.names) {
      const key = `${collection} ${index}`;
      if (!texts.has(key)) texts.set(key, eachStatement(schema, collection, index as never).seen);
      names.forEach((name, at) =>
        gather(looked, key, { draft, name: toColumnText(name), space: toColumnText(space), seen: rows[at] }),
      );
    }
  }
  return Array.from(looked, ([key, asked]) => async (connection, stale) => {
    const rows = await connection.run<SeenRow & { nth: string }>({
      text: texts.get(key) ?? '',
      values: [asked.map(({ name }) => name), asked.map(({ space }) => space)],
    });
    const now = new Map(rows.map((row) => [Number(row.nth) - 1, row]));
    asked.forEach(({ draft, seen }, at) => {
      if (describe(seen) !== describe(now.get(at))) stale.add(draft);
    });
  });
}

function queryChecks(drafts: readonly Draft[]): Check[] {
  const checks = drafts.flatMap((draft) =>
    draft.queries.map(({ statement, rows: seen }): Check => async (connection, stale) => {
      const rows = await connection.run<SeenRow>(statement);
      if (describeAll(rows) !== describeAll(seen)) stale.add(draft);
    }),
  );
  return checks.length === 0 ? checks : [planByValues, ...checks];
}

/** A query of few conditions may need another plan than one of many. */
const planByValues: Check = async (connection) => {
  await connection.run({ text: `SET LOCAL ${planModes.byValues}` });
};

/** A lease belongs to the oldest claim, while its member is there. */
function leaseChecks(schema: string, drafts: readonly Draft[]): Check[] {
  const needed = drafts.flatMap((draft) => draft.leases.map((lease) => ({ ...lease, draft })));
  if (needed.length === 0) return [];
  return [
    async (connection, stale) => {
      const rows = await connection.run<{ nth: string }>({
        text: `SELECT l.nth FROM unnest($1::bigint[]) WITH ORDINALITY AS l(place, nth) LEFT JOIN ${schema}.claims c USING (place) LEFT JOIN ${schema}.members m ON m.id = c.member WHERE m.id IS NULL OR EXISTS (SELECT FROM ${schema}.claims o WHERE o.name = c.name AND o.place < c.place)`,
        values: [needed.map(({ place }) => place)],
      });
      for (const { nth } of rows) addStale(stale, needed[Number(nth) - 1]?.draft);
    },
  ];
}
