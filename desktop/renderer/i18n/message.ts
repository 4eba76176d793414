/** The types of messages and of their translations. */

/** `{name}` is a slot to fill in; plural forms (CLDR categories) depend on the value `n`. */
export type Message = string | { readonly one: string; readonly other: string };
export type Messages = Readonly<Record<string, Message>>;

/** The keys are those of the English part; a message with plural forms has plural forms. */
export type Translated<M extends Messages> = { readonly [K in keyof M]: M[K] extends string ? string : Message };

type Names<S> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** Names of the slots of a message. */
export type Slots<M> = M extends string
  ? Names<M>
  : M extends { one: infer O; other: infer P }
    ? Names<O> | Names<P> | 'n'
    : never;
