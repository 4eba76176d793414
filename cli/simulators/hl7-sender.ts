/** A RIS that sends orders over MLLP one by one, and waits for each acknowledgement. */
import type { Socket } from 'node:net';
import { AppError } from '../../src/contract/errors.ts';
import { framed, Frames } from '../../src/protocols/mllp/frames.ts';
import { openConnection, readyEvent } from '../../src/node/tls/connect.ts';
import type { ConnectTarget } from '../../src/node/tls/connect.ts';
import { describeFailure, tlsFailure } from '../../src/node/tls/failures.ts';
import type { Context } from '../context.ts';
import { readInput } from '../shell/input-file.ts';
import { calledAddress, channelAddress, readField } from './peer-address.ts';
import type { SimulatedEvent, Simulation, Simulator } from './simulator.ts';
import { testOrders } from './test-orders.ts';
import { calling, tlsOptions } from './tls.ts';
import { elementAt } from '../../src/domain/elements.ts';

const largestFile = 64 * 1024 * 1024;
const patienceMs = 30_000;
const defaultCount = 5;

export const hl7Sender: Simulator = {
  options: ['channel', 'to', 'file', 'count', ...tlsOptions],
  faults: {
    split: 'each message in pieces of a few bytes',
    broken: 'the connection breaks in the middle, and the message is sent again',
    repeat: 'each message is sent twice',
    charset: 'MSH-18 says Latin-1 while the bytes are UTF-8',
    garbage: 'bytes that are no MLLP come first',
  },
  async run(context, wanted) {
    const { io, signal } = context;
    const called = { ...calledAddress(wanted.to ?? channelAddress(wanted.channel)), tls: await calling(wanted) };
    const events: SimulatedEvent[] = [];
    let peer = await Peer.connect(called);
    const stop = (): void => peer.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      for (const message of await buildMessages(context, wanted)) {
        if (signal.aborted) break;
        for (const [what, bytes] of sendings(message, wanted.faults)) {
          if (what === 'garbage' || what === 'broken') {
            peer.send(bytes);
            peer.close();
            peer = await Peer.connect(called);
            events.push({
              number: events.length + 1,
              what,
              answer: 'none',
              isGood: true,
              more: 'The connection was broken on purpose.',
            });
            continue;
          }
          const answer = await peer.ask(bytes, wanted.faults.has('split'));
          events.push(
            toEvent(events.length + 1, `${what} ${readField(message.toString('latin1'), 'MSH', 10)}`, answer),
          );
          if (answer === undefined) peer = await Peer.connect(called);
        }
      }
    } finally {
      signal.removeEventListener('abort', stop);
      peer.close();
    }
    if (events.every(({ answer }) => answer === 'AA' || answer === 'none')) io.notice('All were taken.');
    return events;
  },
};

/** The messages of the file, byte for byte, or those of test patients. */
async function buildMessages({ io, clock }: Context, { file, count, faults }: Simulation): Promise<Buffer[]> {
  const messages =
    file === undefined
      ? testOrders(count ?? defaultCount, clock.now()).map(({ message }) => Buffer.from(message))
      : messagesIn(await readInput(io, file, largestFile)).slice(0, count);
  if (messages.length === 0)
    throw new AppError('USAGE', { message: 'The file holds no HL7 message.', hint: 'A message begins with MSH.' });
  if (!faults.has('charset')) return messages;
  return messages.map((message) => {
    const lines = message.toString().split('\r');
    const fields = elementAt(lines, 0).split('|');
    fields[17] = '8859/1';
    // A letter that differs between the two encodings.
    return Buffer.from([fields.join('|'), ...lines.slice(1, -1), 'NTE|1||São', ''].join('\r'));
  });
}

function messagesIn(file: Buffer): Buffer[] {
  const lines = file.toString('latin1').split(/[\v\x1c]|\r\n|\r|\n/);
  const messages: string[][] = [];
  for (const line of lines) {
    if (line.startsWith('MSH')) messages.push([line]);
    else if (/^[A-Z][A-Z\d]{2}\W/.test(line) && !/^(?:[FB]HS|[FB]TS)/.test(line)) messages.at(-1)?.push(line);
  }
  return messages.map((segments) => Buffer.from(`${segments.join('\r')}\r`, 'latin1'));
}

function sendings(message: Buffer, faults: ReadonlySet<string>): (readonly [what: string, bytes: Buffer])[] {
  const whole = framed(message);
  return [
    ...(faults.has('garbage') ? [['garbage', Buffer.alloc(4096, 'x')] as const] : []),
    ...(faults.has('broken') ? [['broken', whole.subarray(0, whole.length >> 1)] as const] : []),
    ['message', whole],
    ...(faults.has('repeat') ? [['again', whole] as const] : []),
  ];
}

function toEvent(number: number, what: string, answer: string | undefined): SimulatedEvent {
  if (answer === undefined) {
    return { number, what, answer: 'none', isGood: false, more: 'The connection ended, or nothing came in time.' };
  }
  const code = readField(answer, 'MSA', 1);
  const [place, error, text] = [2, 3, 8].map((at) => readField(answer, 'ERR', at));
  const more =
    code === 'AA' ? '' : [place?.replaceAll('^', ' '), error?.split('^')[0], text].filter(Boolean).join(': ');
  return { number, what, answer: code, isGood: code === 'AA', more };
}

class Peer {
  readonly #socket: Socket;
  readonly #frames = new Frames(1024 * 1024);
  #waiting: ((answer: string | undefined) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      for (const found of this.#frames.push(chunk)) {
        if (found.kind === 'message') this.#waiting?.(found.bytes.toString('latin1'));
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#waiting?.(undefined));
  }

  static async connect(called: ConnectTarget): Promise<Peer> {
    const socket = openConnection(called);
    await new Promise<void>((resolve, reject) => {
      socket.once(readyEvent(called), resolve);
      socket.once('error', (error) => {
        const failure = tlsFailure(error);
        const plain = `Nothing listens there (${error.message.replace(/^connect /, '')}).`;
        reject(new AppError('NETWORK', { message: failure ? describeFailure(failure) : plain }));
      });
    });
    return new Peer(socket);
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  /** The acknowledgement; `undefined` if none arrived. */
  async ask(bytes: Buffer, isSplit: boolean): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#waiting = resolve;
    if (this.#socket.destroyed) return undefined;
    const late = setTimeout(() => resolve(undefined), patienceMs);
    for (let at = 0; at < bytes.length; at += isSplit ? 50 : bytes.length) {
      this.#socket.write(isSplit ? bytes.subarray(at, at + 50) : bytes);
      if (isSplit) await new Promise((next) => setImmediate(next));
    }
    const answer = await promise;
    clearTimeout(late);
    this.#waiting = undefined;
    return answer;
  }

  close(): void {
    this.#socket.destroy();
  }
}
