/** Sends messages over persistent MLLP connections. Each has one message in flight, and its acknowledgement must name it. */
import type { Socket } from 'node:net';
import { AppError } from '../../../../../src/contract/errors.ts';
import { framed, Frames } from '../../../../../src/protocols/mllp/frames.ts';
import { openConnection, readyEvent } from '../../../../../src/node/tls/connect.ts';
import type { ConnectTarget } from '../../../../../src/node/tls/connect.ts';
import { controlIdOf } from '../../../../storage/control-id.ts';
import { encodeHl7 } from '../../../formats/hl7/character-sets.ts';
import type { SendResult, ChannelConfig, OutboundDeps, Sender } from '../../channel.ts';
import { retryLater, retryAfterFailure, refuse } from '../../failures.ts';
import { readCallingTls } from '../../tls-settings.ts';
import type { Hl7OutSettings } from './settings.ts';
import { parseAcknowledgement, toSendResult } from './verdict.ts';
import { elementAt } from '../../../../../src/domain/elements.ts';

/** Maximum size of an acknowledgement in bytes. */
const answerLimit = 256 * 1024;

/** Rejects with CONFIGURATION if the settings contradict each other. */
export async function openClient({ settings }: ChannelConfig<Hl7OutSettings>, _deps: OutboundDeps): Promise<Sender> {
  if (settings.pdf === 'link' && settings.pdf_link === undefined) {
    throw new AppError('CONFIGURATION', { message: 'pdf is link, but pdf_link is not set.' });
  }
  const { host, port, connections: maxInFlight = 1, answer_seconds: seconds = 30, idle_seconds: idle = 300 } = settings;
  const called = { host, port, tls: await readCallingTls(settings) };
  const connections = Array.from({ length: maxInFlight }, () => new Connection(called, idle * 1000));
  const limited = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const { character_set: charset = 'UNICODE UTF-8', unknown_letters: unknown } = settings;
  const encode = (content: Uint8Array) => encodeHl7(Buffer.from(content).toString('utf8'), charset, unknown);
  return {
    address: `${host}:${port}`,
    formats: ['hl7'],
    hl7: settings,
    maxInFlight,
    async test(signal) {
      const connection = new Connection(called, idle * 1000);
      try {
        await connection.open(limited(signal));
      } catch (error) {
        throw new AppError('CONFIGURATION', { message: retryAfterFailure(toCause(error, signal)).error.message });
      } finally {
        connection.close();
      }
      return 'The other side accepts the connection. Nothing was sent.';
    },
    toSentBytes(content) {
      const encoded = encode(content);
      return 'bytes' in encoded ? encoded.bytes : content;
    },
    async send(message, signal) {
      const encoded = encode(elementAt(message.contents, 0));
      if ('lacking' in encoded) return lacksLetter(encoded.lacking, charset);
      const connection = connections.find(({ isFree }) => isFree);
      if (!connection) return retryLater('BUSY', 'Every connection is in use.');
      return connection.exchange(encoded.bytes, controlIdOf(message.id), limited(signal));
    },
    async close() {
      for (const connection of connections) connection.close();
    },
  };
}

const lacksLetter = (letter: string, charset: string): SendResult =>
  refuse(
    'CHARACTER_SET',
    `The document has the character ${letter}, which ${charset} lacks.`,
    'Set character_set to UNICODE UTF-8 if the other side supports it, or unknown_letters to replace, and retry.',
  );

/** Why the exchange ended: after a timeout, the reason of the signal. */
const toCause = (error: unknown, signal: AbortSignal): unknown => (signal.aborted ? signal.reason : error);

class Connection {
  readonly #called: ConnectTarget;
  readonly #idleMs: number;
  #socket: Socket | undefined;
  #isBusy = false;
  /** Receives each incoming message, and the end of the connection. */
  #hear: { answer(bytes: Buffer): void; end(error: Error): void } | undefined;

  constructor(called: ConnectTarget, idleMs: number) {
    this.#called = called;
    this.#idleMs = idleMs;
  }

  get isFree(): boolean {
    return !this.#isBusy;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /** Sends the message and waits for its acknowledgement. Retries once if an earlier connection turns out to be dead. */
  async exchange(bytes: Buffer, id: string, signal: AbortSignal): Promise<SendResult> {
    this.#isBusy = true;
    const wasOpen = this.#socket !== undefined;
    try {
      return await this.#exchange(bytes, id, signal).catch((error: unknown) => {
        if (!wasOpen || signal.aborted) throw error;
        return this.#exchange(bytes, id, signal);
      });
    } catch (error) {
      return retryAfterFailure(toCause(error, signal));
    } finally {
      this.#isBusy = false;
    }
  }

  async #exchange(bytes: Buffer, id: string, signal: AbortSignal): Promise<SendResult> {
    try {
      const socket = await this.open(signal);
      const { promise, resolve, reject } = Promise.withResolvers<SendResult>();
      const abort = (): void => reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      this.#hear = {
        answer: (answer) => {
          const acknowledgement = parseAcknowledgement(answer);
          // An acknowledgement of another message came too late.
          if (acknowledgement?.of === id) resolve(toSendResult(acknowledgement));
        },
        end: reject,
      };
      try {
        socket.setTimeout(0);
        socket.write(framed(bytes));
        return await promise;
      } finally {
        signal.removeEventListener('abort', abort);
        this.#hear = undefined;
        if (this.#idleMs === 0) this.close();
        else socket.setTimeout(this.#idleMs);
      }
    } catch (error) {
      // A later acknowledgement on this connection would belong to this message.
      this.close();
      throw error;
    }
  }

  async open(signal: AbortSignal): Promise<Socket> {
    if (this.#socket) return this.#socket;
    signal.throwIfAborted();
    const socket = openConnection(this.#called);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => void socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    let failure: Error | undefined;
    const frames = new Frames(answerLimit);
    socket
      .once(readyEvent(this.#called), resolve)
      .on('error', (error) => void (failure = error))
      .on('timeout', () => socket.destroy())
      .on('end', () => socket.destroy())
      .on('close', () => {
        if (this.#socket === socket) this.#socket = undefined;
        const error = failure ?? Object.assign(new Error('The connection ended.'), { code: 'ECONNRESET' });
        reject(error);
        this.#hear?.end(error);
      })
      .on('data', (chunk: Buffer) => {
        for (const found of frames.push(chunk)) {
          if (found.kind === 'message') this.#hear?.answer(found.bytes);
          else if (found.kind !== 'cut_off') socket.destroy();
        }
      });
    this.#socket = socket;
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', abort);
    }
    return socket;
  }
}
