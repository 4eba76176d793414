/**
 * Parses bodies of JSON and of forms. Refuses every other type, even text: a page elsewhere can send text without a
 * preflight.
 */
import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { messageTypes, streamTypes } from '../../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxJsonDepth, shapeFault } from '../../../src/domain/json-shape.ts';
import { oauthError } from '../oauth-error.ts';
import { findEndpoint } from './errors.ts';

/** Names and values that a body may hold; a name counts twice. Their number costs time, not their length. */
export const maxParts = 200_000;

/** Bytes of a form, which anybody may send: no login, consent or grant needs more. */
const maxFormBytes = 64 * 1024;

/** Bytes from which a body is parsed in steps. */
const largeBody = 256 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it came, where it was JSON or was left unread. */
    json: Buffer | undefined;
  }
}

/** JSON that its handler reads, or has read in a thread. */
export class UnreadJson {
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  read(): unknown {
    return readJson(this.bytes);
  }
}

/** `isLeftUnread`: whether the handler of the request reads a body of so many bytes. */
export function registerBodyParsers(
  app: FastifyInstance,
  isLeftUnread: (request: FastifyRequest, bytes: number) => boolean = () => false,
): void {
  app.decorateRequest('json', undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Some clients name a type even where they send nothing.
    if (body.length === 0 && findEndpoint(request)?.body === undefined) return done(null, undefined);
    const bytes = body as Buffer;
    const take = (value: unknown): void => {
      request.json = bytes;
      done(null, value);
    };
    if (isLeftUnread(request, bytes.length)) return take(new UnreadJson(bytes));
    try {
      const value = readJson(bytes);
      if (value instanceof Promise) return void value.then(take, done);
      take(value);
    } catch (error) {
      done(error as Error);
    }
  });
  // The readers of its format read it.
  app.addContentTypeParser(Object.keys(messageTypes), { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  // The handler reads it.
  app.addContentTypeParser([...streamTypes], (_request, payload, done) => done(null, payload));
  const limited = { parseAs: 'string' as const, bodyLimit: maxFormBytes };
  app.addContentTypeParser('application/x-www-form-urlencoded', limited, (_request, body: string, done) => {
    try {
      done(null, parseForm(body));
    } catch (error) {
      done(error as Error);
    }
  });
}

const readJson = (body: Buffer): unknown => (body.length > largeBody ? parseLargeJson(body) : parseJson(body));

/** JSON in UTF-8, with or without a byte order mark. */
export function parseJson(body: Buffer): unknown {
  checkText(body);
  return parseText(body);
}

/** Parses like `parseJson`, in steps that let other requests run in between. */
async function parseLargeJson(body: Buffer): Promise<unknown> {
  checkText(body);
  await setImmediate();
  const value = parseText(body);
  await setImmediate();
  return value;
}

function checkText(body: Buffer): void {
  if (body.length === 0) throw new AppError('INVALID_JSON', { message: 'The body is empty.' });
  if (!isUtf8(body)) throw new AppError('INVALID_JSON', { message: 'The body is not valid UTF-8.' });
  if (body.length > maxParts && hasTooManyParts(body)) throw tooManyParts();
}

function parseText(body: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8', hasByteOrderMark(body) ? 3 : 0));
  } catch {
    throw new AppError('INVALID_JSON');
  }
  refuseHostile(value);
  return value;
}

const hasByteOrderMark = (body: Buffer): boolean => body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;

export const tooManyParts = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: 'The body holds too many values.',
    details: { limit_items: maxParts },
    hint: 'Send it in several requests.',
  });

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const brace = 0x7b;
const bracket = 0x5b;

/** Counts the names and values of a JSON text by its punctuation, until there are too many. */
function hasTooManyParts(text: Buffer): boolean {
  const { length } = text;
  let parts = 1;
  for (let at = 0; at < length && parts <= maxParts; at++) {
    const byte = text[at];
    if (byte === quote) {
      for (at++; at < length && text[at] !== quote; at++) if (text[at] === backslash) at++;
    } else if (byte === colon) parts += 2;
    else if (byte === comma || byte === brace || byte === bracket) parts++;
  }
  return parts > maxParts;
}

/** Refuses values that are too deep, and keys that could reach a prototype. */
export function refuseHostile(value: unknown): void {
  const fault = shapeFault(value);
  if (fault === 'prototype') throw new AppError('INVALID_JSON', { message: 'The body has a key that is not allowed.' });
  if (fault === 'too deep') throw tooDeep();
}

export const tooDeep = (): AppError =>
  validationFailed([
    { field: '', message: `the body must not be nested deeper than ${maxJsonDepth} levels`, code: 'INVALID_VALUE' },
  ]);

/** A repeated parameter is an error (RFC 6749 3.1); an empty one counts as missing. */
function parseForm(body: string): Record<string, string> {
  // A route may let more through, as does the one of what there is not.
  if (body.length > maxFormBytes) throw new AppError('PAYLOAD_TOO_LARGE', { details: { limit_bytes: maxFormBytes } });
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    if (Object.hasOwn(form, name)) throw oauthError('invalid_request', `${name.slice(0, 40)} is repeated`);
    form[name] = value;
  }
  for (const name of Object.keys(form)) if (form[name] === '') delete form[name];
  return form;
}
