/** Priors as last read from the service, sealed like other records, for reading offline. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { Prior, PriorSummary } from '../../../src/contract/prior.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { array, object } from '../../../src/contract/schema.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import { orderPriors } from '../../../src/reporting/priors/relevance.ts';
import { ensurePrivateDirectory, removePrivateFile } from '../../../src/node/files/private-file.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

/** Maximum number of stored priors, and of stored lists; those read last are kept. */
const maxStored = 300;
/** Maximum number of priors listed per exam. */
const maxListed = 200;

const List = object({ items: array(PriorSummary) });

export interface PriorsDeps extends ServiceDeps {
  /** The exam, as last read. */
  readonly examOf: (itemId: string) => WorklistItem | undefined;
}

export async function createPriors({
  directory,
  sealing,
  connect,
  log,
  examOf,
}: PriorsDeps): Promise<Service<'prior'>> {
  const folder = join(directory, 'priors');
  await ensurePrivateDirectory(folder);
  await removeOldest(folder);
  const files = new Map<string, JsonFile<unknown>>();
  /** One file object for each list and each prior, which orders its reads and writes. */
  const openFile = <T>(name: string, schema: Schema<T>): JsonFile<T> => {
    const file = files.get(name) ?? (jsonFile(join(folder, `${name}.json`), schema, sealing) as JsonFile<unknown>);
    files.set(name, file);
    return file as JsonFile<T>;
  };
  /** The answer of the service, or the stored one while it is unreachable. */
  const read = async <T>(file: JsonFile<T>, ask: () => Promise<T>): Promise<{ value: T; kept: boolean }> => {
    try {
      const value = await ask();
      // The answer is returned even if a full disk can't store it.
      await file.write(value).catch(() => log({ level: 'warn', event: 'prior_not_kept' }));
      return { value, kept: false };
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') await file.remove();
      const kept = isTransient(error) ? await file.read() : undefined;
      if (kept === undefined) throw error;
      return { value: kept, kept: true };
    }
  };
  const list = async (id: string): Promise<{ items: PriorSummary[] }> => {
    const items: PriorSummary[] = [];
    const { priors } = connect().client;
    for await (const prior of itemsOf((paging) =>
      priors.ofItem({ params: { id }, query: { limit: 200, ...paging } }),
    )) {
      items.push(prior);
      if (items.length === maxListed) break;
    }
    return { items };
  };

  return {
    handlers: {
      async 'prior.list'({ id }) {
        const { value, kept } = await read(openFile(`of-${id}`, List), () => list(id));
        return { ...orderPriors(examOf(id), value.items), kept };
      },
      async 'prior.get'({ id }) {
        const ask = async () => (await connect().client.priors.get({ params: { id } })).data;
        return (await read(openFile(id, Prior), ask)).value;
      },
    },
    async close() {},
  };
}

async function removeOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
  if (names.length <= maxStored) return;
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  for (const { name } of dated.toSorted((a, b) => b.at - a.at).slice(maxStored))
    await removePrivateFile(join(folder, name));
}
