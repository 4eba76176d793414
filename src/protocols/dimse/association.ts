/** An association: a connection over which both sides have agreed on services and their syntaxes (PS3.8 7). */
import type { Socket } from 'node:net';
import { AppError } from '../../contract/errors.ts';
import { isSystemError } from '../../node/system-error.ts';
import { describeFailure, tlsFailure } from '../../node/tls/failures.ts';
import { readCommand, writeCommand } from './command.ts';
import type { Command } from './command.ts';
import { ByteCollector } from '../../node/byte-collector.ts';
import { abortPdu, dataHead, dataPdu, fragmentHead, malformed, readPdus, releasedPdu, releasePdu } from './pdu.ts';
import type { Fragment, Pdu } from './pdu.ts';

/** The longest P-DATA unit that Laudio accepts, in bytes; no longer than other systems send. */
export const maxLength = 65_536;
/** Association units list services, and may be longer. */
const maxUnit = 1024 * 1024;
/** The longest message that Laudio accepts, in bytes, including the heads of its fragments: a fragment may be empty. */
const maxMessage = 16 * 1024 * 1024;
const longer = 'its message is too long';
const tooMuch = (): AppError =>
  new AppError('BAD_ANSWER', { message: 'The other side sent too long a message.', details: { reason: longer } });
/** Whether a message was longer than any that is taken. */
export const isTooMuch = (error: unknown): boolean => error instanceof AppError && error.details?.['reason'] === longer;
/** The longest command, in bytes: it holds a few numbers, UIDs and a comment of 64 characters. */
const maxCommand = 64 * 1024;
/** If the other side sets no limit, its units are as long as ours. */
const defaultLength = maxLength;
/**
 * The smallest accepted limit for our units, in bytes: below it, heads take more room than the content. Below
 * `dataHead` nothing could be sent at all.
 */
export const minLength = 128;
/** Bytes of small units that are written together. */
const writtenTogether = 64 * 1024;

/** A command, with its data set if it has one. */
export interface Message {
  readonly context: number;
  readonly command: Command;
  readonly data: Buffer | undefined;
}

/** A service that both sides agreed on. */
export interface AgreedContext {
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

