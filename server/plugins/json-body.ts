/** Bodies of JSON and of forms. Nothing else is taken, not even text: a page elsewhere can send text without asking. */
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { streamTypes } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { maxJsonDepth, shapeFault } from '../../src/domain/json-shape.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import { endpointOf } from './errors.ts';

/** Names and values that a body may hold, a name counting twice: what costs time is their number, not their length. */
export const maxParts = 200_000;

export function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      // Some clients name a type even where they send nothing.
      const isNothing = body.length === 0 && endpointOf(request)?.body === undefined;
      done(null, isNothing ? undefined : parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  // Whoever handles it reads it.
  app.addContentTypeParser([...streamTypes], (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, parseForm(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** JSON in UTF-8, with or without a byte order mark. */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw new AppError('INVALID_JSON', { message: 'The body is empty.' });
  if (!isUtf8(body)) throw new AppError('INVALID_JSON', { message: 'The body is not valid UTF-8.' });
  if (body.length > maxParts && partsIn(body) > maxParts) throw tooManyParts();
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new AppError('INVALID_JSON');
  }
  refuseHostile(value);
  return value;
}

export const tooManyParts = (): AppError =>
  new AppError('PAYLOAD_TOO_LARGE', {
    message: 'The body holds too many values.',
    details: { limit_items: maxParts },
    hint: 'Send it in several requests.',
  });

const [quote, backslash, colon, comma, brace, bracket] = Buffer.from('"\\:,{[');

/** What a JSON text holds, told by its punctuation. */
function partsIn(text: Buffer): number {
  let parts = 1;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) inString = !inString;
    else if (inString) at += Number(byte === backslash);
    else if (byte === colon) parts += 2;
    else if (byte === comma || byte === brace || byte === bracket) parts++;
  }
  return parts;
}

/** Depth is bounded, and a key that could reach a prototype is refused. */
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
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body)) {
    if (Object.hasOwn(form, name)) throw oauthError('invalid_request', `${name.slice(0, 40)} is repeated`);
    form[name] = value;
  }
  for (const name of Object.keys(form)) if (form[name] === '') delete form[name];
  return form;
}
