/** The protocol data units of the DICOM upper layer (PS3.8 9.3), as bytes and as values. */
import { AppError } from '../../contract/errors.ts';
import { isTls } from '../../node/tls/failures.ts';
import { ByteCollector } from '../../node/byte-collector.ts';
import { withoutPadding } from './uid.ts';

/** A service that one side asks for, and the transfer syntaxes in which it can speak. */
export interface ProposedContext {
  /** Odd, from 1 to 255. */
  readonly id: number;
  readonly abstractSyntax: string;
  readonly transferSyntaxes: readonly string[];
}

/** The other side's answer to a proposal. */
export interface AnsweredContext {
  readonly id: number;
  /** 0: accepted; otherwise a reason of PS3.8 table 9-18. */
  readonly result: number;
  readonly transferSyntax: string;
}

/** The application entity titles, and the longest P-DATA unit that the sender accepts, in bytes; 0 is no limit. */
interface Titles {
  readonly calling: string;
  readonly called: string;
  readonly maxLength: number;
  readonly roles?: readonly Role[];
}

/** The part of the requester of an association in a service, proposed or accepted (role selection, PS3.7 D.3.3.4). */
export interface Role {
  readonly sopClass: string;
  /** It asks for the service (SCU), as without role selection. */
  readonly isUser: boolean;
  /** It provides the service (SCP): of objects, it receives them in a C-GET. */
  readonly isProvider: boolean;
}

export interface AssociateRequest extends Titles {
  readonly contexts: readonly ProposedContext[];
}

export interface AssociateAccept extends Titles {
  readonly contexts: readonly AnsweredContext[];
}

/** A piece of a message in a P-DATA unit. */
export interface Fragment {
  readonly context: number;
  readonly isCommand: boolean;
  readonly isLast: boolean;
  readonly bytes: Buffer;
}

export type Pdu =
  | { readonly type: 'request'; readonly request: AssociateRequest }
  | { readonly type: 'accept'; readonly accept: AssociateAccept }
  | { readonly type: 'reject'; readonly result: number; readonly source: number; readonly reason: number }
  /** The fragments are parsed on demand: a unit may hold very many of them. */
  | { readonly type: 'data'; readonly fragments: Iterable<Fragment> }
  | { readonly type: 'release' }
  | { readonly type: 'released' }
  | { readonly type: 'abort' };

const typeNumbers = { request: 1, accept: 2, reject: 3, data: 4, release: 5, released: 6, abort: 7 } as const;

/** Numbers of the items inside a unit (PS3.8 9.3.2). */
const item = {
  application: 0x10,
  proposed: 0x20,
  answered: 0x21,
  abstractSyntax: 0x30,
  transferSyntax: 0x40,
  user: 0x50,
  maxLength: 0x51,
  implementation: 0x52,
  role: 0x54,
  implementationName: 0x55,
} as const;

const applicationContext = '1.2.840.10008.3.1.1.1';
/** Identifies this implementation in associations and files; anybody may use this root for a UUID (PS3.5 B.2). */
export const implementationClass = '2.25.181409270372911803964428463071853913347';
const implementationName = 'LAUDIO';

const headLength = 6;
/** Bytes before the content of a fragment. */
export const fragmentHead = 6;

/** Bytes of a P-DATA unit around a single fragment. */
export const dataHead = headLength + fragmentHead;

/** Ids of contexts are the odd numbers below 256 (PS3.8 9.3.2.2). */
const maxContexts = 128;

