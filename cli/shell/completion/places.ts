/** All completion points of a command line, from the command table. */
import { kebab } from '../../command.ts';
import type { Option, WordSource } from '../../command.ts';
import { globalOptions } from '../global-options.ts';
import { helpTopics } from '../help-topics.ts';
import { isNoun } from '../../entry.ts';
import type { Entry, Program } from '../../entry.ts';
import { endpoints } from '../../../src/contract/index.ts';
import { sourceForArgument, sourceForOption } from './word-sources.ts';

/** The shells with completion scripts. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export interface Word {
  readonly word: string;
  readonly summary: string;
}

export interface OptionWord extends Word {
  /** The value of the option; `none` for a flag. */
  readonly value: 'none' | Values;
}

/** The possible values at one position. */
export type Values =
  | { readonly kind: 'words'; readonly words: readonly Word[] }
  /** Words that only the program knows: `laudio completion --words SOURCE` prints them. */
  | { readonly kind: 'asked'; readonly source: string }
  | { readonly kind: 'files' };

export interface Place {
  /** The words of the command so far: `''`, `worklist`, `worklist list`. */
  readonly path: string;
  /** The values of the next words, in order; after the last, files. */
  readonly positions: readonly Values[];
  readonly options: readonly OptionWord[];
}

/** Loads every command. */
export async function listPlaces(program: Program): Promise<Place[]> {
  const common = optionWords(globalOptions);
  const root: Place = { path: '', positions: [fixed(summaries(program))], options: common };
  const places = await Promise.all(
    Object.entries(program).map(async ([name, listed]): Promise<Place[]> => {
      if (!isNoun(listed)) return [await describePlace(program, name, listed, common)];
      const verbs = Object.entries(listed.verbs).map(([verb, entry]) =>
        describePlace(program, `${name} ${verb}`, entry, common),
      );
      const positions = [fixed(summaries(listed.verbs))];
      return [{ path: name, positions, options: common }, ...(await Promise.all(verbs))];
    }),
  );
  return [root, ...places.flat()];
}

const files: Values = { kind: 'files' };
const fixed = (words: readonly Word[]): Values => (words.length > 0 ? { kind: 'words', words } : files);
const bare = (words: readonly string[]): Values => fixed(words.map((word) => ({ word, summary: '' })));

const summaries = (listed: Readonly<Record<string, { readonly summary: string }>>): Word[] =>
  Object.entries(listed).map(([word, { summary }]) => ({ word, summary }));

/** First words of some commands, with their meanings. */
const firstWords = (program: Program): Readonly<Record<string, readonly Word[]>> => ({
  help: [
    ...Object.entries(helpTopics).map(([word, { title }]) => ({ word, summary: title })),
    ...summaries(program).filter(({ word }) => word !== 'help'),
  ],
  completion: shells.map((word) => ({ word, summary: `The script for ${word}` })),
  api: [...new Set(endpoints.map(({ path }) => path))]
    .filter((path) => !path.includes('{'))
    .map((word) => ({ word, summary: '' })),
});

function valuesFrom(source: WordSource): Values {
  if (typeof source === 'string') return { kind: 'asked', source };
  return 'shown' in source ? { kind: 'asked', source: source.shown } : bare(source);
}

async function describePlace(
  program: Program,
  path: string,
  entry: Entry,
  common: readonly OptionWord[],
): Promise<Place> {
  const { options = {}, arguments: named = {} } = await entry.load();
  const first = firstWords(program)[path];
  const positions = first
    ? [fixed(first)]
    : Object.values(named).map((argument) => valuesFrom(sourceForArgument(argument)));
  return { path, positions, options: [...optionWords(options), ...common] };
}

function optionWords(options: Readonly<Record<string, Option>>): OptionWord[] {
  return Object.entries(options).flatMap(([name, { summary, kind, choices, short }]) => {
    const value = kind === 'flag' ? 'none' : choices ? bare(choices) : valuesFrom(sourceForOption(name));
    const long = { word: `--${kebab(name)}`, summary, value } as const;
    return short === undefined ? [long] : [long, { ...long, word: `-${short}` }];
  });
}
