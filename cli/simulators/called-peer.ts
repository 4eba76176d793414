/** A simulator that is called: it listens, reports what arrives, and ends when everything has arrived, or at Ctrl-C. */
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { cannotListen } from '../../src/node/listen-error.ts';
import type { Context } from '../context.ts';
import { peerAddress, written } from './peer-address.ts';
import type { Address } from './peer-address.ts';
import type { SimulatedEvent } from './simulator.ts';
import { called } from './tls.ts';
import type { TlsWords } from './tls.ts';
import type { ServedTls } from '../../src/node/tls/listen.ts';

export interface ReceivedEvents {
  /** The events, in order. */
  readonly events: readonly SimulatedEvent[];
  add(event: Omit<SimulatedEvent, 'number'>): void;
  end(): void;
}

/** The address to listen on, with its TLS files. */
export interface Place extends Address {
  readonly tls: ServedTls | undefined;
}

/** The same as options of simulate. */
export interface PlaceWords extends TlsWords {
  readonly listen: string | undefined;
}

interface Listening {
  /** The address for the other side. */
  readonly at: string;
  close(): Promise<void>;
}

/** Resolves to the events. CONFIGURATION if the address can't be used. */
export async function serveCalls(
  { io, signal }: Context,
  { listen, ...words }: PlaceWords,
  open: (place: Place, called: ReceivedEvents) => Promise<Listening>,
): Promise<readonly SimulatedEvent[]> {
  io.noticeAtOnce();
  const events: SimulatedEvent[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const add: ReceivedEvents['add'] = (event) => {
    events.push({ number: events.length + 1, ...event });
    io.notice(`${event.what}: ${event.answer}`, 'faint');
  };
  const address = peerAddress(listen ?? '0', '--listen');
  const tls = await called(words);
  const { at, close } = await open({ ...address, tls }, { events, add, end }).catch((error: unknown) => {
    throw cannotListen(error, address.host, address.port, '--listen');
  });
  io.notice(`Listening at ${at}. Ctrl-C ends it.`, 'faint');
  signal.addEventListener('abort', () => end(), { once: true });
  if (signal.aborted) end();
  await ended;
  await close();
  return events;
}

/** Resolves to `HOST:PORT`, where the server listens. */
export async function listenOn(server: Server, { host: wanted, port: asked }: Address): Promise<string> {
  server.listen({ host: wanted, port: asked });
  await once(server, 'listening');
  const { address: host, port } = server.address() as AddressInfo;
  return written({ host, port });
}

/** The fault for a message after `before` others; `once` limits the other faults to the first message. */
export const chooseFault = (faults: ReadonlySet<string>, before: number): string | undefined =>
  before > 0 && faults.has('once') ? undefined : [...faults].find((fault) => fault !== 'once');
