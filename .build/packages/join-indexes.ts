/** `node .build/packages/join-indexes.ts DIR`: makes laudio-release.json of those of each kind of machine, which go. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Index {
  readonly version: string;
  readonly files: readonly object[];
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('name the directory');
const names = readdirSync(directory).filter((name) => /^laudio-release-.+\.json$/.test(name));
const indexes = names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Index);
const [first] = indexes;
if (!first) throw new Error(`${directory} has no index`);
if (indexes.some(({ version }) => version !== first.version)) throw new Error('the indexes are of several versions');
const joined = { version: first.version, files: indexes.flatMap(({ files }) => files) };
writeFileSync(join(directory, 'laudio-release.json'), `${JSON.stringify(joined, undefined, 2)}\n`);
for (const name of names) rmSync(join(directory, name));
