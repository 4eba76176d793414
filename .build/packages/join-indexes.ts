/**
 * `node .build/packages/join-indexes.ts DIR`: makes one laudio-release.json, and one list of updates for Macs, of those of each kind
 * of machine, which go.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Index {
  readonly version: string;
  readonly files: readonly object[];
}

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('name the directory');
const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
const remove = (names: readonly string[]): void => names.forEach((name) => rmSync(join(directory, name)));
const all = readdirSync(directory).toSorted();

const names = all.filter((name) => /^laudio-release-.+\.json$/.test(name));
const indexes = names.map((name) => JSON.parse(read(name)) as Index);
const [first] = indexes;
if (!first) throw new Error(`${directory} has no index`);
if (indexes.some(({ version }) => version !== first.version)) throw new Error('the indexes are of several versions');
const joined = { version: first.version, files: indexes.flatMap(({ files }) => files) };
write('laudio-release.json', `${JSON.stringify(joined, undefined, 2)}\n`);
remove(names);

/** The lines below `files:`, which are indented. */
const filesIn = (list: string): string => /^files:\n((?: .*\n)+)/m.exec(list)?.[1] ?? '';

// An installed app takes the file of its processor; `path`, for those before it had a choice, is that of Intel, the last by name.
for (const channel of new Set(all.flatMap((name) => /^(\w+-mac)-\w+\.yml$/.exec(name)?.[1] ?? []))) {
  const lists = all.filter((name) => new RegExp(`^${channel}-\\w+\\.yml$`).test(name));
  const [base = '', ...others] = lists.map(read).toReversed();
  const files = [base, ...others].map(filesIn);
  if (files.includes('')) throw new Error(`a list of ${channel} has no files`);
  write(
    `${channel}.yml`,
    base.replace(filesIn(base), () => files.join('')),
  );
  remove(lists);
}
