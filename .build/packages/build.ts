/** `npm run build:packages`: makes the packages of dist/binary (`npm run build:binary`) in dist/packages. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeArchive, makeDebian, writeReleaseIndex } from './make.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [binary, output] = [join(root, 'dist', 'binary'), join(root, 'dist', 'packages')];
const build = join(binary, 'lib/node_modules/laudio/dist/build.json');
if (!existsSync(build)) throw new Error('there is no dist/binary of this version: run npm run build:binary first');
const { version } = JSON.parse(readFileSync(build, 'utf8')) as { readonly version: string };
const options = { binary, output, version };
const files = [await makeArchive(options), ...(process.platform === 'linux' ? [await makeDebian(options)] : [])];
await writeReleaseIndex(output, version, files);
process.stdout.write(files.map((file) => `${file}\n`).join(''));
