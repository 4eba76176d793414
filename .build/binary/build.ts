/** `npm run build:binary`: makes dist/binary, the program for machines without Node, of this machine's kind (make.ts). */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from '../../test/support/process.ts';
import { makeBinary } from './make.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const lib = join(root, 'dist', 'binary', 'lib');
const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
};
const recogniserPackage = `sherpa-onnx-node@${packages['node_modules/sherpa-onnx-node']!.version}`;

// npm 11 gives a list, npm 12 an object by package name.
const [packed] = Object.values(JSON.parse(await npm(['pack', '--json', '--silent'], { cwd: root })) as object) as {
  readonly filename: string;
}[];
const archive = join(root, packed!.filename);
await mkdir(lib, { recursive: true });
await writeFile(join(lib, 'package.json'), '{"private":true}\n');
const options = ['--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-save'];
// Whoever has no Node has no npm, either, to add what the package leaves to those who want a model.
await npm(['install', ...options, archive, recogniserPackage], { cwd: lib });
await rm(archive);
await makeBinary(lib);
