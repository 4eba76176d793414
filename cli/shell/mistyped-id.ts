/** The id or name that somebody meant who gave one that the server does not know. */
import { suggestWord } from '../../src/domain/nearest-word.ts';
import type { UserPaths } from '../../src/node/paths.ts';
import type { ParsedCommand } from '../parse.ts';
import { shownWords } from './completion/shown-words.ts';
import { sourceForArgument, sourceForOption } from './completion/word-sources.ts';

type Paths = Pick<UserPaths, 'state'>;
type TypedLine = Pick<ParsedCommand, 'command' | 'input'>;

/** For the first argument or option that no terminal has shown: the most similar word, or the kind of id that belongs there. */
export async function suggestTyped({ command, input }: TypedLine, paths: Paths): Promise<string | undefined> {
  const sources = [
    ...Object.entries(command.arguments ?? {}).map(([name, argument]) => ({
      name,
      summary: argument.summary,
      source: sourceForArgument(argument),
    })),
    ...Object.entries(command.options ?? {}).map(([name, { summary }]) => ({
      name,
      summary,
      source: sourceForOption(name),
    })),
  ];
  for (const { name, summary, source } of sources) {
    if (typeof source === 'string' || !('shown' in source)) continue;
    const words = await shownWords(paths, source.shown);
    for (const typed of [input[name]].flat()) {
      if (typeof typed !== 'string' || words.includes(typed)) continue;
      const suggestion =
        explainPrefix(typed, source.shown, summary) ??
        suggestWord(typed, words) ??
        explainForm(typed, source.shown, summary);
      if (suggestion !== undefined) return suggestion;
    }
  }
  return undefined;
}

/** For the id of another kind. `summary`: of the argument, with the prefixes of the ids that it takes. */
function explainPrefix(typed: string, source: string, summary: string): string | undefined {
  const prefix = /^([a-z]{1,5}_)[\dA-Z]{26}$/.exec(typed)?.[1];
  if (prefix === undefined || !summary.includes(`(${source}_…)`) || summary.includes(`(${prefix}…)`)) return undefined;
  return `An id that begins with ${source}_ belongs here, not one that begins with ${prefix}.`;
}

/** The commands that show the ids of a prefix. */
const lists: Readonly<Record<string, string>> = {
  rec: 'record list',
  wli: 'worklist list',
  job: 'job list',
  pri: 'prior list',
  msg: 'channel queue',
  dlv: 'webhook deliveries',
};

/** For a name or number where the argument, by its summary, takes ids alone. */
function explainForm(typed: string, source: string, summary: string): string | undefined {
  const prefixes = Array.from(summary.matchAll(/\(([a-z]{1,5}_)…\)/g), ([, prefix = '']) => prefix);
  if (!/^Ids? of /.test(summary) || prefixes.some((prefix) => typed.startsWith(prefix))) return undefined;
  const list = lists[source];
  const shown = list === undefined ? '' : `; laudio ${list} shows them`;
  return `An id that begins with ${source}_ belongs here${shown}.`;
}
