/**
 * Reads of rows by id and by name. Those that are asked for while a question is under way share the next one of their kind: thirty requests
 * at once cost little more than one.
 */
import type { CollectionName, KeyIndex } from '../collections.ts';
import type { Connection } from './connections.ts';
import { toColumnText } from './layout.ts';
import { eachStatement, getStatement } from './rows.ts';
import type { FoundRow, Row } from './rows.ts';

export interface SoughtName {
  readonly space: string;
  readonly name: string;
}

export interface Lookups {
  /** The rows with those ids, in their order; `undefined` where there is none. */
  byId(collection: CollectionName, ids: readonly string[]): Promise<readonly (Row | undefined)[]>;
  /** The newest row of each name. */
  byName<C extends CollectionName>(
    collection: C,
    index: KeyIndex<C>,
    names: readonly SoughtName[],
  ): Promise<readonly (Row | undefined)[]>;
}

/** Each look-up is one question. */
export const createLookups = (schema: string, connection: Connection): Lookups => ({
  async byId(collection, ids) {
    if (ids.length === 0) return [];
    const rows = await connection.run<Row>(getStatement(schema, collection, ids));
    const byId = new Map(rows.map((row) => [row.doc.id, row]));
    return ids.map((id) => byId.get(id));
  },
  async byName(collection, index, names) {
    if (names.length === 0) return [];
    const rows = await connection.run<FoundRow>({
      text: eachStatement(schema, collection, index).rows,
      values: [names.map(({ name }) => toColumnText(name)), names.map(({ space }) => toColumnText(space))],
    });
    const found: (Row | undefined)[] = names.map(() => undefined);
    for (const row of rows) found[Number(row.nth) - 1] = row;
    return found;
  },
});

/** Those of many callers, together. */
export function shareLookups(lookups: Lookups): Lookups {
  const shared = new Map<string, (keys: readonly never[]) => Promise<readonly (Row | undefined)[]>>();
  function share<K>(
    kind: string,
    ask: (keys: readonly K[]) => Promise<readonly (Row | undefined)[]>,
  ): (keys: readonly K[]) => Promise<readonly (Row | undefined)[]> {
    let own = shared.get(kind);
    if (!own) shared.set(kind, (own = askTogether(ask)));
    return own as typeof ask;
  }
  return {
    byId: (collection, ids) => share<string>(collection, (all) => lookups.byId(collection, all))(ids),
    byName: (collection, index, names) =>
      share<SoughtName>(`${collection} ${index}`, (all) => lookups.byName(collection, index, all))(names),
  };
}

/** Keys of one question. */
const maxKeys = 2000;

/** Asks one question at a time; who asks meanwhile shares the next one. A question that fails, fails for all who share it. */
export function askTogether<K, V>(
  ask: (keys: readonly K[]) => Promise<readonly V[]>,
): (keys: readonly K[]) => Promise<readonly V[]> {
  interface Waiting {
    readonly keys: readonly K[];
    readonly settle: (values: readonly V[]) => void;
    readonly fail: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let isUnderWay = false;

  async function askAll(): Promise<void> {
    isUnderWay = true;
    while (waiting.length > 0) {
      let count = 0;
      const end = waiting.findIndex(({ keys }, at) => (count += keys.length) > maxKeys && at > 0);
      const asking = end < 0 ? waiting : waiting.slice(0, end);
      waiting = waiting.slice(asking.length);
      try {
        const values = await ask(asking.flatMap(({ keys }) => keys));
        let from = 0;
        for (const { keys, settle } of asking) settle(values.slice(from, (from += keys.length)));
      } catch (error) {
        for (const { fail } of asking) fail(error);
      }
    }
    isUnderWay = false;
  }

  return (keys) =>
    new Promise((settle, fail) => {
      waiting.push({ keys, settle, fail });
      if (!isUnderWay) void askAll();
    });
}
