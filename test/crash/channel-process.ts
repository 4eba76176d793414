/**
 * Takes orders over MLLP into a store on the disk, with nothing else of a server: small, so that it starts soon after it was killed.
 * It waits for a line with the directory, and says its address.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createIntake } from '../../server/delivery/channels/receiving/intake.ts';
import { createChannelReaders } from '../../server/delivery/channels/receiving/channel-readers.ts';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import { Runtime } from '../../server/delivery/channels/runtime.ts';
import { createValidation } from '../../server/runtime/validation.ts';
import { createLoneMember } from '../../server/storage/members.ts';
import { createIds, newestId } from '../../server/storage/ids.ts';
import { systemClock } from '../../src/node/clock.ts';
import { openStore } from './open-store.ts';

const id = 'chn_00000000000000000000000001';
const [directory] = (await once(createInterface(process.stdin), 'line')) as [string];
const store = await openStore({ directory, journalLimit: 64 * 1024 });
const ids = createIds(systemClock, { after: await newestId(store) });
if (!(await store.get('channels', id))) {
  const at = new Date().toISOString();
  await store.transact(async (tx) =>
    tx.put('channels', {
      id,
      name: 'ris',
      kind: 'hl7-in',
      enabled: true,
      space: 'local',
      settings: { port: 0 },
      secrets: {},
      mapping: null,
      created_at: at,
      updated_at: at,
      version: 1,
    }),
  );
}
/** Nothing goes out here. */
const dispatch = { attach: () => {}, detach: async () => {}, renew: () => {} };
const deps = {
  store,
  clock: systemClock,
  ids,
  log: () => {},
  compile: createValidation(),
  random: Math.random,
  timeZone: 'UTC',
  members: createLoneMember('member'),
  readers: createChannelReaders(createWorkers()),
};
const runtime = new Runtime({ ...deps, createIntake: (channel) => createIntake(deps, channel), dispatch });
await runtime.start();
const { address } = runtime.getOpenChannel(id) ?? {};
writeSync(1, `${address}\n`);
