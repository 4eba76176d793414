/** An association: a connection over which both sides have agreed which services they use, and in which syntax (PS3.8 7). */
import type { Socket } from 'node:net';
import { AppError } from '../../contract/errors.ts';
import { isSystemError } from '../system-error.ts';
import { saidOf, tlsFailure } from '../tls/failures.ts';
import { readCommand, writeCommand } from './command.ts';
import type { Command } from './command.ts';
import { abortPdu, dataPdu, fragmentHead, malformed, readPdus, releasedPdu, releasePdu } from './pdu.ts';
import type { Pdu } from './pdu.ts';

/** The longest P-DATA unit that Laudio takes, in bytes; within what other systems send at most. */
export const maxLength = 65_536;
/** Association units list services, and may be longer. */
const longestUnit = 1024 * 1024;
/** The longest data set that Laudio takes, in bytes. */
const longestData = 16 * 1024 * 1024;
/** Where the other side sets no limit, its units are as long as ours. */
const usualLength = maxLength;

/** A command, with its data set where it has one. */
export interface Message {
  readonly context: number;
  readonly command: Command;
  readonly data: Buffer | undefined;
}

/** A service that both sides agreed on. */
export interface Agreed {
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntax: string;
}

/** A connection whose units are read and written; its errors are AppErrors without what was sent. */
export class Wire {
  readonly #socket: Socket;
  readonly #pdus: AsyncGenerator<Pdu>;
  readonly #silentMs: number;
  #failure: AppError | undefined;

  /** `silentMs`: how long the other side may say nothing, while this side waits for it. */
  constructor(socket: Socket, silentMs: number, signal: AbortSignal) {
    this.#socket = socket;
    this.#silentMs = silentMs;
    const fail = (failure: AppError): void => {
      this.#failure ??= failure;
      socket.destroy();
    };
    // An error also ends the reading, which tells of it.
    socket.on('error', () => undefined);
    socket.setTimeout(silentMs, () =>
      fail(new AppError('NETWORK', { message: `The other side said nothing for ${silentMs / 1000} s.` })),
    );
    const stop = (): void => fail(new AppError('INTERRUPTED'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    socket.once('close', () => signal.removeEventListener('abort', stop));
    this.#pdus = readPdus(socket, longestUnit);
  }

  /** The next unit; `undefined` where the other side closed the connection between two units. */
  async next(): Promise<Pdu | undefined> {
    this.#socket.setTimeout(this.#silentMs);
    try {
      const { value, done } = await this.#pdus.next();
      if (this.#failure) throw this.#failure;
      return done ? undefined : value;
    } catch (error) {
      throw this.#explained(error);
    }
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await new Promise<void>((resolve, reject) =>
        this.#socket.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** No unit is awaited for now: the other side need not say anything. */
  pause(): void {
    this.#socket.setTimeout(0);
  }

  end(): void {
    this.#socket.destroySoon();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #explained(error: unknown): AppError {
    if (this.#failure) return this.#failure;
    this.#socket.destroy();
    return explained(error);
  }
}

export function explained(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const failure = tlsFailure(error);
  if (failure) return new AppError('NETWORK', { message: saidOf(failure), details: { reason: failure.reason } });
  const code = isSystemError(error) ? ` (${error.code})` : '';
  return new AppError('NETWORK', { message: `The connection broke${code}.`, cause: error });
}

interface Terms {
  readonly agreed: readonly Agreed[];
  /** The longest P-DATA unit that the other side takes; 0 is no limit. */
  readonly peerLength: number;
}

export class Association {
  readonly #wire: Wire;
  readonly #terms: Terms;
  #lastId = 0;

  constructor(wire: Wire, terms: Terms) {
    this.#wire = wire;
    this.#terms = terms;
  }

  get agreed(): readonly Agreed[] {
    return this.#terms.agreed;
  }

  /** A number for the next request, from 1 to 65,535. */
  nextId(): number {
    return (this.#lastId = (this.#lastId % 65_535) + 1);
  }

  async send(context: number, command: Command, data?: Uint8Array): Promise<void> {
    const { peerLength } = this.#terms;
    const longest = Math.min(peerLength === 0 ? usualLength : peerLength, usualLength) - fragmentHead;
    const parts: [boolean, Uint8Array][] = [[true, writeCommand({ ...command, hasData: data !== undefined })]];
    if (data) parts.push([false, data]);
    for (const [isCommand, bytes] of parts) {
      let at = 0;
      do {
        const end = Math.min(bytes.length, at + longest);
        const fragment = Buffer.from(bytes.subarray(at, end));
        await this.#wire.write(dataPdu({ context, isCommand, isLast: end === bytes.length, bytes: fragment }));
        at = end;
      } while (at < bytes.length);
    }
  }

  #fragments = this.#read();
  #command: Buffer[] = [];
  #data: Buffer[] = [];

  async *#read() {
    for (;;) {
      const pdu = await this.#wire.next();
      if (pdu?.type === 'data') yield* pdu.fragments;
      else if (pdu?.type === 'release') {
        await this.#wire.write(releasedPdu());
        this.#wire.end();
        return;
      } else if (pdu === undefined || pdu.type === 'abort') {
        throw new AppError('NETWORK', { message: 'The other side ended the association.' });
      } else if (pdu.type === 'released') return;
      else throw malformed();
    }
  }

  /** The next message; `undefined` once the association is released. */
  async next(): Promise<Message | undefined> {
    let command: Command | undefined;
    let size = 0;
    for (;;) {
      const { value: fragment, done } = await this.#fragments.next();
      if (done) return undefined;
      const { context, isCommand, isLast, bytes } = fragment;
      size += bytes.length;
      if (size > longestData || !this.agreed.some(({ id }) => id === context)) {
        await this.abort();
        throw malformed();
      }
      const part = isCommand ? this.#command : this.#data;
      part.push(bytes);
      if (!isLast) continue;
      const whole = Buffer.concat(part.splice(0));
      if (isCommand) {
        command = readCommand(whole);
        if (!command.hasData) return { context, command, data: undefined };
      } else if (command) return { context, command, data: whole };
    }
  }

  /** Ends the association in the agreed way, or after all. */
  async release(): Promise<void> {
    try {
      await this.#wire.write(releasePdu());
      while ((await this.#fragments.next()).done !== true);
    } catch {
      // All that was asked is answered: how the connection ends does not matter.
    } finally {
      this.#wire.end();
    }
  }

  async abort(): Promise<void> {
    await this.#wire.write(abortPdu()).catch(() => undefined);
    this.#wire.destroy();
  }

  /** Work goes on here while the other side waits. */
  pause(): void {
    this.#wire.pause();
  }
}
