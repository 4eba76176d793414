/** Requests an association with another system, and services over it: C-ECHO, C-FIND, C-GET, C-MOVE, C-STORE (PS3.7 9). */
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { AppError } from '../../contract/errors.ts';
import { openConnection, readyEvent } from '../../node/tls/connect.ts';
import type { ConnectTarget } from '../../node/tls/connect.ts';
import { Association, checkPeerLength, explained, maxLength, Wire } from './association.ts';
import type { AgreedContext, Message } from './association.ts';
import { findEntry } from '../../domain/find-entry.ts';
import { answerTo, commands, hex } from './command.ts';
import type { Command } from './command.ts';
import { classNames, sopClasses } from './classes.ts';
import { offeredSyntaxes } from './data-set.ts';
import { statuses } from './statuses.ts';
import { malformed, requestPdu } from './pdu.ts';

/** Another system, and the titles that both use. */
export interface Peer extends ConnectTarget {
  readonly calling: string;
  readonly called: string;
  /** How long the other side may be silent, in ms. */
  readonly silentMs: number;
}

/** A service, and the transfer syntaxes that it may use, best first. */
export interface RequestedContext {
  readonly abstractSyntax: string;
  readonly transferSyntaxes: readonly string[];
  /** Objects of this class are received, not sent. */
  readonly isReceived?: true;
}

/** A service in each syntax that Laudio reads and writes. */
export const requestContext = (abstractSyntax: string): RequestedContext => ({
  abstractSyntax,
  transferSyntaxes: offeredSyntaxes,
});

/** A class of objects that come with a C-GET. */
export const receivedContext = (abstractSyntax: string): RequestedContext => ({
  ...requestContext(abstractSyntax),
  isReceived: true,
});

/** PS3.8 table 9-21: the reasons that a person can act on. */
const rejections: Readonly<Record<string, string>> = {
  '1.3': 'it does not know our title (calling)',
  '1.7': 'its title is another one (called)',
  '3.1': 'it is busy',
  '3.2': 'it has too many associations',
};

/** Connects and agrees on services. Rejects with NETWORK if the other side cannot be reached or does not agree. */
export async function associate(
  { calling, called, silentMs, ...address }: Peer,
  wanted: readonly RequestedContext[],
  signal: AbortSignal,
): Promise<Association> {
  const socket = await connected(address, silentMs, signal);
  const wire = new Wire(socket, silentMs, signal);
  const contexts = wanted.map((service, at) => ({ id: 2 * at + 1, ...service }));
  try {
    const received = wanted.filter(({ isReceived }) => isReceived);
    const roles = received.map((each) => ({ sopClass: each.abstractSyntax, isUser: false, isProvider: true }));
    await wire.write(requestPdu({ calling, called, maxLength, contexts, roles }));
    const answer = await wire.next();
    if (answer?.type === 'reject') {
      const why = rejections[`${answer.source}.${answer.reason}`] ?? `reason ${answer.source}.${answer.reason}`;
      throw new AppError('NETWORK', {
        message: `The other side does not let us in: ${why}.`,
        hint: 'Have both sides enter the same titles, and this computer at theirs.',
      });
    }
    if (answer === undefined) throw cutOff(address);
    if (answer.type !== 'accept') throw malformed();
    checkPeerLength(answer.accept.maxLength);
    const agreed = contexts.flatMap(({ id, abstractSyntax, transferSyntaxes }): AgreedContext[] => {
      const said = answer.accept.contexts.find((each) => each.id === id);
      // An accepted syntax that was not proposed is one that this side cannot write.
      const isAgreed = said?.result === 0 && transferSyntaxes.includes(said.transferSyntax);
      return isAgreed ? [{ id, abstractSyntax, transferSyntax: said.transferSyntax }] : [];
    });
    return new Association(wire, { agreed, peerLength: answer.accept.maxLength });
  } catch (error) {
    wire.destroy();
    throw wasCut(error) ? cutOff(address) : error;
  }
}

