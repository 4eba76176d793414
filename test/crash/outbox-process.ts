/**
 * Writes documents into a store on the disk, and sends them over MLLP, with nothing else of a server: small, so that it starts soon
 * after it was killed. It waits for a line with the directory, the port of the RIS and how many exams to write on, and says each
 * version that is written.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { OutboundKind } from '../../server/delivery/channels/channel.ts';
import { Dispatcher } from '../../server/delivery/channels/sending/dispatcher.ts';
import { channelKinds } from '../../server/delivery/channels/registry.ts';
import { createIds, newestId } from '../../server/storage/ids.ts';
import { createTemplates } from '../../server/records/templates/templates.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { systemClock } from '../../src/node/clock.ts';
import { writeDocument } from '../support/outgoing-document.ts';
import { threads } from '../support/threads.ts';
import { openStore } from './open-store.ts';

const id = 'chn_00000000000000000000000001';
const [line] = (await once(createInterface(process.stdin), 'line')) as [string];
const [directory, port, exams] = JSON.parse(line) as [string, number, number];
const clock = systemClock;
const store = await openStore({ directory, journalLimit: 64 * 1024 });
const ids = createIds(clock, { after: await newestId(store) });
const deps = {
  store,
  clock,
  random: Math.random,
  log: () => {},
  workers: threads,
  templates: createTemplates(shippedTemplates, store),
  letterheads: [],
};
if (!(await store.get('channels', id))) {
  const at = new Date().toISOString();
  await store.transact(async (tx) =>
    tx.put('channels', {
      id,
      name: 'ris',
      kind: 'hl7-out',
      enabled: true,
      space: 'local',
      settings: { host: '127.0.0.1', port, pdf: 'none' },
      secrets: {},
      mapping: null,
      created_at: at,
      updated_at: at,
      version: 1,
    }),
  );
}
const channel = (await store.get('channels', id))!;
const tell = (): void => {};
const sender = await (channelKinds[channel.kind] as OutboundKind).open(channel, { ...deps, reportProblem: tell });
new Dispatcher(deps).attach(channel, sender, tell);

/** One version after the other, until the process is killed. */
async function writeOn(exam: string): Promise<never> {
  for (;;) {
    const before = (await store.find('versions', { is: { record: `rec_${exam}` } })).length;
    const version = await writeDocument(store, { clock, ids }, exam, before === 0 ? 'P' : before === 1 ? 'F' : 'C');
    writeSync(1, `${exam} ${version}\n`);
  }
}
await Promise.all(Array.from({ length: exams }, (_, at) => writeOn(`K${at}`)));
