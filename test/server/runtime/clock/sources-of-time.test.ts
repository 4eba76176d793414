/**
 * The server takes time from its clock and chance from its randomness, so that both can be simulated. Who takes them from the
 * machine has a reason, which stands here.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesBelow, root } from '../../../support/modules.ts';

interface Source {
  readonly pattern: RegExp;
  /** File, or folder with `/` at its end → why. */
  readonly exceptions: Readonly<Record<string, string>>;
}

const sources: Readonly<Record<'time' | 'chance', Source>> = {
  time: {
    pattern:
      /\b(?:Date\.now\b|new Date\(\)|setTimeout\(|setInterval\(|performance\.now\b|hrtime\b|AbortSignal\.timeout\b|systemClock\b|waitingClock\b)/,
    exceptions: {
      'server/options.ts': 'the clock of a server that simulates no time',
      'server/speech/engine-tools.ts': 'works where no server runs',
      'server/speech/bench.ts': 'measures the memory of a process',
      'server/speech/lexicon/lexicon.ts': 'measures how long this thread has searched',
      'server/testing/test-server.ts': 'clients of the server under test, which wait as other computers do',
      'server/qa/recording/replay.ts': 'a replay plays what was recorded, and has no time of its own',
      'server/app.ts': 'ends connections of clients that stall while the server stops',
      'server/operations/audit/deferred-entries.ts': 'gathers entries for one write',
      'server/http/event-stream.ts': 'sends no reader more often than it can take',
      'server/delivery/channels/kinds/dicom-mpps/forward.ts':
        'the limit of a receiver, which lives in the time of the machine',
      'server/delivery/channels/kinds/hl7-out/client.ts':
        'the limit of a receiver, which lives in the time of the machine',
      'server/delivery/channels/kinds/http-out/requests.ts':
        'the limit of a receiver, which lives in the time of the machine',
      'server/delivery/channels/load.ts': 'the limit of a rendering, which lives in the time of the machine',
      'server/operations/audit/chain.ts': 'gathers entries for one write',
      'server/operations/backups/bucket-files.ts': 'the limit of a service, which lives in the time of the machine',
      'server/auth/provider/bounded-fetch.ts': 'the limit of a service, which lives in the time of the machine',
      'server/runtime/processes/shell-command.ts': 'the limit of a program, which lives in the time of the machine',
      'server/runtime/breaks.ts': 'lets others have their turn',
      'server/runtime/loop-watch.ts': 'measures how long this thread was held',
      'server/pages/inspector.ts': 'the script of a page, which runs in a browser',
      'server/http/plugins/stalled-writes.ts': 'the limit of a reader, who lives in the time of the machine',
      'server/storage/': 'paces the work on the disk; the clock of a store that no server opened',
      'server/delivery/webhooks/sender.ts': 'the limit of a receiver, which lives in the time of the machine',
      'server/runtime/workers/workers.ts': 'the limit of a thread',
      'server/worklists/ingest/bundling.ts': 'ends a thread that has nothing to do',
    },
  },
  chance: {
    pattern: /\b(?:Math\.random\b|randomUUID\b|randomBytes\b|randomInt\b|randomFillSync\b|getRandomValues\b)/,
    exceptions: {
      'server/runtime/randomness.ts': 'the machine’s own, where there is no seed',
      'server/app.ts': 'the token of the operator lets somebody in',
      'server/delivery/channels/kinds/web/token.ts': 'what lets us in elsewhere works once',
      'server/delivery/channels/kinds/hl7-in/listener.ts': 'ids of acknowledgements, which a restart must not repeat',
      'server/auth/': 'what lets somebody in',
      'server/runtime/secrets.ts': 'what lets somebody in, and the salts of its hashes',
      'server/pages/portal/index.ts': 'the names of forms, which tell one that is sent twice; calls in this process',
      'server/faces.ts': 'ids of what the hub sends to viewers',
      'server/delivery/fhir/notification.ts': 'ids of notifications, which nobody stores',
      'server/viewers/hub.ts': 'the address of a connection lets somebody in',
      'server/http/other-members.ts': 'the mark by which another process of the store is let in',
      'server/storage/shared-directory.ts': 'names of contents that no other process may have',
      'server/storage/postgres/': 'receipts and names that no other process may have',
      'server/storage/s3/': 'names of objects that no other process may have',
      'server/http/inside.ts': 'the mark by which the app in this process is let in',
      'server/storage/data-directory/': 'keys, and names of temporary files',
      'server/storage/sealing/': 'keys and salts',
      'server/storage/lowdb/frame.ts': 'salts',
      'server/operations/backups/backups.ts': 'the mark by which a store knows its own backups',
      'server/operations/patients/erase.ts': 'keys',
      'server/storage/tables/key-index.ts': 'keeps whoever chooses keys from slowing the index; no answer shows it',
      'server/qa/inspector/inspector.ts': 'the request id of a call that is made again',
      'server/speech/': 'the jitter towards services elsewhere, which live in the time of the machine',
      'server/qa/recording/': 'stand-ins for what was recorded',
      'server/testing/test-server.ts': 'clients of the server under test',
    },
  },
};

const files = filesBelow(root, ['server'], /\.ts$/);
const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
const takersOf = ({ pattern }: Source): string[] =>
  files.filter((path) => pattern.test(withoutComments(readFileSync(join(root, path), 'utf8'))));
const isMeant = (exception: string, path: string): boolean =>
  exception.endsWith('/') ? path.startsWith(exception) : path === exception;

describe.each(Object.entries(sources))('%s', (_name, source) => {
  const takers = takersOf(source);
  const exceptions = Object.keys(source.exceptions);

  test('comes from the server’s own source, but for what is named here', () => {
    expect(files.length).toBeGreaterThan(300);
    expect(takers.filter((path) => !exceptions.some((exception) => isMeant(exception, path)))).toEqual([]);
  });

  test('is taken from the machine by all that are named here', () => {
    expect(exceptions.filter((exception) => !takers.some((path) => isMeant(exception, path)))).toEqual([]);
  });
});

test.each([
  ['time', 'const now = Date.now();'],
  ['time', 'const at = new Date().toISOString();'],
  ['time', 'setTimeout(work, 5);'],
  ['chance', 'const id = randomUUID();'],
  ['chance', 'const jitter = Math.random();'],
] as const)('%s is seen in %s', (name, line) => {
  expect(sources[name].pattern.test(line)).toBe(true);
});
