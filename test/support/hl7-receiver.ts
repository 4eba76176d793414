/** A RIS that takes results over MLLP, and answers as it is told. */
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { framed, Frames } from '../../src/protocols/mllp/frames.ts';

export interface Hl7Receiver {
  readonly port: number;
  /** Each message as it came, by its bytes. */
  readonly messages: Buffer[];
  readonly sockets: ReadonlySet<Socket>;
  /** Makes the answer; `undefined`: none. */
  answer: (control: string, message: Buffer) => string | undefined;
  stop(): Promise<void>;
  /** At the same port. */
  start(): Promise<void>;
}

/** An acknowledgement of the message with that id. */
export const acknowledged = (control: string, code = 'AA', text = '', error = ''): string =>
  [
    'MSH|^~\\&|RIS|HSL|LAUDIO|HSL|20260302083000||ACK^R01^ACK|A1|P|2.5.1',
    `MSA|${code}|${control}|${text}`,
    ...(error === '' ? [] : [error]),
    '',
  ].join('\r');

export async function hl7Receiver(tls?: TlsOptions): Promise<Hl7Receiver> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const take = (socket: Socket): void => {
    sockets.add(socket);
    const frames = new Frames(10e6);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      for (const found of frames.push(chunk)) {
        if (found.kind !== 'message') continue;
        receiver.messages.push(found.bytes);
        const answer = receiver.answer(fieldOf(found.bytes, 'MSH', 9), found.bytes);
        if (answer !== undefined) socket.write(framed(Buffer.from(answer)));
      }
    });
  };
  const receiver: Hl7Receiver = {
    get port() {
      return port;
    },
    messages: [],
    sockets,
    answer: (control) => acknowledged(control),
    async stop() {
      const last = server;
      server = undefined;
      await new Promise<void>((resolve) => {
        if (last) last.close(() => resolve());
        else resolve();
        for (const socket of sockets) socket.destroy();
      });
    },
    async start() {
      if (server) return;
      server = tls ? createTlsServer(tls, take) : createServer(take);
      server.on('tlsClientError', (_error, socket) => socket.destroy());
      await new Promise<void>((resolve) => server!.listen(port, '127.0.0.1', resolve));
      port = (server.address() as AddressInfo).port;
    },
  };
  await receiver.start();
  onTestFinished(() => receiver.stop());
  return receiver;
}

/** By the number of the separator before it: MSH-10 is 9. */
export const fieldOf = (message: Buffer, segment: string, at: number): string =>
  message
    .toString('latin1')
    .split('\r')
    .find((each) => each.startsWith(segment))
    ?.split('|')[at] ?? '';
