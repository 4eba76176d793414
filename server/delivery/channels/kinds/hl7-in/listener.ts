/**
 * Listens for connections, and answers their messages one at a time. Whoever sends anything else, too much, or too slowly is cut
 * off, and never holds up the others.
 */
import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { WorklistMapping } from '../../../../../src/contract/worklist-mapping.ts';
import type { Frame } from '../../../../../src/files/worklist/hl7/frame.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { framed, Frames } from '../../../../../src/protocols/mllp/frames.ts';
import type { FrameEvent } from '../../../../../src/protocols/mllp/frames.ts';
import { isTls, describeFailure } from '../../../../../src/node/tls/failures.ts';
import type { TlsFailure } from '../../../../../src/node/tls/failures.ts';
import { createListener } from '../../../../../src/node/tls/listen.ts';
import type { Doorkeeper } from '../../../../../src/node/tls/listen.ts';
import { anatomyOf } from '../../../../http/plugins/errors.ts';
import type { InboundDeps, OpenedChannel, Running } from '../../channel.ts';
import { readDoor, usualHost } from '../../listening.ts';
import { createSorting } from '../../receiving/reading.ts';
import { acknowledgement } from './acknowledgement.ts';
import { createConversation } from './conversation.ts';
import type { Answered } from './conversation.ts';
import type { Hl7InSettings } from './settings.ts';

type Opened = OpenedChannel<Hl7InSettings>;

/** Rejects with CONFIGURATION where the settings do not go together, and with the error of the system where it cannot listen. */
export async function openListener(channel: Opened, deps: InboundDeps): Promise<Running> {
  const { settings } = channel;
  const [{ createMessageReader }, { frameOf }] = await Promise.all([
    import('../../../../../src/files/worklist/hl7/one-message.ts'),
    import('../../../../../src/files/worklist/hl7/frame.ts'),
  ]);
  const options = {
    ...(settings.time_zone !== undefined && { timeZone: settings.time_zone }),
    ...(settings.encoding !== undefined && { encoding: settings.encoding }),
    ...(channel.mapping && { mapping: channel.mapping as WorklistMapping }),
  };
  const readHere = createMessageReader(options);
  const read = (raw: Uint8Array) => deps.readers.hl7(raw, options, channel.id, (small) => readHere(small).readings);
  const newId = createIds();
  const [sort, placeOf] = await Promise.all([createSorting(), createPlaces()]);
  const answer = createConversation({ ...deps, newId, frameOf, read, sort, placeOf }, settings);
  const listener = new Listener(channel, deps, { answer, newId, frameOf });
  return listener.open(await readDoor(settings));
}

/** Ids of acknowledgements (MSH-10). */
function createIds(): () => string {
  const opening = randomBytes(4).toString('hex');
  let count = 0;
  return () => `ACK${opening}${(count++).toString(16).padStart(8, '0')}`.toUpperCase();
}

/** How the frames of a connection are read and answered. */
interface Talk {
  readonly answer: (raw: Buffer) => Promise<Answered>;
  readonly frameOf: (raw: Uint8Array) => Frame | undefined;
  /** MSH-10 of acknowledgements. */
  readonly newId: () => string;
}

class Listener {
  readonly #channel: Opened;
  readonly #deps: InboundDeps;
  readonly #talk: Talk;
  readonly #connections = new Map<Socket, Promise<void>>();
  readonly #closing = new AbortController();

  constructor(channel: Opened, deps: InboundDeps, talk: Talk) {
    this.#channel = channel;
    this.#deps = deps;
    this.#talk = talk;
  }

  async open(door: Pick<Doorkeeper, 'tls' | 'mayConnect'>): Promise<Running> {
    const { port, host = usualHost } = this.#channel.settings;
    const server = createListener({
      ...door,
      take: (socket, address) => this.#accept(socket, address),
      refused: (address, failure) => this.#refuse(address, failure),
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

  #note(event: string, address: string, more: Record<string, unknown> = {}): void {
    this.#deps.log({ level: 'warn', event, channel: this.#channel.name, ...(address && { address }), ...more });
  }

  #refuse(address: string, failure: TlsFailure | undefined): void {
    if (!failure) return this.#note('hl7_peer_refused', address);
    this.#note('hl7_tls_refused', address, { reason: failure.reason });
    this.#deps.tell(`Somebody calls in vain; see the log for the address. ${describeFailure(failure)}`);
  }

  #refuseTls(address: string): void {
    this.#note('hl7_speaks_tls', address);
    this.#deps.tell('Somebody calls by TLS; see the log for the address. Set tls_certificate and tls_key.');
  }

