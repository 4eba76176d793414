/** The load generator, a process of its own: takes one load as JSON on stdin, gives its outcome as JSON on stdout. */
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import type { Load } from 'autocannon';

const outcome = await autocannon(JSON.parse(await text(process.stdin)) as Load);
process.stdout.write(JSON.stringify(outcome));