async function connected(called: ConnectTarget, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  const socket = openConnection(called);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    await once(socket, readyEvent(called), { signal: AbortSignal.any([signal, late]) });
    return socket;
  } catch (error) {
    const isReached = !socket.connecting;
    socket.on('error', () => undefined);
    socket.destroy();
    if (signal.aborted) throw new AppError('INTERRUPTED');
    if (late.aborted) throw silent(isReached ? called : {});
    const { message, details } = explained(error);
    if (details) throw new AppError('NETWORK', { message, details });
    throw new AppError('NETWORK', {
      message: message.replace('The connection broke', 'The other side cannot be reached'),
      hint: 'Check host and port, and that the other side runs.',
      cause: error,
    });
  }
}

const silent = ({ tls }: Pick<ConnectTarget, 'tls'>): AppError =>
  new AppError('NETWORK', {
    message: `The other side does not answer${tls ? ' by TLS' : ''}.`,
    ...(tls && { hint: 'Does it speak TLS there?' }),
  });

/** Whether the connection ended without a known reason. */
const wasCut = (error: unknown): boolean =>
  error instanceof AppError &&
  /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE)$/.test(
    String((error.cause as { code?: unknown } | undefined)?.code),
  );

/** Most systems end a connection silently if they expect TLS. */
const cutOff = ({ tls }: ConnectTarget): AppError =>
  new AppError('NETWORK', {
    message: 'The other side ended the connection before it answered.',
    hint: tls ? 'Does it take our certificate, and us?' : 'Does it want TLS (tls)? Does it know this computer?',
  });

/** The agreement on a service. NETWORK if the other side does not offer it. */
export function agreementOn(association: Association, abstractSyntax: string, name: string): AgreedContext {
  const agreed = association.agreed.find((each) => each.abstractSyntax === abstractSyntax);
  if (!agreed) {
    throw new AppError('NETWORK', {
      message: `The other side does not offer ${name}, in Explicit or Implicit VR Little Endian.`,
      hint: 'Have it accept that from our title.',
    });
  }
  return agreed;
}

/** Whether the other side responds. Rejects with NETWORK if it does not. */
export const echo = async (peer: Peer, signal: AbortSignal): Promise<void> => void (await echoFor(peer, [], signal));

/**
 * Checks that the other side responds and offers the required services: a system that answers C-ECHO may still refuse
 * all objects. Resolves to the agreements; rejects with NETWORK if it does not respond, or does not offer one of them.
 */
export async function echoFor(
  peer: Peer,
  services: readonly string[],
  signal: AbortSignal,
): Promise<readonly AgreedContext[]> {
  const { verification } = sopClasses;
  const association = await associate(peer, [verification, ...services].map(requestContext), signal);
  try {
    const agreed = services.map((service) => agreementOn(association, service, classNames[service] ?? service));
    const isVerifiable = association.agreed.some(({ abstractSyntax }) => abstractSyntax === verification);
    if (isVerifiable || services.length === 0) {
      const { id } = agreementOn(association, verification, 'verification');
      await ask(association, id, { field: commands.echoRequest, affectedClass: verification });
    }
    return agreed;
  } finally {
    await association.release();
  }
}

/** Sends a request and resolves to its answer. */
export async function ask(
  association: Association,
  context: number,
  request: Command,
  data?: Uint8Array,
): Promise<Command> {
  const messageId = association.nextId();
  await association.send(context, { ...request, messageId }, data);
  const answer = await association.next();
  if (answer?.command.field !== answerTo(request.field) || answer.command.respondedTo !== messageId) throw malformed();
  return answer.command;
}

/** Stores an object on the other side; resolves to its status (PS3.4 B.2.3). */
export const store = (
  association: Association,
  { id }: AgreedContext,
  { affectedClass, affectedInstance }: Required<Pick<Command, 'affectedClass' | 'affectedInstance'>>,
  dataSet: Uint8Array,
): Promise<Command> =>
  ask(association, id, { field: commands.storeRequest, priority: 0, affectedClass, affectedInstance }, dataSet);

const pending: ReadonlySet<number> = new Set([statuses.pending, statuses.pendingInPart]);

/**
 * Queries the other side, and yields the data set of each match, on demand. Stopping early cancels the query. Rejects
 * with NETWORK if the other side refuses it.
 */
