/**
 * Listens for connections, and answers their messages one at a time. Whoever sends anything else, too much, or too slowly is cut
 * off, and never holds up the others.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BlockList, createServer, isIP, isIPv6 } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { AppError } from '../../../src/contract/errors.ts';
import type { WorklistMapping } from '../../../src/contract/worklist-mapping.ts';
import { machineOf } from '../../../src/domain/clock.ts';
import { framed, Frames } from '../../../src/node/mllp/frames.ts';
import type { Found } from '../../../src/node/mllp/frames.ts';
import { anatomyOf } from '../../plugins/errors.ts';
import type { InboundDeps, OpenedChannel, Running } from '../channel.ts';
import { acknowledgement, headerOf } from './acknowledgement.ts';
import { createConversation } from './conversation.ts';
import type { Answered } from './conversation.ts';
import { createPlaces } from './places.ts';
import type { Hl7InSettings } from './settings.ts';

type Opened = OpenedChannel<Hl7InSettings>;

/** Rejects with CONFIGURATION where the settings do not go together, and with the error of the system where it cannot listen. */
export async function openListener(channel: Opened, deps: InboundDeps): Promise<Running> {
  const { settings } = channel;
  const { createMessageReader } = await import('../../../src/worklist-files/hl7/one-message.ts');
  const read = createMessageReader({
    ...(settings.time_zone !== undefined && { timeZone: settings.time_zone }),
    ...(settings.encoding !== undefined && { encoding: settings.encoding }),
    ...(channel.mapping && { mapping: channel.mapping as WorklistMapping }),
  });
  const newId = (): string => `ACK${randomBytes(8).toString('hex').toUpperCase()}`;
  const answer = createConversation({ ...deps, newId, read, placeOf: await createPlaces() }, settings);
  const listener = new Listener(channel, deps, answer, newId);
  return listener.open(await serverFor(settings));
}

/** A host that only this computer reaches. */
const isOwn = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

async function serverFor(settings: Hl7InSettings): Promise<Server> {
  const { tls_certificate: certificate, tls_key: key, tls_client_ca: ca, host = '127.0.0.1', peers = [] } = settings;
  const unfit = (message: string): AppError => new AppError('CONFIGURATION', { message });
  if ((certificate === undefined) !== (key === undefined)) throw unfit('tls_certificate and tls_key belong together.');
  if (ca !== undefined && certificate === undefined) throw unfit('tls_client_ca needs tls_certificate and tls_key.');
  if (!isOwn(host) && peers.length === 0 && ca === undefined) {
    throw unfit(
      'Other computers reach that host: name those that may connect (peers), or have them show certificates.',
    );
  }
  if (certificate === undefined || key === undefined) return createServer({ noDelay: true, keepAlive: true });
  const tls: TlsOptions = {
    cert: await readFile(certificate),
    key: await readFile(key),
    minVersion: 'TLSv1.2',
    handshakeTimeout: 10_000,
    ...(ca !== undefined && { ca: await readFile(ca), requestCert: true, rejectUnauthorized: true }),
  };
  return (await import('node:tls')).createServer(tls);
}

