/** Sends a page, or the file that a page offers, as the answer of a route without a contract. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { RawOutput } from '../../../src/contract/endpoint.ts';

export const sendPage = (reply: FastifyReply, { status, headers, body }: RawOutput): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(body === null ? '' : isStream(body) ? Readable.from(body) : body);

const isStream = (body: NonNullable<RawOutput['body']>): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && Symbol.asyncIterator in body;
