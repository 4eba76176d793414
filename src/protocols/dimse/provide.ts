/** Provides services to other systems: C-ECHO, and those that a handler answers (PS3.7 9, 10). */
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { AppError } from '../../contract/errors.ts';
import { Association, checkPeerLength, maxLength, Wire } from './association.ts';
import type { AgreedContext, Message } from './association.ts';
import { sopClasses } from './classes.ts';
import { answerTo, commands } from './command.ts';
import type { Command } from './command.ts';
import { implicitLittleEndian, offeredSyntaxes } from './data-set.ts';
import type { Syntax } from './data-set.ts';
import { statuses } from './statuses.ts';
import { describeFailure } from '../../node/tls/failures.ts';
import { createListener } from '../../node/tls/listen.ts';
import type { Doorkeeper } from '../../node/tls/listen.ts';
import { acceptPdu, malformed, rejectPdu } from './pdu.ts';
import type { AnsweredContext, AssociateRequest } from './pdu.ts';
import { findElement } from '../../domain/elements.ts';

/** The handler's part of the answer; the rest follows from the request. */
export interface Answer extends Pick<Command, 'status' | 'comment' | 'errorId' | 'affectedInstance'> {
  /** Data sets that precede it, each in an answer with a pending status (PS3.4 K.4.1.1.4). */
  readonly found?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Objects that are sent before it, over the same association (C-GET). */
  readonly sent?: readonly SentObject[];
}

export interface SentObject {
  readonly affectedClass: string;
  readonly affectedInstance: string;
  /** The object in that syntax. */
  write(syntax: Syntax): Uint8Array;
}

export interface Provider extends Pick<Doorkeeper, 'tls' | 'mayConnect'> {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Our title; empty: any title that the other side uses for us. */
  readonly title: string;
  /** Titles that may call; empty: all. */
  readonly callers: readonly string[];
  /** The services in addition to C-ECHO, as abstract syntaxes. */
  readonly services: readonly string[];
  /** Classes of the objects that it sends in a C-GET: a requester may take the role of their receiver. Default: none. */
  readonly sentClasses?: readonly string[];
  /** The accepted transfer syntaxes. Default: all that Laudio reads. */
  readonly syntaxes?: readonly string[];
  /** The largest number of simultaneous associations. */
  readonly maxAssociations: number;
  readonly silentMs: number;
  /** Answers a request; rejecting it, or failing to find the next data set, answers 0110, processing failure. */
  answer(message: Message, context: AgreedContext): Promise<Answer>;
  /** A request was answered with a processing failure because of this error. */
  onProcessingFailure?(error: unknown): void;
  /** An association was established. */
  onAssociation?(address: string): void;
  /** An association was released. */
  onRelease?(): void;
  /** An association ended because of an error of the other side, broke, or was never established. */
  onFailure(error: AppError, address: string): void;
}

export interface RunningProvider {
  readonly port: number;
  close(): Promise<void>;
}

/** PS3.8 table 9-21. */
const refusals = {
  noReason: { source: 1, reason: 1 },
  unknownCaller: { source: 1, reason: 3 },
  otherTitle: { source: 1, reason: 7 },
  tooMany: { source: 3, reason: 2 },
} as const;
type Refusal = (typeof refusals)[keyof typeof refusals];

/** Listens. Rejects with a system error if the address cannot be bound. */
export async function provide(provider: Provider): Promise<RunningProvider> {
  const { host, port, maxAssociations, tls, mayConnect, onFailure } = provider;
  const ending = new AbortController();
  const open = new Set<Promise<void>>();
  const server = createListener({
    tls,
    mayConnect,
    take(socket, address) {
      const isFull = open.size >= maxAssociations;
      const serving = serve(provider, { socket, address, isFull, signal: ending.signal })
        .catch((error: unknown) => {
          if (!ending.signal.aborted) onFailure(error instanceof AppError ? error : malformed(), address);
        })
        .finally(() => {
          socket.destroy();
          open.delete(serving);
        });
      open.add(serving);
    },
    refused(address, failure) {
      if (ending.signal.aborted) return;
      if (!failure) return onFailure(new AppError('FORBIDDEN', { message: 'That address may not connect.' }), address);
      onFailure(
        new AppError('NETWORK', { message: describeFailure(failure), details: { reason: failure.reason } }),
        address,
      );
    },
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      ending.abort();
      await Promise.all(open);
    },
  };
}

interface Caller {
  readonly socket: Socket;
  readonly address: string;
  /** There are as many associations as there may be. */
  readonly isFull: boolean;
  readonly signal: AbortSignal;
}

