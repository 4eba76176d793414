/** Processes that notify a Subscription and are killed, and what its receiver must have got of them in the end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { createReceiver } from '../server/delivery/webhooks/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { chance, moment, seed } from './chance.ts';
import type { Work } from './subscription-process.ts';

const program = fileURLToPath(new URL('subscription-process.ts', import.meta.url));
/** Reports that each process announces. */
const reportsOfEach = 12;
/** After which event a process is killed: the commit of an announcement, a notification without its answer, or that answer. */
const killedAfter = ['notified', 'announced', 'answered'] as const;

interface Notifier {
  /** Begins. Resolves to its id as a member. */
  begin(work: Work): Promise<string>;
  /** Calls it after each report whose announcement is committed. */
  onAnnounced: (report: string) => void;
  kill(): Promise<void>;
}

/** Waits until it is told what to do, so that the next one is ready when the one before is killed. */
function prepareNotifier(): Notifier {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { promise: member, resolve } = Promise.withResolvers<string>();
  let isBegun = false;
  createInterface(child.stdout).on('line', (line) => {
    if (isBegun) notifier.onAnnounced(line);
    else resolve(line);
    isBegun = true;
  });
  const notifier: Notifier = {
    begin(work) {
      child.stdin.write(`${JSON.stringify(work)}\n`);
      return member;
    },
    onAnnounced: () => {},
    async kill() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
  return notifier;
}

interface Event {
  readonly number: number;
  readonly report: string;
}

interface Parameter {
  readonly name: string;
  readonly part?: readonly {
    readonly name: string;
    readonly valueString?: string;
    readonly valueReference?: { readonly reference: string };
  }[];
}

/** The event of a notification; none in a handshake. */
function readEvents(body: string): Event[] {
  const { entry } = JSON.parse(body) as { entry: readonly { resource: { parameter: readonly Parameter[] } }[] };
  return entry[0]!.resource.parameter.flatMap(({ name, part = [] }) => {
    if (name !== 'notification-event') return [];
    const number = Number(part.find((each) => each.name === 'event-number')?.valueString);
    return [
      {
        number,
        report: part
          .find((each) => each.name === 'focus')!
          .valueReference!.reference.split('/')
          .at(-1)!,
      },
    ];
  });
}

/**
 * Kills one process after the other. `members` processes work at a time; `onKilled` hears of each that is gone. In the end each
 * announced report has arrived under one number, and no number is missing.
 */
export async function killNotifiers(
  store: string,
  {
    kills,
    members = 1,
    onKilled,
  }: { kills: number; members?: number; onKilled?: (member: string) => Promise<unknown> },
): Promise<void> {
  const receiver = await createReceiver(200);
  const announced = new Set<string>();
  const begin = async (notifier: Notifier, round: number, onAnnounced = (): unknown => undefined) => {
    const reports = Array.from({ length: reportsOfEach }, (_, nth) => `rec-${round}-${nth}`);
    notifier.onAnnounced = (report) => {
      announced.add(report);
      onAnnounced();
    };
    return { notifier, member: await notifier.begin({ store, endpoint: receiver.url, reports }) };
  };
  const running = [];
  for (let nth = 1; nth < members; nth++) running.push(await begin(prepareNotifier(), -nth));
  let following = prepareNotifier();
  for (let round = 0; round < kills; round++) {
    const { promise: met, resolve: meet } = Promise.withResolvers<void>();
    const event = killedAfter[round % killedAfter.length]!;
    const held: ServerResponse[] = [];
    let left = Math.floor(chance(seed, 'met', round) * (reportsOfEach / 2));
    if (event !== 'announced')
      receiver.reply = (response) => {
        const isMet = left-- <= 0;
        if (isMet && event === 'notified') held.push(response);
        else response.writeHead(200).end();
        if (isMet) meet();
      };
    running.push(await begin(following, round, () => event === 'announced' && left-- <= 0 && meet()));
    const { notifier, member } = running.shift()!;
    following = prepareNotifier();
    await met;
    await moment(10, round);
    await notifier.kill();
    receiver.reply = 200;
    for (const response of held) response.writeHead(200).end();
    await onKilled?.(member);
  }
  running.push(await begin(following, kills));
  const arrived = (): Event[] => receiver.requests.flatMap(({ body }) => readEvents(body));
  await eventually(() => {
    const reports = new Set(arrived().map(({ report }) => report));
    expect([...announced].filter((report) => !reports.has(report))).toEqual([]);
    expect(reports).toContain(`rec-${kills}-${reportsOfEach - 1}`);
  });
  for (const { notifier } of running) await notifier.kill();

  const reports = new Map(arrived().map(({ number, report }) => [number, report]));
  expect([...reports.keys()].toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: reports.size }, (_, at) => at + 1),
  );
  // What was sent before a kill, and is sent again, keeps its number.
  expect(new Set(arrived().map(({ number, report }) => `${number} ${report}`)).size).toBe(reports.size);
  expect(new Set(reports.values()).size).toBe(reports.size);
}