/** Throws CONFIGURATION where one of them is no address and no network. */
function allowed(peers: readonly string[]): (address: string) => boolean {
  if (peers.length === 0) return () => true;
  const list = new BlockList();
  for (const peer of peers) {
    const [address = '', bits] = peer.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    if (!isIP(address) || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
      throw new AppError('CONFIGURATION', {
        message: `${peer} is neither an address nor a network such as 10.1.0.0/16.`,
      });
    }
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** An address of IPv4 that came by a socket for both. */
const plainAddress = (address: string | undefined): string => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');

class Listener {
  readonly #channel: Opened;
  readonly #deps: InboundDeps;
  readonly #answer: (raw: Buffer) => Promise<Answered>;
  readonly #newId: () => string;
  readonly #mayConnect: (address: string) => boolean;
  readonly #connections = new Map<Socket, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(channel: Opened, deps: InboundDeps, answer: (raw: Buffer) => Promise<Answered>, newId: () => string) {
    this.#channel = channel;
    this.#deps = deps;
    this.#answer = answer;
    this.#newId = newId;
    this.#mayConnect = allowed(channel.settings.peers ?? []);
  }

  async open(server: Server): Promise<Running> {
    const { port, host = '127.0.0.1', tls_certificate } = this.#channel.settings;
    // With TLS, only who has shown a good certificate is a connection.
    server.on(tls_certificate === undefined ? 'connection' : 'secureConnection', (socket: Socket) =>
      this.#accept(socket),
    );
    server.on('tlsClientError', (_error, socket: Socket) => {
      this.#note('hl7_tls_refused', socket);
      socket.destroy();
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', (error) =>
      this.#deps.log({ level: 'error', event: 'hl7_listener_failed', ...anatomyOf(error) }),
    );
    const { address, port: actual } = server.address() as AddressInfo;
    return {
      address: isIPv6(address) ? `[${address}]:${actual}` : `${address}:${actual}`,
      close: () => this.#close(server),
    };
  }

  /** Messages that are under way are answered; then every connection ends. */
  async #close(server: Server): Promise<void> {
    this.#closing.abort();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.all(this.#connections.values());
    await closed;
  }

  #note(event: string, socket: Socket | undefined, more: Record<string, unknown> = {}): void {
    const address = plainAddress(socket?.remoteAddress);
    this.#deps.log({ level: 'warn', event, channel: this.#channel.name, ...(address && { address }), ...more });
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    if (!this.#mayConnect(plainAddress(socket.remoteAddress))) {
      this.#note('hl7_peer_refused', socket);
      return void socket.destroy();
    }
    if (this.#connections.size >= (this.#channel.settings.max_connections ?? 64)) {
      this.#note('hl7_too_many_connections', socket);
      return void socket.destroy();
    }
    const serving = this.#serve(socket)
      .catch(() => undefined)
      .finally(() => {
        socket.destroy();
        this.#connections.delete(socket);
      });
    this.#connections.set(socket, serving);
  }

  async #serve(socket: Socket): Promise<void> {
    const { max_kib = 1024, idle_seconds = 3600, frame_seconds = 30 } = this.#channel.settings;
    const frames = new Frames(max_kib * 1024);
    const machine = machineOf(this.#deps.clock);
    let isBusy = false;
    let callOff = (): void => {};
    const wait = (seconds: number, event: string): void => {
      callOff();
      callOff = machine.schedule(machine.now() + seconds * 1000, () => {
        this.#note(event, socket);
        socket.destroy();
      });
    };
    const end = (): void => void (isBusy || socket.destroy());
    this.#closing.signal.addEventListener('abort', end);
    try {
      wait(idle_seconds, 'hl7_connection_idle');
      let wasOpen = false;
      // A socket that is not read keeps its sender waiting: no more than a read is held of what comes.
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        isBusy = true;
        for (const found of frames.push(chunk)) {
          callOff();
          wasOpen = false;
          if (!(await this.#handle(found, socket)) || this.#closing.signal.aborted) return;
        }
        isBusy = false;
        if (!frames.isOpen) wait(idle_seconds, 'hl7_connection_idle');
        // From the first byte on, not from the last read.
        else if (!wasOpen) wait(frame_seconds, 'hl7_message_slow');
        wasOpen = frames.isOpen;
      }
      if (frames.isOpen) this.#note('hl7_message_cut_off', socket);
    } finally {
      callOff();
      this.#closing.signal.removeEventListener('abort', end);
    }
  }

  /** Returns whether the connection goes on. */
  async #handle(found: Found, socket: Socket): Promise<boolean> {
    if (found.kind === 'cut_off') {
      this.#note('hl7_message_cut_off', socket);
      return true;
    }
    if (found.kind === 'stranger') {
      this.#note('hl7_no_mllp', socket);
      this.#deps.tell('Somebody connects and sends no MLLP; see the log for the address.');
      return false;
    }
    if (found.kind === 'too_large') {
      await this.#refuseLarge(found.beginning, socket);
      return false;
    }
    const { answer, told, code } = await this.#answer(found.bytes);
    if (told === 'rejected' || told === 'unavailable' || told === 'refused') {
      this.#note(`hl7_message_${told}`, socket, { code });
    }
    if (told === 'taken') this.#deps.tell(null);
    if (!answer) return true;
    return this.#send(socket, answer);
  }

  async #refuseLarge(beginning: Buffer, socket: Socket): Promise<void> {
    const { max_kib = 1024 } = this.#channel.settings;
    this.#note('hl7_message_too_large', socket);
    this.#deps.tell(`A message was larger than max_kib (${max_kib}), and was refused.`);
    const header = headerOf(beginning);
    if (!header) return;
    const error = {
      number: 207,
      message: `The message is larger than ${max_kib} KiB. Do not send it again unchanged.`,
    };
    const now = this.#deps.clock.now();
    const text = acknowledgement(header, { code: 'AE', error }, { id: this.#newId(), now });
    await this.#send(socket, Buffer.from(text, 'latin1'));
  }

  #send(socket: Socket, answer: Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      if (socket.destroyed) return resolve(false);
      socket.once('close', () => resolve(false));
      socket.write(framed(answer), (error) => resolve(!error));
    });
  }
}
