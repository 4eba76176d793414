/** A RIS that receives reports over MLLP and acknowledges them, or does not. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { framed, Frames } from '../../src/protocols/mllp/frames.ts';
import { describeFailure } from '../../src/node/tls/failures.ts';
import { createListener } from '../../src/node/tls/listen.ts';
import { serveCalls, chooseFault, listenOn } from './called-peer.ts';
import { readField } from './peer-address.ts';
import type { SimulatedEvent, Simulator } from './simulator.ts';
import { tlsOptions } from './tls.ts';

const largest = 64 * 1024 * 1024;

/** The acknowledgement of a fault instead of AA; `null`: none. */
const answers: Readonly<Record<string, readonly [code: string, error: string] | null>> = {
  refuse: ['AE', '103^Table value not found^HL70357'],
  busy: ['AR', '207^Application internal error^HL70357'],
  reject: ['AR', '200^Unsupported message type^HL70357'],
  silent: null,
  broken: null,
};

export const hl7Receiver: Simulator = {
  options: ['listen', 'count', ...tlsOptions],
  faults: {
    refuse: 'AE: it is not to be sent again unchanged',
    busy: 'AR with 207: it is to be sent again later',
    reject: 'AR: wrong type',
    silent: 'no acknowledgement',
    broken: 'the connection ends before the acknowledgement',
    once: 'the other faults strike the first message alone',
  },
  run(context, { count, faults, ...words }) {
    return serveCalls(context, words, async (place, { events, add, end }) => {
      const sockets = new Set<Socket>();
      const take = (socket: Socket): void => {
        sockets.add(socket);
        const frames = new Frames(largest);
        socket.on('error', () => socket.destroy());
        socket.on('close', () => sockets.delete(socket));
        socket.on('data', (chunk: Buffer) => {
          for (const found of frames.push(chunk)) {
            if (found.kind !== 'message') continue;
            add(answerTo(socket, found.bytes.toString('latin1'), chooseFault(faults, events.length)));
            if (events.length === count) end();
          }
        });
      };
      const server = createListener({
        tls: place.tls,
        take,
        refused: (_address, failure) => failure && context.io.notice(describeFailure(failure), 'faint'),
      });
      return {
        at: await listenOn(server, place),
        async close() {
          for (const socket of sockets) socket.end();
          server.close();
          await once(server, 'close');
        },
      };
    });
  },
};

function answerTo(socket: Socket, message: string, fault: string | undefined): Omit<SimulatedEvent, 'number'> {
  const [code, error] = (fault === undefined ? undefined : answers[fault]) ?? ['AA', ''];
  const isAnswered = fault === undefined || answers[fault] !== null;
  const what = `${readField(message, 'MSH', 9)} ${readField(message, 'MSH', 10)}`;
  // The accession number and the status, by which a RIS finds the exam.
  const more = [readField(message, 'OBR', 18), readField(message, 'OBR', 25)].filter(Boolean).join(' ');
  if (fault === 'broken') socket.destroy();
  if (!isAnswered) return { what, answer: 'none', isGood: false, more };
  const [separator, encoding] = [message[3] ?? '|', readField(message, 'MSH', 2)];
  const field = (at: number): string => readField(message, 'MSH', at);
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
  return { what, answer: code, isGood: code === 'AA', more };
}
