/** Replaces body and headers of an answer by those of a fault. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FaultEffects } from '../../../src/contract/fault-effects.ts';

/** Returns the payload to send. A header without a value is removed. */
export function replaceAnswer(
  { content, headers = {} }: Pick<FaultEffects, 'content' | 'headers'>,
  reply: FastifyReply,
  payload: unknown,
): unknown {
  if (content !== undefined) {
    if (payload instanceof Readable) payload.destroy();
    for (const name of describingHeaders) reply.removeHeader(name);
    reply.header('content-type', guessType(content));
  }
  for (const [name, value] of Object.entries(headers)) {
    if (value === '') reply.removeHeader(name);
    else reply.header(name, value);
  }
  return content ?? payload;
}

/** They describe the body that is replaced. */
const describingHeaders = ['content-length', 'content-encoding', 'content-disposition', 'content-range', 'etag'];

function guessType(content: string): string {
  if (content.trimStart().startsWith('<')) return 'text/html; charset=utf-8';
  try {
    JSON.parse(content);
    return 'application/json; charset=utf-8';
  } catch {
    return 'text/plain; charset=utf-8';
  }
}