/** Writes a unit with that body. */
function unit(type: keyof typeof typeNumbers, body: Buffer): Buffer {
  const head = Buffer.alloc(headLength);
  head.writeUInt8(typeNumbers[type]);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function written(kind: number, body: Buffer): Buffer {
  const head = Buffer.from([kind, 0, 0, 0]);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

const text = (kind: number, value: string): Buffer => written(kind, Buffer.from(value, 'latin1'));

function association({ calling, called, maxLength, roles = [] }: Titles, contexts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(68);
  head.writeUInt16BE(1);
  head.write(called.padEnd(16).slice(0, 16), 4, 'latin1');
  head.write(calling.padEnd(16).slice(0, 16), 20, 'latin1');
  const maxLengthField = Buffer.alloc(4);
  maxLengthField.writeUInt32BE(maxLength);
  const user = [
    written(item.maxLength, maxLengthField),
    text(item.implementation, implementationClass),
    ...roles.map(writeRole),
    text(item.implementationName, implementationName),
  ];
  return Buffer.concat([
    head,
    text(item.application, applicationContext),
    ...contexts,
    written(item.user, Buffer.concat(user)),
  ]);
}

function writeRole({ sopClass, isUser, isProvider }: Role): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(sopClass.length);
  return written(
    item.role,
    Buffer.concat([length, Buffer.from(sopClass, 'latin1'), Buffer.from([Number(isUser), Number(isProvider)])]),
  );
}

export const requestPdu = ({ contexts, ...titles }: AssociateRequest): Buffer =>
  unit(
    'request',
    association(
      titles,
      contexts.map(({ id, abstractSyntax, transferSyntaxes }) =>
        written(
          item.proposed,
          Buffer.concat([
            Buffer.from([id, 0, 0, 0]),
            text(item.abstractSyntax, abstractSyntax),
            ...transferSyntaxes.map((syntax) => text(item.transferSyntax, syntax)),
          ]),
        ),
      ),
    ),
  );

export const acceptPdu = ({ contexts, ...titles }: AssociateAccept): Buffer =>
  unit(
    'accept',
    association(
      titles,
      contexts.map(({ id, result, transferSyntax }) =>
        written(
          item.answered,
          Buffer.concat([Buffer.from([id, 0, result, 0]), text(item.transferSyntax, transferSyntax)]),
        ),
      ),
    ),
  );

/** `source`, `reason`: PS3.8 table 9-21. */
export const rejectPdu = (source: number, reason: number): Buffer =>
  unit('reject', Buffer.from([0, 1, source, reason]));

export function dataPdu({ context, isCommand, isLast, bytes }: Fragment): Buffer {
  const head = Buffer.alloc(6);
  head.writeUInt32BE(bytes.length + 2);
  head.writeUInt8(context, 4);
  head.writeUInt8((isCommand ? 1 : 0) | (isLast ? 2 : 0), 5);
  return unit('data', Buffer.concat([head, bytes]));
}

export const releasePdu = (): Buffer => unit('release', Buffer.alloc(4));
export const releasedPdu = (): Buffer => unit('released', Buffer.alloc(4));
export const abortPdu = (): Buffer => unit('abort', Buffer.alloc(4));

export const malformed = (): AppError =>
  new AppError('BAD_ANSWER', { message: 'The other side does not speak DICOM.', hint: 'Check its address and port.' });

const encrypted = (): AppError =>
  new AppError('BAD_ANSWER', {
    message: 'The other side speaks TLS, and we do not.',
    details: { reason: 'it speaks TLS' },
    hint: 'Set tls where we call it; tls_certificate and tls_key where it calls us.',
  });

/**
 * Reads the units of a connection one after the other, on demand. Throws BAD_ANSWER for bytes that are no unit, and for
 * a unit longer than `limit`.
 */
export async function* readPdus(chunks: AsyncIterable<Buffer>, limit: number): AsyncGenerator<Pdu> {
  const pending = new ByteCollector();
  let wanted = headLength;
  for await (const chunk of chunks) {
    pending.add(chunk);
    if (pending.length < wanted) continue;
    let rest = pending.take();
    for (wanted = headLength; rest.length >= wanted; wanted = headLength) {
      const type = rest.readUInt8(0);
      const length = rest.readUInt32BE(2);
      if (isTls(rest)) throw encrypted();
      if (type < 1 || type > 7 || length > limit) throw malformed();
      wanted += length;
      if (rest.length < wanted) break;
      yield read(type, rest.subarray(headLength, wanted));
      rest = rest.subarray(wanted);
    }
    pending.add(rest);
  }
}

function read(type: number, body: Buffer): Pdu {
  try {
    switch (type) {
      case typeNumbers.request:
        return { type: 'request', request: { ...readTitles(body), contexts: readProposed(body) } };
      case typeNumbers.accept:
        return { type: 'accept', accept: { ...readTitles(body), contexts: readAnswered(body) } };
      case typeNumbers.reject:
        return { type: 'reject', result: body.readUInt8(1), source: body.readUInt8(2), reason: body.readUInt8(3) };
      case typeNumbers.data:
        return { type: 'data', fragments: readFragments(body) };
      case typeNumbers.release:
        return { type: 'release' };
      case typeNumbers.released:
        return { type: 'released' };
      default:
        return { type: 'abort' };
    }
  } catch (error) {
    if (error instanceof RangeError) throw malformed();
    throw error;
  }
}

function* readFragments(body: Buffer): Generator<Fragment> {
  for (let at = 0; at < body.length;) {
    if (body.length - at < fragmentHead) throw malformed();
    const length = body.readUInt32BE(at);
    const end = at + 4 + length;
    if (length < 2 || end > body.length) throw malformed();
    const flags = body.readUInt8(at + 5);
    yield {
      context: body.readUInt8(at + 4),
      isCommand: (flags & 1) !== 0,
      isLast: (flags & 2) !== 0,
      bytes: body.subarray(at + 6, end),
    };
    at = end;
  }
}

interface Item {
  readonly kind: number;
  readonly body: Buffer;
}

function* readItems(bytes: Buffer): Generator<Item> {
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) throw malformed();
    yield { kind: bytes.readUInt8(at), body: bytes.subarray(at + 4, end) };
    at = end;
  }
}

