/**
 * Sentences for people as a code with values. The words live once per language: English in the tables of this folder, which
 * commands and the API use; other languages on the app's page, which translates by the code.
 */
import type { Slots, Wording, Wordings } from './wording.ts';

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

export type ParamsOf<W> = { readonly [S in Slots<W>]: S extends 'n' ? number : Param };
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