  /** `silentMs`: how long the other side may be silent while this side waits for it. */
  constructor(socket: Socket, silentMs: number, signal: AbortSignal) {
    this.#socket = socket;
    this.#silentMs = silentMs;
    const fail = (failure: AppError): void => {
      this.#failure ??= failure;
      socket.destroy();
    };
    // An error also ends the reading, which reports it.
    socket.on('error', () => undefined);
    socket.setTimeout(silentMs, () =>
      fail(new AppError('NETWORK', { message: `The other side said nothing for ${silentMs / 1000} s.` })),
    );
    const stop = (): void => fail(new AppError('INTERRUPTED'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    socket.once('close', () => signal.removeEventListener('abort', stop));
    this.#pdus = readPdus(socket, maxUnit);
  }

  /** The next unit; `undefined` if the other side closed the connection between two units. */
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
    // A peer that reads nothing is cut off like one that sends nothing, also while nothing is awaited.
    const { timeout = 0 } = this.#socket;
    this.#socket.setTimeout(this.#silentMs);
    try {
      await new Promise<void>((resolve, reject) =>
        this.#socket.write(bytes, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      throw this.#explained(error);
    } finally {
      this.#socket.setTimeout(timeout);
    }
  }

  /** No unit is awaited for now: the other side may be silent. */
  pause(): void {
    this.#socket.setTimeout(0);
  }

  /** A unit is awaited again. */
  resume(): void {
    this.#socket.setTimeout(this.#silentMs);
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
  if (failure)
    return new AppError('NETWORK', { message: describeFailure(failure), details: { reason: failure.reason } });
  const code = isSystemError(error) ? ` (${error.code})` : '';
  return new AppError('NETWORK', { message: `The connection broke${code}.`, cause: error });
}

/** Refuses a limit for our units (0: none) that leaves no room for content. */
export function checkPeerLength(peerLength: number): void {
  if (peerLength === 0 || peerLength >= minLength) return;
  throw new AppError('BAD_ANSWER', {
    message: `The other side takes units of at most ${peerLength} bytes, which leaves no room for messages.`,
    hint: `Set its maximum PDU length to ${minLength} bytes or more; 16384 is usual.`,
  });
}

interface Terms {
  readonly agreed: readonly AgreedContext[];
  /** The longest P-DATA unit that the other side accepts; 0 is no limit. */
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

  get agreed(): readonly AgreedContext[] {
    return this.#terms.agreed;
  }

  /** A number for the next request, from 1 to 65,535. */
  nextId(): number {
    return (this.#lastId = (this.#lastId % 65_535) + 1);
  }

  async send(context: number, command: Command, data?: Uint8Array): Promise<void> {
    let written: Buffer[] = [];
    let size = 0;
    for (const unit of this.#unitsOf(context, command, data)) {
      written.push(unit);
      size += unit.length;
      if (size < writtenTogether) continue;
      await this.#wire.write(Buffer.concat(written));
      written = [];
      size = 0;
    }
    await this.#wire.write(Buffer.concat(written));
  }

  *#unitsOf(context: number, command: Command, data: Uint8Array | undefined): Generator<Buffer> {
    const { peerLength } = this.#terms;
    const maxContent = Math.min(peerLength === 0 ? defaultLength : peerLength, defaultLength) - dataHead;
    const parts: [boolean, Uint8Array][] = [[true, writeCommand({ ...command, hasData: data !== undefined })]];
    if (data) parts.push([false, data]);
    for (const [isCommand, bytes] of parts) {
      let at = 0;
      do {
        const end = Math.min(bytes.length, at + maxContent);
        const fragment = Buffer.from(bytes.subarray(at, end));
        yield dataPdu({ context, isCommand, isLast: end === bytes.length, bytes: fragment });
        at = end;
      } while (at < bytes.length);
    }
  }

  #fragments: Iterator<Fragment> = [].values();
  #isReleased = false;
  readonly #command = new ByteCollector();
  readonly #data = new ByteCollector();

  /** The next fragment of the unit at hand. */
  #fragment(): Fragment | undefined {
    try {
      const { value, done } = this.#fragments.next();
      return done ? undefined : value;
    } catch (error) {
      this.#wire.destroy();
      throw error;
    }
  }

  /** Waits for the next unit with fragments. Resolves to false once the association is released. */
  async #receive(): Promise<boolean> {
    if (this.#isReleased) return false;
    const pdu = await this.#wire.next();
    switch (pdu?.type) {
      case 'data':
        this.#fragments = pdu.fragments[Symbol.iterator]();
        return true;
      case 'release':
        this.#isReleased = true;
        await this.#wire.write(releasedPdu());
        this.#wire.end();
        return false;
      case 'released':
        this.#isReleased = true;
        return false;
      case undefined:
      case 'abort':
        throw new AppError('NETWORK', { message: 'The other side ended the association.' });
      default:
        throw malformed();
    }
  }

  /** The next message; `undefined` once the association is released. */
  async next(): Promise<Message | undefined> {
    let command: Command | undefined;
    let size = 0;
    for (;;) {
      const fragment = this.#fragment();
      if (!fragment) {
        if (await this.#receive()) continue;
        return undefined;
      }
      const { context, isCommand, isLast, bytes } = fragment;
      size += fragmentHead + bytes.length;
      const part = isCommand ? this.#command : this.#data;
      part.add(bytes);
      const isTooLong = size > maxMessage || this.#command.length > maxCommand;
      if (isTooLong || !this.agreed.some(({ id }) => id === context)) {
        await this.abort();
        throw isTooLong ? tooMuch() : malformed();
      }
      if (!isLast) continue;
      const whole = part.take();
      if (isCommand) {
        command = readCommand(whole);
        if (!command.hasData) return { context, command, data: undefined };
      } else if (command) return { context, command, data: whole };
    }
  }

  /** Releases the association; aborts it if the other side does not answer. */
  async release(): Promise<void> {
    try {
      await this.#wire.write(releasePdu());
      for (let size = 0; size <= maxMessage;) {
        const fragment = this.#fragment();
        if (fragment) size += fragmentHead + fragment.bytes.length;
        else if (!(await this.#receive())) break;
      }
    } catch {
      // All requests are answered: how the connection ends does not matter.
    } finally {
      this.#wire.end();
    }
  }

  async abort(): Promise<void> {
    await this.#wire.write(abortPdu()).catch(() => undefined);
    this.#wire.destroy();
  }

  /** This side works while the other side waits. */
  pause(): void {
    this.#wire.pause();
  }

  /** This side waits again. */
  resume(): void {
    this.#wire.resume();
  }
}
