/**
 * A whole server in a process of its own, with the recogniser and the data directory that its arguments name. It says on stdout
 * that it is ready, and is stopped by SIGTERM.
 */
import { writeSync } from 'node:fs';
import { createServer } from '../../server/index.ts';

const [dataDir = '', recogniser = ''] = process.argv.slice(2);
const server = await createServer({
  version: '0.0.0-test',
  dataDir,
  recogniser: { use: recogniser },
  port: 0,
  log: (entry) => void writeSync(2, `${JSON.stringify(entry)}\n`),
});
writeSync(1, 'ready\n');
process.once('SIGTERM', () => void server.close());
