/** What ingest is held against: Fastify as it comes, parsing JSON and sending it back. Prints its address. */
import Fastify from 'fastify';

const app = Fastify({ bodyLimit: 10 * 1024 * 1024 });
app.post('/', async (request) => request.body);
process.stdout.write(
  `${JSON.stringify({ url: await app.listen({ host: '127.0.0.1', port: 0 }), pid: process.pid })}\n`,
);