async function serve(provider: Provider, { socket, address, isFull, signal }: Caller): Promise<void> {
  const wire = new Wire(socket, provider.silentMs, signal);
  const first = await wire.next();
  if (first === undefined) return;
  if (first.type !== 'request') throw malformed();
  const refuse = async ({ source, reason }: Refusal): Promise<void> => {
    await wire.write(rejectPdu(source, reason));
    wire.end();
  };
  const refusal = isFull ? refusals.tooMany : findRefusal(provider, first.request);
  if (refusal) return refuse(refusal);
  try {
    checkPeerLength(first.request.maxLength);
  } catch (error) {
    await refuse(refusals.noReason);
    throw error;
  }
  const services = new Set<string>([sopClasses.verification, ...provider.services]);
  const { syntaxes = offeredSyntaxes, sentClasses = [] }: Pick<Provider, 'syntaxes' | 'sentClasses'> = provider;
  const { calling, called, contexts } = first.request;
  // A proposed role without an answer is refused: the requester keeps its usual one, and may use the service.
  const roles = (first.request.roles ?? []).filter(({ sopClass }) => sentClasses.includes(sopClass));
  const answered = contexts.map(({ id, abstractSyntax, transferSyntaxes }): AnsweredContext => {
    const syntax = transferSyntaxes.find((each) => syntaxes.includes(each));
    const result = services.has(abstractSyntax) ? (syntax === undefined ? 4 : 0) : 3;
    return { id, result, transferSyntax: syntax ?? implicitLittleEndian };
  });
  await wire.write(acceptPdu({ calling, called, maxLength, contexts: answered, roles }));
  provider.onAssociation?.(address);
  const agreed = answered.flatMap(({ id, result, transferSyntax }): AgreedContext[] => {
    const abstractSyntax = contexts.find((each) => each.id === id)?.abstractSyntax;
    return result === 0 && abstractSyntax !== undefined ? [{ id, abstractSyntax, transferSyntax }] : [];
  });
  await converse(provider, new Association(wire, { agreed, peerLength: first.request.maxLength }), signal);
  if (!signal.aborted) provider.onRelease?.();
}

const findRefusal = ({ title, callers }: Provider, { called, calling }: AssociateRequest) => {
  if (title !== '' && called !== title) return refusals.otherTitle;
  if (callers.length > 0 && !callers.includes(calling)) return refusals.unknownCaller;
  return undefined;
};

async function converse(provider: Provider, association: Association, signal: AbortSignal): Promise<void> {
  const over = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new AppError('INTERRUPTED')), { once: true });
  });
  over.catch(() => undefined);
  let ahead: Promise<Message | undefined> | undefined;
  const nextMessage = (): Promise<Message | undefined> => {
    const next = ahead ?? association.next();
    if (ahead) association.resume();
    ahead = undefined;
    return next;
  };
  const fail = (error: unknown): Answer => {
    if (!signal.aborted) provider.onProcessingFailure?.(error);
    return { status: statuses.processingFailure };
  };
  for (let message = await nextMessage(); message; message = await nextMessage()) {
    const { context, command } = message;
    // The operation that it would cancel has ended.
    if (command.field === commands.cancelRequest) continue;
    const agreed = findElement(association.agreed, ({ id }) => id === context);
    association.pause();
    const {
      found = [],
      sent = [],
      ...answer
    }: Answer = command.field === commands.echoRequest
      ? { status: statuses.success }
      : await Promise.race([provider.answer(message, agreed), over]).catch(fail);
    // The requester no longer waits for an answer.
    if (signal.aborted) return;
    const head = {
      field: answerTo(command.field),
      ...(command.messageId !== undefined && { respondedTo: command.messageId }),
      affectedClass: command.affectedClass ?? command.requestedClass ?? agreed.abstractSyntax,
    };
    let isCancelled = false;
    let end = answer;
    for await (const data of untilFailure(found, (error) => (end = fail(error)))) {
      await association.send(context, { ...head, status: statuses.pending }, data);
      if (!ahead) {
        ahead = association.next();
        association.pause();
        ahead.then(
          (next) => (isCancelled = isCancellation(next?.command, command)),
          () => undefined,
        );
      }
      if (isCancelled) break;
    }
    for (const object of sent) await sendObject(association, object);
    const affectedInstance = command.affectedInstance ?? command.requestedInstance;
    if (isCancelled) end = { status: statuses.cancelled };
    await association.send(context, { ...head, ...(affectedInstance && { affectedInstance }), ...end });
  }
}

/** The data sets up to the first that can't be made; `fail` takes the error. */
async function* untilFailure(
  found: NonNullable<Answer['found']>,
  fail: (error: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* found;
  } catch (error) {
    fail(error);
  }
}

const isCancellation = (next: Command | undefined, { messageId }: Command): boolean =>
  next?.field === commands.cancelRequest && next.respondedTo === messageId;

/** Sends an object in the middle of a C-GET; its outcome is the requester's concern. */
async function sendObject(association: Association, { write, ...names }: SentObject): Promise<void> {
  const agreed = association.agreed.find(({ abstractSyntax }) => abstractSyntax === names.affectedClass);
  if (!agreed) return;
  const request = { field: commands.storeRequest, messageId: association.nextId(), priority: 0, ...names };
  await association.send(agreed.id, request, write(agreed.transferSyntax as Syntax));
  const answer = await association.next();
  if (answer?.command.field !== commands.storeAnswer) throw malformed();
}
