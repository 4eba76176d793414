/** DICOM systems, as far as simulators are such: one that is called, and values that both kinds write. */
import { randomUUID } from 'node:crypto';
import dicomParser from 'dicom-parser';
import type { DataSet } from 'dicom-parser';
import type { Agreed, Message } from '../../src/node/dimse/association.ts';
import { hex } from '../../src/node/dimse/command.ts';
import { provide } from '../../src/node/dimse/provide.ts';
import type { Answer } from '../../src/node/dimse/provide.ts';
import { uidOfUuid } from '../../src/node/dimse/uid.ts';
import type { Context } from '../context.ts';
import { peerAddress } from './peer-address.ts';
import type { SimulatedEvent } from './simulator.ts';

/** What a system answers, and what the simulator tells of it. */
export interface Answered {
  readonly answer: Answer;
  readonly told: Pick<SimulatedEvent, 'what' | 'more'>;
  /** In place of the answer. */
  readonly fault?: 'silent' | undefined;
}

/** PS3.7 C: statuses that simulators answer. */
export const statuses = { done: 0x0000, outOfResources: 0xa700, refused: 0xa900 } as const;

const silentMs = 60_000;
const most = 50;

/** Answers under any title until `isDone` when an association ends, or Ctrl-C. */
export async function answerDicom(
  { io, signal }: Context,
  { listen = '0', services }: { readonly listen: string | undefined; readonly services: readonly string[] },
  answer: (message: Message, agreed: Agreed) => Answered,
  isDone: (events: readonly SimulatedEvent[]) => boolean,
): Promise<readonly SimulatedEvent[]> {
  io.noticeAtOnce();
  const events: SimulatedEvent[] = [];
  const { host, port } = peerAddress(listen, '--listen');
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const endIfDone = (): void => {
    if (isDone(events)) end();
  };
  const providing = await provide({
    host,
    port,
    title: '',
    callers: [],
    services,
    most,
    silentMs,
    async answer(message, agreed) {
      const { answer: said, told, fault } = answer(message, agreed);
      const status = fault ? 'none' : hex(said.status ?? 0);
      events.push({ number: events.length + 1, ...told, answer: status, isGood: !fault && said.status === 0 });
      io.notice(`${told.what}: ${status}`, 'faint');
      if (fault) return new Promise<never>(() => {});
      return said;
    },
    onRelease: endIfDone,
    onFailure: ({ message }) => {
      io.notice(message, 'faint');
      endIfDone();
    },
  });
  io.notice(`Listening at ${host}:${providing.port}, under any title. Ctrl-C ends it.`, 'faint');
  signal.addEventListener('abort', () => end(), { once: true });
  if (signal.aborted) end();
  await ended;
  await providing.close();
  return events;
}

/** A name for an object that nobody else has (PS3.5 B.2). */
export const newUid = (): string => uidOfUuid(randomUUID().replaceAll('-', ''));

/** The data set of a message; `undefined`: there is none, or it is none. */
export function dataSetOf({ data }: Message, { transferSyntax }: Agreed): DataSet | undefined {
  if (!data) return undefined;
  try {
    return dicomParser.parseDicom(data, { TransferSyntaxUID: transferSyntax });
  } catch {
    return undefined;
  }
}

/** `YYYYMMDD` and `HHMMSS` of UTC. */
export function dicomTime(ms: number): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = new Date(ms)
    .toISOString()
    .replace(/[-:]|\.\d+Z/g, '')
    .split('T');
  return { day, time };
}
