/**
 * An app in a process of its own that dictates and sends, says what it was told (`block 3`, `told queued`), and dies at
 * once by SIGKILL where it is asked to. Its one argument is `Orders` as JSON.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createDictations } from '../../desktop/app/dictations/dictations.ts';
import { createRevisions } from '../../desktop/app/revisions.ts';
import type { ServiceDeps } from '../../desktop/app/service.ts';
import { createSealing } from '../../server/storage/sealing/sealing.ts';
import { createClient } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import { testKey } from '../support/test-key.ts';

export interface Orders {
  readonly directory: string;
  readonly blocks: number;
  /** Samples of a block, all of which have its number as their value. */
  readonly samples: number;
  /** Where it dies; nowhere when it never comes there. */
  readonly dieAt?: string;
  /** Where it sends to; without it, it only records. */
  readonly service?: { readonly url: string; readonly token: string; readonly item: string };
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;

function reach(point: string): void {
  writeSync(1, `${point}\n`);
  if (point === orders.dieAt) process.kill(process.pid, 'SIGKILL');
}

const http = createHttpCall({ timeout: 60_000 });
const transport: Transport = async (request) => {
  const name = `${request.method} ${new URL(request.url).pathname
    .split('/')
    .at(-1)!
    .replace(/^job_.*/, 'job')}`;
  reach(`asks ${name}`);
  const answer = await http.transport(request);
  reach(`answered ${name}`);
  return answer;
};

const connect: ServiceDeps['connect'] = () => {
  if (!orders.service) throw new AppError('NETWORK');
  const { url: server, token } = orders.service;
  const options = {
    transport,
    server,
    clock: systemClock,
    random: () => 0,
    uuid: randomUUID,
    token: async () => token,
  };
  return {
    client: createClient(options),
    person: { id: 'usr_1', username: 'ana', display_name: 'Dr. Ana' },
    online: true,
  };
};

const done = Promise.withResolvers<void>();
const dictations = createDictations({
  directory: orders.directory,
  clock: systemClock,
  random: () => 0,
  uuid: randomUUID,
  revision: createRevisions(systemClock),
  log: ({ event }) => reach(`log ${event}`),
  connect,
  onOnline: () => () => {},
  emit(name, data) {
    if (name !== 'dictation' || !('state' in data)) return;
    reach(`told ${data.state}`);
    if (data.state === 'done') done.resolve();
  },
  uploadFormat: () => 'wav',
  isReported: () => false,
  sealing: createSealing(testKey),
});

// Its timers alone would not keep the process.
const alive = setInterval(() => {}, 1000);
await dictations.start();
const call = dictations.handlers;
const item_id = orders.service?.item ?? 'wli_1';
const { id } = await call['dictation.start']({ item_id, sample_rate: 8000, language: 'en-US', template_id: null });
reach('started');
await call['dictation.take']({ id, take: 'one', mode: 'append', at: null });
for (let sequence = 0; sequence < orders.blocks; sequence++) {
  const block = Buffer.from(new Int16Array(orders.samples).fill(sequence).buffer);
  await call['dictation.block']({ id, take: 'one', from: sequence * orders.samples }, block);
  reach(`block ${sequence}`);
}
await call['dictation.pause']({ id });
reach('paused');
if (orders.service) {
  await call['dictation.send']({ id, language: 'en-US', template_id: null });
  await done.promise;
  await dictations.close();
  reach('closed');
}
await http.close();
clearInterval(alive);
