/** Calls of the server's own process that it can't take. */
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createInside } from '../../../server/http/inside.ts';

const request = { method: 'GET', url: 'http://127.0.0.1/', headers: {} } as const;

test('a server that ends says so, and any other cause is named', async () => {
  const server = fastify();
  await server.ready();
  await server.close();
  await expect(createInside(server).transport(request)).rejects.toMatchObject({
    code: 'NETWORK',
    message: 'The server is stopping.',
  });
  // As in a runner of tests whose contexts can't load a package of the server.
  const cause = new Error('Must use import to load ES Module');
  const inject = () => Promise.reject(cause);
  await expect(createInside(Object.assign(fastify(), { inject })).transport(request)).rejects.toMatchObject({
    code: 'NETWORK',
    message: expect.stringContaining(cause.message),
    cause,
  });
});
