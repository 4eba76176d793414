/**
 * A whole server in a process of its own, over a data directory, with snapshots as often as can be. It says on stdout
 * where it is, as one line of JSON. Its one argument is `Orders` as JSON.
 */
import { writeSync } from 'node:fs';
import { builtInTestClient, createServer } from '../../server/index.ts';
import type { StoreDeps } from '../../server/storage/kinds.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { measureUsage } from '../../server/storage/lowdb/data-files.ts';
import { documentStores } from '../../server/storage/registry.ts';

export interface Orders {
  readonly directory: string;
  /** Bytes of journal after which a snapshot is made. */
  readonly journalLimit: number;
}

export interface Ready {
  readonly url: string;
  readonly admin_token: string;
  readonly test_client: typeof builtInTestClient;
}

const { directory, ...limits } = JSON.parse(process.argv[2] ?? '{}') as Orders;

// The registry is where a server gets its parts from.
Object.assign(documentStores.lowdb, {
  open: async (_options: object, { directory, ...deps }: StoreDeps) => ({
    store: await openLowdbStore({ ...deps, directory: directory!, ...limits }),
    usage: () => measureUsage(directory!.path),
  }),
});

const server = await createServer({
  version: '0.0.0-test',
  dataDir: directory,
  port: 0,
  rateLimit: 0,
  log: (entry) => void writeSync(2, `${JSON.stringify(entry)}\n`),
});
const ready: Ready = { url: server.url, admin_token: server.adminToken, test_client: builtInTestClient };
writeSync(1, `${JSON.stringify(ready)}\n`);
process.once('SIGTERM', () => void server.close());
