/** What people reach for otherwise: json-server over lowdb as it comes, with its data in the file named. Prints its address. */
import type { AddressInfo } from 'node:net';
import { createApp } from 'json-server/lib/app.js';
import { Low } from 'lowdb';
import { JSONFile } from 'lowdb/node';

const [file = 'db.json'] = process.argv.slice(2);
const db = new Low(new JSONFile<Record<string, unknown[]>>(file), { items: [] });
await db.write();
const server = createApp(db, { logger: false }).listen(
  0,
  () =>
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`),
  '127.0.0.1',
);
