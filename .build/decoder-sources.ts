/** The sources of `server/speech/sound/symphonia/decoders.wasm`, and the mark by which the module says of which it was made. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../test/support/modules.ts';

export const decoders = join(root, 'server', 'speech', 'sound', 'symphonia');

/** The name of the module's section with the hash of its sources. */
export const sourcesSection = 'sources';

/** SHA-256 of the sources, in hexadecimal digits. */
export function hashSources(): string {
  const hash = createHash('sha256');
  for (const name of ['Cargo.toml', 'Cargo.lock', 'decoders.rs'])
    hash.update(readFileSync(join(decoders, name), 'utf8').replaceAll('\r\n', '\n')).update('\0');
  return hash.digest('hex');
}
