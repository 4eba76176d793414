/** What is between the servers and a service, and can be cut. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface Gateway extends AsyncDisposable {
  /** Where it listens, from then on. */
  readonly host: string;
  /** Cuts all connections, and takes no more. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Holds back all bytes of connections, in both directions, for so many ms. */
  delay(ms: number): void;
}

/** Leads to that port of this computer. */
export async function startGateway(target: number): Promise<Gateway> {
  const sockets = new Set<Socket>();
  let held = 0;
  const createDelay = () =>
    new Transform({ transform: (bytes, _encoding, done) => void setTimeout(() => done(null, bytes), held) });
  const server = createServer((incoming) => {
    const outgoing = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => (sockets.delete(one), other.destroy()));
      one.pipe(createDelay()).pipe(other);
    }
  });
  let port = 0;
  async function start(): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  }
  async function stop(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }
  await start();
  return { host: `127.0.0.1:${port}`, start, stop, delay: (ms) => void (held = ms), [Symbol.asyncDispose]: stop };
}
