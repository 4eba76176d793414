/** A system that is called: it listens, tells what came, and ends when all came, or by Ctrl-C. */
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

export interface Called {
  /** What came, in its order. */
  readonly events: readonly SimulatedEvent[];
  tell(event: Omit<SimulatedEvent, 'number'>): void;
  end(): void;
}

/** Where it listens, and what it shows there by TLS. */
export interface Place extends Address {
  readonly tls: ServedTls | undefined;
}

/** As the options of simulate say it. */
export interface PlaceWords extends TlsWords {
  readonly listen: string | undefined;
}

interface Listening {
  /** As the other side is to be told. */
  readonly at: string;
  close(): Promise<void>;
}

/** Resolves to what came. CONFIGURATION where the address cannot be had. */
export async function beCalled(
  { io, signal }: Context,
  { listen, ...words }: PlaceWords,
  open: (place: Place, called: Called) => Promise<Listening>,
): Promise<readonly SimulatedEvent[]> {
  io.noticeAtOnce();
  const events: SimulatedEvent[] = [];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const tell: Called['tell'] = (event) => {
    events.push({ number: events.length + 1, ...event });
    io.notice(`${event.what}: ${event.answer}`, 'faint');
  };
  const address = peerAddress(listen ?? '0', '--listen');
  const tls = await called(words);
  const { at, close } = await open({ ...address, tls }, { events, tell, end }).catch((error: unknown) => {
    throw cannotListen(error, address.host, address.port, '--listen');
  });
  io.notice(`Listening at ${at}. Ctrl-C ends it.`, 'faint');
  signal.addEventListener('abort', () => end(), { once: true });
  if (signal.aborted) end();
  await ended;
  await close();
  return events;
}

/** Resolves to `HOST:PORT`, as the server listens there. */
export async function listenOn(server: Server, { host: wanted, port: asked }: Address): Promise<string> {
  server.listen({ host: wanted, port: asked });
  await once(server, 'listening');
  const { address: host, port } = server.address() as AddressInfo;
  return written({ host, port });
}

/** The fault that strikes a message, before which `before` came; `once` bounds the others to the first. */
export const faultOf = (faults: ReadonlySet<string>, before: number): string | undefined =>
  before > 0 && faults.has('once') ? undefined : [...faults].find((fault) => fault !== 'once');
