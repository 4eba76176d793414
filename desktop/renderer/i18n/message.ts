/** What a message may look like, and what its translation has to look like. */

/** With `{name}` for what is filled in; forms by number (CLDR plural categories) go by the value `n`. */
export type Message = string | { readonly one: string; readonly other: string };
export type Messages = Readonly<Record<string, Message>>;

/** The same keys as the English part; a message with forms has forms. */
export type Translated<M extends Messages> = { readonly [K in keyof M]: M[K] extends string ? string : Message };

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** Names of what has to be filled in. */
export type Slots<M> = M extends string
  ? Names<M>
  : M extends { one: infer O; other: infer P }
    ? Names<O> | Names<P> | 'n'
    : never;