export async function* find(
  association: Association,
  { id, abstractSyntax }: AgreedContext,
  query: Uint8Array,
): AsyncGenerator<Buffer> {
  const messageId = association.nextId();
  const request = { field: commands.findRequest, affectedClass: abstractSyntax, messageId, priority: 0 };
  await association.send(id, request, query);
  let isOver = false;
  try {
    for (;;) {
      const answer = await association.next();
      if (answer?.command.field !== commands.findAnswer || answer.command.respondedTo !== messageId) throw malformed();
      const { status } = answer.command;
      if (status === undefined) throw malformed();
      if (pending.has(status) && answer.data) {
        association.pause();
        yield answer.data;
        continue;
      }
      isOver = true;
      if (status === statuses.success || status === statuses.cancelled) return;
      throw new AppError('NETWORK', {
        message: `The other side refused the query with status ${hex(status)}.`,
        hint: 'Its log says why.',
      });
    }
  } finally {
    if (!isOver) await association.abort();
  }
}

/** An object that another system sent. */
export interface ReceivedObject {
  readonly instance: string;
  readonly dataSet: Buffer;
  readonly transferSyntax: string;
}

/**
 * Has the other side send the objects of a query over this association, and yields them on demand (C-GET, PS3.4 C.4.3). Rejects
 * with NETWORK if it refuses, or fails to send one.
 */
export async function* get(
  association: Association,
  { id, abstractSyntax }: AgreedContext,
  query: Uint8Array,
): AsyncGenerator<ReceivedObject> {
  const messageId = association.nextId();
  await association.send(
    id,
    { field: commands.getRequest, affectedClass: abstractSyntax, messageId, priority: 0 },
    query,
  );
  for (;;) {
    const message = await association.next();
    if (message?.command.field === commands.storeRequest) {
      yield await takeObject(association, message);
      continue;
    }
    if (message?.command.field !== commands.getAnswer || message.command.respondedTo !== messageId) throw malformed();
    if (!pending.has(message.command.status ?? 0)) return checkRetrieval(message.command, failures);
  }
}

async function takeObject(association: Association, { context, command, data }: Message): Promise<ReceivedObject> {
  const { affectedClass, affectedInstance, messageId } = command;
  const agreed = association.agreed.find((each) => each.id === context);
  if (!agreed || !data || affectedClass === undefined || affectedInstance === undefined || messageId === undefined)
    throw malformed();
  const answer = { field: commands.storeAnswer, respondedTo: messageId, affectedClass, affectedInstance };
  await association.send(context, { ...answer, status: statuses.success });
  return { instance: affectedInstance, dataSet: data, transferSyntax: agreed.transferSyntax };
}

/** Has the other side send the objects of a query to the system of that title (C-MOVE). Rejects as `get`. */
export async function move(
  association: Association,
  { id, abstractSyntax }: AgreedContext,
  destination: string,
  query: Uint8Array,
): Promise<void> {
  const messageId = association.nextId();
  const request = { field: commands.moveRequest, affectedClass: abstractSyntax, messageId, priority: 0, destination };
  await association.send(id, request, query);
  for (;;) {
    const message = await association.next();
    if (message?.command.field !== commands.moveAnswer || message.command.respondedTo !== messageId) throw malformed();
    if (!pending.has(message.command.status ?? 0)) return checkRetrieval(message.command, moveFailures);
  }
}

/** The statuses of a retrieval that are not about its objects, with hints (PS3.4 C.4.2.1.5, PS3.7 annex C). */
type Failures = Readonly<Record<number, string>>;
const failures: Failures = {
  [statuses.wrongClass]: 'It does not send objects.',
  [statuses.notAllowed]: 'It does not allow us to fetch objects.',
  [statuses.unknownOperation]: 'It does not send objects.',
  0xa701: 'It has no resources for that now.',
};
const moveFailures: Failures = {
  ...failures,
  0xa702: 'It could not send the objects: can it reach our address and port?',
  0xa801: 'It does not know our title as a destination: enter title, address and port there.',
};

function checkRetrieval({ status = 0, failed = 0 }: Command, general: Failures): void {
  if (status === statuses.success && failed === 0) return;
  const hint = findEntry(general, String(status));
  throw new AppError('NETWORK', {
    message: `The other side did not send the objects (status ${hex(status)}).`,
    hint: hint ?? 'Its log says why.',
    details: { [ofObjects]: hint === undefined },
  });
}

const ofObjects = 'of_objects';
/** Whether a retrieval failed because of its objects, over an association that goes on. */
export const isObjectFailure = (error: unknown): boolean =>
  error instanceof AppError && error.details?.[ofObjects] === true;
