/** A RIS that takes reports over MLLP and acknowledges them, or does not. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { framed, Frames } from '../../src/node/mllp/frames.ts';
import { fieldOf, peerAddress } from './peer-address.ts';
import type { SimulatedEvent, Simulator } from './simulator.ts';

const largest = 64 * 1024 * 1024;

/** The acknowledgement that a fault has in place of AA; `null`: none. */
const answers: Readonly<Record<string, readonly [code: string, error: string] | null>> = {
  refuse: ['AE', '103^Table value not found^HL70357'],
  busy: ['AR', '207^Application internal error^HL70357'],
  reject: ['AR', '200^Unsupported message type^HL70357'],
  silent: null,
  broken: null,
};

export const hl7Receiver: Simulator = {
  options: ['listen', 'count'],
  faults: {
    refuse: 'AE: it is not to be sent again unchanged',
    busy: 'AR with 207: it is to be sent again later',
    reject: 'AR: wrong type',
    silent: 'no acknowledgement',
    broken: 'the connection ends before the acknowledgement',
    once: 'the other faults strike the first message alone',
  },
  async run({ io, signal }, { listen = '0', count, faults }) {
    io.noticeAtOnce();
    const events: SimulatedEvent[] = [];
    const { host, port } = peerAddress(listen, '--listen');
    const sockets = new Set<Socket>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      sockets.add(socket);
      const frames = new Frames(largest);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
      socket.on('data', (chunk: Buffer) => {
        for (const found of frames.push(chunk)) {
          if (found.kind !== 'message') continue;
          const message = found.bytes.toString('latin1');
          const fault =
            events.length > 0 && faults.has('once') ? undefined : [...faults].find((each) => each !== 'once');
          events.push(answerTo(socket, message, fault, events.length + 1));
          io.notice(`${fieldOf(message, 'MSH', 9)} ${fieldOf(message, 'MSH', 10)}: ${events.at(-1)!.answer}`, 'faint');
          if (events.length === count) end();
        }
      });
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ host, port }, () => resolve()));
    const { address, port: actual } = server.address() as AddressInfo;
    io.notice(`Listening at ${address}:${actual}. Ctrl-C ends it.`, 'faint');
    signal.addEventListener('abort', () => end(), { once: true });
    if (signal.aborted) end();
    await ended;
    for (const socket of sockets) socket.end();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return events;
  },
};

function answerTo(socket: Socket, message: string, fault: string | undefined, number: number): SimulatedEvent {
  const [code, error] = (fault === undefined ? undefined : answers[fault]) ?? ['AA', ''];
  const isAnswered = fault === undefined || answers[fault] !== null;
  const what = `${fieldOf(message, 'MSH', 9)} ${fieldOf(message, 'MSH', 10)}`;
  // The accession number and the status, as a RIS finds the exam by them.
  const more = [fieldOf(message, 'OBR', 18), fieldOf(message, 'OBR', 25)].filter(Boolean).join(' ');
  if (fault === 'broken') socket.destroy();
  if (!isAnswered) return { number, what, answer: 'none', isGood: false, more };
  const [separator, encoding] = [message[3] ?? '|', fieldOf(message, 'MSH', 2)];
  const field = (at: number): string => fieldOf(message, 'MSH', at);
  const header = [
    'MSH',
    encoding,
    field(5),
    field(6),
    field(3),
    field(4),
    field(7),
    '',
    'ACK',
    `ACK${field(10)}`,
    'P',
    field(12),
  ];
  const segments = [header.join(separator), ['MSA', code, field(10)].join(separator)];
  if (error !== '') segments.push(['ERR', '', '', error, 'E'].join(separator));
  socket.write(framed(Buffer.from(`${segments.join('\r')}\r`, 'latin1')));
  return { number, what, answer: code, isGood: code === 'AA', more };
}
