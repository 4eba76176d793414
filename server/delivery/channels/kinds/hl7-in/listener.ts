/**
 * Accepts connections, and answers one message at a time. Disconnects peers that are malformed, oversized or slow, without
 * delaying the others.
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
import { describeError } from '../../../../../src/domain/describe-error.ts';
import type { InboundDeps, ChannelConfig, OpenChannel } from '../../channel.ts';
import { readDoorkeeper, defaultHost } from '../../listening.ts';
import { separateProblems } from '../../separate-problems.ts';
import { createReadingSorter } from '../../receiving/read-message.ts';
import { writeAck } from './acknowledgement.ts';
import { createConversation } from './conversation.ts';
import type { ConversationDeps, FrameAnswer } from './conversation.ts';
import type { Hl7InSettings } from './settings.ts';

type Hl7Channel = ChannelConfig<Hl7InSettings>;

/** Rejects with CONFIGURATION if the settings contradict each other, and with the system's error if it cannot listen. */
export async function openListener(channel: Hl7Channel, deps: InboundDeps): Promise<OpenChannel> {
  const { settings } = channel;
  const [{ createMessageReader }, { parseFrame: frameOf, decodePart: decode }] = await Promise.all([
    import('../../../../../src/files/worklist/hl7/one-message.ts'),
    import('../../../../../src/files/worklist/hl7/frame.ts'),
  ]);
  const options = {
    ...(settings.time_zone !== undefined && { timeZone: settings.time_zone }),
    ...(settings.encoding !== undefined && { encoding: settings.encoding }),
    ...(channel.mapping && { mapping: channel.mapping as WorklistMapping }),
  };
  const readHere = createMessageReader(options);
  const read: ConversationDeps['read'] = ({ bytes, lines }) =>
    deps.readers.hl7(bytes, options, channel.id, () => readHere(bytes, lines).readings);
  const newId = createIds();
  const [sort, placeOf] = await Promise.all([createReadingSorter(), createFieldLocator()]);
  const answer = createConversation({ ...deps, newId, frameOf, decode, read, sort, placeOf }, settings);
  const listener = new Listener(channel, deps, { answer, newId, frameOf });
  return listener.open(await readDoorkeeper(settings));
}

/** Generates ids of acknowledgements (MSH-10). */
function createIds(): () => string {
  const opening = randomBytes(4).toString('hex');
  let count = 0;
  return () => `ACK${opening}${(count++).toString(16).padStart(8, '0')}`.toUpperCase();
}

/** Reads and answers the frames of a connection. */
interface FrameHandler {
  readonly answer: (raw: Buffer) => Promise<FrameAnswer>;
  readonly frameOf: (raw: Uint8Array) => Frame | undefined;
  /** MSH-10 of acknowledgements. */
  readonly newId: () => string;
}

/** Why peers get nothing through. */
type Problem = 'tls' | 'mllp' | 'size';

class Listener {
  readonly #channel: Hl7Channel;
  readonly #deps: InboundDeps;
  readonly #talk: FrameHandler;
  readonly #connections = new Map<Socket, Promise<void>>();
  readonly #closing = new AbortController();
  /** Each hides no other. */
  readonly #problems: Readonly<Record<Problem, InboundDeps['reportProblem']>>;
  /** A message that is taken clears them. */
  #hasProblem = false;

  constructor(channel: Hl7Channel, deps: InboundDeps, talk: FrameHandler) {
    this.#channel = channel;
    this.#deps = deps;
    this.#talk = talk;
    const part = separateProblems(deps);
    this.#problems = { tls: part().reportProblem, mllp: part().reportProblem, size: part().reportProblem };
  }