const textOf = (bytes: Buffer): string => withoutPadding(bytes.toString('latin1')).trimStart();

function readTitles(body: Buffer): Titles {
  if (body.length < 68) throw malformed();
  const user = [...readItems(body.subarray(68))].find(({ kind }) => kind === item.user);
  const facts = user ? [...readItems(user.body)] : [];
  const maxLengthItem = facts.find(({ kind }) => kind === item.maxLength);
  const roles = facts.filter(({ kind }) => kind === item.role).map(readRole);
  return {
    called: textOf(body.subarray(4, 20)),
    calling: textOf(body.subarray(20, 36)),
    maxLength: maxLengthItem ? maxLengthItem.body.readUInt32BE(0) : 0,
    ...(roles.length > 0 && { roles }),
  };
}

function readRole({ body }: Item): Role {
  const end = 2 + body.readUInt16BE(0);
  return {
    sopClass: textOf(body.subarray(2, end)),
    isUser: body.readUInt8(end) === 1,
    isProvider: body.readUInt8(end + 1) === 1,
  };
}

function writeContexts(body: Buffer, wanted: number): Buffer[] {
  const contexts = [...readItems(body.subarray(68))].filter(({ kind }) => kind === wanted).map((each) => each.body);
  if (contexts.length > maxContexts) throw malformed();
  return contexts;
}

const readProposed = (body: Buffer): ProposedContext[] =>
  writeContexts(body, item.proposed).map((context) => {
    const inner = [...readItems(context.subarray(4))];
    const abstract = inner.find(({ kind }) => kind === item.abstractSyntax);
    return {
      id: context.readUInt8(0),
      abstractSyntax: abstract ? textOf(abstract.body) : '',
      transferSyntaxes: inner.filter(({ kind }) => kind === item.transferSyntax).map((each) => textOf(each.body)),
    };
  });

const readAnswered = (body: Buffer): AnsweredContext[] =>
  writeContexts(body, item.answered).map((context) => {
    const [syntax] = [...readItems(context.subarray(4))].filter(({ kind }) => kind === item.transferSyntax);
    return {
      id: context.readUInt8(0),
      result: context.readUInt8(2),
      transferSyntax: syntax ? textOf(syntax.body) : '',
    };
  });