  #accept(socket: Socket, address: string): void {
    socket.on('error', () => socket.destroy());
    if (this.#connections.size >= (this.#channel.settings.max_connections ?? 64)) {
      this.#note('hl7_too_many_connections', address);
      return void socket.destroy();
    }
    const serving = this.#serve(socket, address)
      .catch(() => undefined)
      .finally(() => {
        socket.destroy();
        this.#connections.delete(socket);
      });
    this.#connections.set(socket, serving);
  }

  async #serve(socket: Socket, address: string): Promise<void> {
    const { max_kib = 1024, idle_seconds = 3600, frame_seconds = 30 } = this.#channel.settings;
    const frames = new Frames(max_kib * 1024);
    const machine = machineClockOf(this.#deps.clock);
    let isBusy = false;
    let callOff = (): void => {};
    const wait = (seconds: number, event: string): void => {
      callOff();
      callOff = machine.schedule(machine.now() + seconds * 1000, () => {
        this.#note(event, address);
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
        if (!frames.isOpen && isTls(chunk)) return this.#refuseTls(address);
        isBusy = true;
        for (const found of frames.push(chunk)) {
          callOff();
          wasOpen = false;
          if (!(await this.#handle(found, socket, address)) || this.#closing.signal.aborted) return;
        }
        isBusy = false;
        if (!frames.isOpen) wait(idle_seconds, 'hl7_connection_idle');
        // From the first byte on, not from the last read.
        else if (!wasOpen) wait(frame_seconds, 'hl7_message_slow');
        wasOpen = frames.isOpen;
      }
      if (frames.isOpen) this.#note('hl7_message_cut_off', address);
    } finally {
      callOff();
      this.#closing.signal.removeEventListener('abort', end);
    }
  }

  /** Returns whether the connection goes on. */
  async #handle(found: FrameEvent, socket: Socket, address: string): Promise<boolean> {
    if (found.kind === 'cut_off') {
      this.#note('hl7_message_cut_off', address);
      return true;
    }
    if (found.kind === 'stranger') {
      this.#note('hl7_no_mllp', address);
      this.#deps.tell('Somebody connects and sends no MLLP; see the log for the address.');
      return false;
    }
    if (found.kind === 'too_large') {
      await this.#refuseLarge(found.beginning, socket, address);
      return false;
    }
    const { answer, told, code } = await this.#talk.answer(found.bytes);
    if (told === 'rejected' || told === 'unavailable' || told === 'refused') {
      this.#note(`hl7_message_${told}`, address, { code });
    }
    if (told === 'taken') this.#deps.tell(null);
    if (!answer) return true;
    return this.#send(socket, answer);
  }

  async #refuseLarge(beginning: Buffer, socket: Socket, address: string): Promise<void> {
    const { max_kib = 1024 } = this.#channel.settings;
    this.#note('hl7_message_too_large', address);
    this.#deps.tell(`A message was larger than max_kib (${max_kib}), and was refused.`);
    const message = this.#talk.frameOf(beginning)?.messages[0];
    if (!message) return;
    const { header } = message;
    const fault = {
      number: 207,
      message: `The message is larger than ${max_kib} KiB. Do not send it again unchanged.`,
    };
    const now = this.#deps.clock.now();
    const ids = { id: this.#talk.newId(), answered: header.field(10), now };
    const text = acknowledgement(header, { code: 'AE', faults: [fault] }, ids);
    await this.#send(socket, Buffer.from(text, 'latin1'));
  }

  /** Returns whether the answer went out: a socket that ends calls back for what it still had to write. */
  #send(socket: Socket, answer: Buffer): Promise<boolean> {
    return new Promise((resolve) => void socket.write(framed(answer), (error) => resolve(!error)));
  }
}

/** By the type of a message (MSH-9.1) and the name of a field. */
async function createPlaces(): Promise<(type: string, field: string) => string | undefined> {
  const { hl7Mappings, orderMessages, patientMappings } =
    await import('../../../../../src/files/worklist/hl7/fields.ts');
  return (type, field) => {
    const table = orderMessages[type];
    const mappings = table === undefined ? patientMappings.PID : hl7Mappings[table];
    return mappings.find(({ to }) => to === field)?.from[0];
  };
}
