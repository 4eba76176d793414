/**
 * A process that enters facts in the audit trail of a data directory, while a segmenter moves them to segments of a few entries, until
 * it is killed. It says on stdout `opened`, then `kept <number>` once an entry is acknowledged. Its one argument is `Orders` as JSON.
 */
import { writeSync } from 'node:fs';
import { appendFacts } from '../../server/operations/audit/trail.ts';
import { createSegmenter } from '../../server/operations/audit/segmenter.ts';
import { hasCode } from '../../server/storage/data-directory/private-files.ts';
import { createIds } from '../../server/storage/ids.ts';
import { systemClock } from '../../src/node/clock.ts';
import { fact, small } from '../server/operations/audit/trails.ts';
import { openAuditPlace } from './open-store.ts';

interface Orders {
  readonly directory: string;
  readonly sealed: boolean;
}

/** A pipe whose reader is slow takes nothing for a while. */
function say(line: string): void {
  for (;;) {
    try {
      return void writeSync(1, `${line}\n`);
    } catch (error) {
      if (!hasCode(error, 'EAGAIN')) throw error;
    }
  }
}
const { store, blobs } = await openAuditPlace(JSON.parse(process.argv[2] ?? '{}') as Orders);
say('opened');
const log = (entry: object): void => say(`logged ${JSON.stringify(entry)}`);
const segmenter = createSegmenter({ store, blobs, ids: createIds(systemClock), clock: systemClock, log }, small);
for (;;) {
  const number = await store.transact(async (tx) => {
    await appendFacts(tx, [fact(1)]);
    return (await tx.get('audit_head', 'head'))!.number;
  });
  say(`kept ${number}`);
  if (number % 8 === 0) void segmenter.run();
}
