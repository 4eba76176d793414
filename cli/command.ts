/**
 * A command as data: arguments, options and function. program.ts holds its name and summary. The parser and the help
 * are generated from this data; `run` receives typed input and returns a view (view.ts).
 */
import type { Context } from './context.ts';
import type { Exit, View } from './shell/view.ts';
import { elementAt } from '../src/domain/elements.ts';

/** One `--option`. `short` is its letter; `placeholder` names its value in the help. */
export type Option<T = unknown> = {
  readonly summary: string;
  readonly short?: string;
  readonly placeholder?: string;
  readonly default?: T;
} & (
  | { readonly kind: 'flag' | 'text' | 'integer' | 'list'; readonly choices?: never }
  | { readonly kind: 'choice' | 'choices'; readonly choices: readonly string[] }
);

/** Words that the program looks up: logins, speech models, and collections that an export may have. */
export type AskedWords = 'profiles' | 'models' | 'collections';

/** Fixed words, words that the program is asked for, or the `shown` ids and names of a noun. */
export type WordSource = readonly string[] | AskedWords | { readonly shown: string };

/** One positional argument. */
export interface Argument {
  readonly summary: string;
  readonly required: boolean;
  readonly variadic: boolean;
  /** Words for shell completion. */
  readonly words?: WordSource;
}

type Details = { readonly short?: string; readonly placeholder?: string };

/** `--name`. */
export const flag = (summary: string, details: Details = {}): Option<boolean> => ({
  summary,
  kind: 'flag',
  ...details,
});
/** `--name VALUE`. */
export const text = (summary: string, details: Details = {}): Option<string | undefined> => ({
  summary,
  kind: 'text',
  ...details,
});
/** `--name N`, a whole number not below zero. */
export const integer = (summary: string, details: Details = {}): Option<number | undefined> => ({
  summary,
  kind: 'integer',
  placeholder: 'N',
  ...details,
});
/** `--name WORD`, one of several choices. */
export const choice = <const C extends readonly string[]>(
  choices: C,
  summary: string,
  details: Details = {},
): Option<C[number] | undefined> => ({ summary, kind: 'choice', choices, placeholder: choices.join('|'), ...details });
/** `--name WORD,WORD`: one or more choices, separated by commas or repeated. */
export const choices = <const C extends readonly string[]>(
  words: C,
  summary: string,
  details: Details = {},
): Option<readonly C[number][]> => ({
  summary,
  kind: 'choices',
  choices: words,
  placeholder: `${elementAt(words, 0)},…`,
  ...details,
});
/** `--name VALUE`, repeatable. */
export const list = (summary: string, details: Details = {}): Option<readonly string[]> => ({
  summary,
  kind: 'list',
  ...details,
});

export const required = (summary: string, words: WordSource = []) =>
  ({ summary, required: true, variadic: false, words }) as const;
export const optional = (summary: string, words: WordSource = []) =>
  ({ summary, required: false, variadic: false, words }) as const;
/** None, one or more. */
export const anyNumber = (summary: string) => ({ summary, required: false, variadic: true }) as const;
/** One or more. */
export const several = (summary: string) => ({ summary, required: true, variadic: true }) as const;

type Options = Readonly<Record<string, Option>>;
type Arguments = Readonly<Record<string, Argument>>;

type ArgumentValue<A extends Argument> = A['variadic'] extends true
  ? readonly string[]
  : A['required'] extends true
    ? string
    : string | undefined;
type OptionValue<O> = O extends Option<infer T> ? T : never;

export type CommandInput<A extends Arguments, O extends Options> = { readonly [K in keyof A]: ArgumentValue<A[K]> } & {
  readonly [K in keyof O]: OptionValue<O[K]>;
};

/** The input of a command line without options. */
export const emptyInput = <O extends Options>(options: O): CommandInput<Record<never, never>, O> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { kind, default: fallback }]) => [
      name,
      fallback ?? (kind === 'flag' ? false : kind === 'list' || kind === 'choices' ? [] : undefined),
    ]),
  ) as CommandInput<Record<never, never>, O>;

export interface Command<A extends Arguments = Arguments, O extends Options = Options> {
  /** Paragraphs below the summary in `--help`. */
  readonly description?: string;
  readonly arguments?: A;
  /** Keys in camelCase; `--in-kebab-case` on the command line. */
  readonly options?: O;
  /**
   * Whether the command runs with default settings if the configured ones are invalid, because it helps to fix them.
   */
  readonly mends?: true;
  /** Whether the words after the first argument are another program's, options included, with and without `--`. */
  readonly passesThrough?: true;
  /** Example command lines with their effects. */
  readonly examples?: readonly (readonly [line: string, meaning: string])[];
  run(context: Context, input: CommandInput<A, O>): Promise<View | Exit | void>;
}

/** A command in the table, without the types of its input. */
export type AnyCommand = Omit<Command, 'run'> & { run(context: Context, input: never): Promise<View | Exit | void> };

/** Defines the `command` export of a module in `cli/commands`; program.ts refers to it. */
export const defineCommand = <
  const A extends Arguments = Record<never, never>,
  const O extends Options = Record<never, never>,
>(
  definition: Command<A, O>,
): Command<A, O> => definition;

/** `templateId` → `template-id`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
