/** All completion points of a command line, from the command table. */
import { kebab } from '../../command.ts';
import type { Option } from '../../command.ts';
import { globalOptions } from '../global-options.ts';
import { helpTopics } from '../help-topics.ts';
import { isNoun } from '../../entry.ts';
import type { Entry, Program } from '../../entry.ts';

/** The shells with completion scripts. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

export interface Word {
  readonly word: string;
  readonly summary: string;
}

export interface OptionWord extends Word {
  /** The value of the option: none, one of these words, or anything, such as a file. */
  readonly value: 'none' | 'any' | readonly string[];
}

export interface Place {
  /** The words of the command so far: `''`, `worklist`, `worklist list`. */
  readonly path: string;
  /** The possible next words; if empty, files. */
  readonly words: readonly Word[];
  readonly options: readonly OptionWord[];
}

/** Loads every command. */
export async function listPlaces(program: Program): Promise<Place[]> {
  const common = optionWords(globalOptions);
  const root: Place = { path: '', words: summaries(program), options: common };
  const places = await Promise.all(
    Object.entries(program).map(async ([name, listed]): Promise<Place[]> => {
      if (!isNoun(listed)) return [await describePlace(program, name, listed, common)];
      const verbs = Object.entries(listed.verbs).map(([verb, entry]) =>
        describePlace(program, `${name} ${verb}`, entry, common),
      );
      return [{ path: name, words: summaries(listed.verbs), options: common }, ...(await Promise.all(verbs))];
    }),
  );
  return [root, ...places.flat()];
}

const summaries = (listed: Readonly<Record<string, { readonly summary: string }>>): Word[] =>
  Object.entries(listed).map(([word, { summary }]) => ({ word, summary }));

/** Choices of the arguments of some commands. */
const argumentWords = (program: Program): Readonly<Record<string, readonly Word[]>> => ({
  help: [
    ...Object.entries(helpTopics).map(([word, { title }]) => ({ word, summary: title })),
    ...summaries(program).filter(({ word }) => word !== 'help'),
  ],
  completion: shells.map((word) => ({ word, summary: `The script for ${word}` })),
  api: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((word) => ({ word, summary: '' })),
});

async function describePlace(
  program: Program,
  path: string,
  entry: Entry,
  common: readonly OptionWord[],
): Promise<Place> {
  const { options = {}, arguments: named = {} } = await entry.load();
  const own = (Object.values(named)[0]?.words ?? []).map((word) => ({ word, summary: '' }));
  return { path, words: argumentWords(program)[path] ?? own, options: [...optionWords(options), ...common] };
}

function optionWords(options: Readonly<Record<string, Option>>): OptionWord[] {
  return Object.entries(options).flatMap(([name, { summary, kind, choices, short }]) => {
    const value = kind === 'flag' ? 'none' : (choices ?? 'any');
    const long = { word: `--${kebab(name)}`, summary, value } as const;
    return short === undefined ? [long] : [long, { ...long, word: `-${short}` }];
  });
}
