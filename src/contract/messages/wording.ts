/** Types of the words that people read: one table a language and part, with `{slots}` that values fill. */

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
