/**
 * Sentences for people, as a code with values. The English words are in the tables of this folder; commands and the API give
 * them as text. The app's page translates by the code (desktop/renderer/i18n).
 */

/** `{name}` is a slot. Plural forms (CLDR categories) depend on the value `n`. */
export type Wording = string | { readonly one: string; readonly other: string };
export type Wordings = Readonly<Record<string, Wording>>;

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** Names of the slots of a wording. */
export type Slots<W> = W extends string
  ? Names<W>
  : W extends { one: infer O; other: infer P }
    ? Names<O> | Names<P> | 'n'
    : never;

/** A wording with plural forms may be translated without them, if its language needs none. */
type SameSlots<S, T> = [Exclude<Slots<S>, 'n'>] extends [Slots<T>]
  ? [Slots<T>] extends [Slots<S>]
    ? T
    : ExpectedSlots<S>
  : ExpectedSlots<S>;
/** The compiler shows it for a translation with other slots. */
type ExpectedSlots<S> = `a wording with the slots: ${Slots<S> | 'none'}`;

/** A value in a sentence: a name, a number, or another message. */
export type Param = string | number | Message;

export interface Message {
  /** Table and name, as `files.empty`. */
  readonly code: string;
  readonly params: Readonly<Record<string, Param>>;
  /** In English. */
  readonly text: string;
}

/** A message, or the English sentence of a service that sends no code. */
export type Sentence = string | Message;

type ParamsOf<W> = { readonly [S in Slots<W>]: S extends 'n' ? number : Param };
type RestOf<W> = [Slots<W>] extends [never] ? [] : [ParamsOf<W>];

export const textOf = (param: Param): string => (typeof param === 'object' ? param.text : String(param));

/** Each message once. */
export const distinctMessages = (messages: readonly Message[]): Message[] => [
  ...new Map(messages.map((message) => [message.text, message])).values(),
];

/** Makes the messages of a table of English words. */
export const createMessages =
  <const W extends Wordings>(table: string, words: W) =>
  <C extends keyof W & string>(name: C, ...rest: RestOf<W[C]>): Message => {
    const [params = {}] = rest as readonly [Message['params']?];
    return { code: `${table}.${name}`, params, text: fill(words[name] ?? name, params) };
  };

function fill(wording: Wording, params: Message['params']): string {
  const text = typeof wording === 'string' ? wording : params['n'] === 1 ? wording.one : wording.other;
  return text.replace(/\{(\w+)\}/g, (slot, name: string) => textOf(params[name] ?? slot));
}

/**
 * Checks a translation against its English table: a missing wording, an unknown one, or one with other slots doesn't
 * compile.
 */
export const defineTranslation =
  <S extends Wordings>() =>
  <const T extends { readonly [K in keyof S]: Wording }>(
    words: T & { readonly [K in keyof T]: K extends keyof S ? SameSlots<S[K], T[K]> : never },
  ): T =>
    words;