  #report(kind: Problem, problem: string): void {
    this.#hasProblem = true;
    this.#problems[kind](problem);
  }

  #clearProblems(): void {
    if (!this.#hasProblem) return;
    this.#hasProblem = false;
    for (const report of Object.values(this.#problems)) report(null);
  }

  async open(doorkeeper: Pick<Doorkeeper, 'tls' | 'mayConnect'>): Promise<OpenChannel> {
    const { port, host = defaultHost } = this.#channel.settings;
    const server = createListener({
      ...doorkeeper,
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
      this.#deps.log({ level: 'error', event: 'hl7_listener_failed', ...describeError(error) }),
    );
    const { address, port: actual } = server.address() as AddressInfo;
    return {
      address: isIPv6(address) ? `[${address}]:${actual}` : `${address}:${actual}`,
      close: () => this.#close(server),
    };
  }

  /** Answers messages in progress, then ends all connections. */
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
    this.#report('tls', `A sender cannot connect. ${describeFailure(failure)} The log has its address.`);
  }

  #refuseTls(address: string): void {
    this.#note('hl7_speaks_tls', address);
    this.#report(
      'tls',
      'A sender uses TLS, but the channel does not. Set tls_certificate and tls_key. The log has its address.',
    );
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
    let cancel = (): void => {};
    const wait = (seconds: number, event: string): void => {
      cancel();
      cancel = machine.schedule(machine.now() + seconds * 1000, () => {
        this.#note(event, address);
        socket.destroy();
      });
    };
    const end = (): void => void (isBusy || socket.destroy());
    this.#closing.signal.addEventListener('abort', end);
    try {
      wait(idle_seconds, 'hl7_connection_idle');
      let wasOpen = false;
      // A paused read slows the sender down: at most one chunk is buffered.
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        if (!frames.isOpen && isTls(chunk)) return this.#refuseTls(address);
        isBusy = true;
        for (const found of frames.push(chunk)) {
          cancel();
          wasOpen = false;
          if (!(await this.#handle(found, socket, address)) || this.#closing.signal.aborted) return;
        }
        isBusy = false;
        if (!frames.isOpen) wait(idle_seconds, 'hl7_connection_idle');
        // Measured from the first byte, not from the latest chunk.
        else if (!wasOpen) wait(frame_seconds, 'hl7_message_slow');
        wasOpen = frames.isOpen;
      }
      if (frames.isOpen) this.#note('hl7_message_cut_off', address);
    } finally {
      cancel();
      this.#closing.signal.removeEventListener('abort', end);
    }
  }

  /** Resolves to whether the connection continues. */
  async #handle(found: FrameEvent, socket: Socket, address: string): Promise<boolean> {
    if (found.kind === 'cut_off') {
      this.#note('hl7_message_cut_off', address);
      return true;
    }
    if (found.kind === 'stranger') {
      this.#note('hl7_no_mllp', address);
      this.#report('mllp', 'A peer connects but does not send MLLP. The log has its address.');
      return false;
    }
    if (found.kind === 'too_large') {
      await this.#refuseLarge(found.beginning, socket, address);
      return false;
    }
    const { answer, outcome, code } = await this.#talk.answer(found.bytes);
    if (outcome === 'rejected' || outcome === 'unavailable' || outcome === 'refused') {
      this.#note(`hl7_message_${outcome}`, address, { code });
    }
    if (outcome === 'taken') this.#clearProblems();
    if (!answer) return true;
    return this.#send(socket, answer);
  }

  async #refuseLarge(beginning: Buffer, socket: Socket, address: string): Promise<void> {
    const { max_kib = 1024 } = this.#channel.settings;
    this.#note('hl7_message_too_large', address);
    this.#report('size', `A message was refused because it is larger than max_kib (${max_kib}).`);
    const message = this.#talk.frameOf(beginning)?.messages[0];
    if (!message) return;
    const { header } = message;
    const fault = {
      number: 207,
      message: `The message is larger than ${max_kib} KiB. Do not send it again unchanged.`,
    };
    const now = this.#deps.clock.now();
    const ids = { id: this.#talk.newId(), answered: header.field(10), now };
    const text = writeAck(header, { code: 'AE', faults: [fault] }, ids);
    if (text !== undefined) await this.#send(socket, Buffer.from(text, 'latin1'));
  }

  /** Resolves to whether the answer was sent: a closing socket reports an error for unsent data. */
  #send(socket: Socket, answer: Buffer): Promise<boolean> {
    return new Promise((resolve) => void socket.write(framed(answer), (error) => resolve(!error)));
  }
}

/** Maps the type of a message (MSH-9.1) and a contract field to the location in the message. */
async function createFieldLocator(): Promise<(type: string, field: string) => string | undefined> {
  const { hl7Mappings, orderMessages, patientMappings } =
    await import('../../../../../src/files/worklist/hl7/fields.ts');
  return (type, field) => {
    const table = orderMessages[type];
    const mappings = table === undefined ? patientMappings.PID : hl7Mappings[table];
    return mappings.find(({ to }) => to === field)?.from[0];
  };
}
