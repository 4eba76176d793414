/** The indexes of a collection by their kind, in the order in which a table and a bundle have them. */
import type { AnyIndex, indexesOf } from '../transactions/conditions.ts';
import type { CollectionName, Documents } from '../collections.ts';
import { hashOfName } from './key-index.ts';

export type AnyDocument = Documents[CollectionName];

export type DeclaredIndex<K extends AnyIndex['kind']> = Extract<AnyIndex, { kind: K }> & {
  readonly name: string;
  /** Its place among the indexes of its kind. */
  readonly at: number;
};

/** With the name of the document in the present write; `null`: it has none. */
export type GroupIndex = DeclaredIndex<'group'> & { given: string | null };

/** With the instant of the document in the present write; NaN: it has none. */
export type InstantIndex = DeclaredIndex<'instant'> & { given: number };

/** With the hashes of the names of the document in the present write: of the first, or 0 if it has none, and of the others. */
export type HashedIndex = DeclaredIndex<'key'> & { given: number; givenFurther: readonly number[] };

export interface DeclaredIndexes {
  readonly groups: readonly DeclaredIndex<'group'>[];
  readonly instants: readonly DeclaredIndex<'instant'>[];
  readonly keys: readonly DeclaredIndex<'key'>[];
  readonly text: DeclaredIndex<'text'> | undefined;
}

export function declaredIndexes(indexes: ReturnType<typeof indexesOf>): DeclaredIndexes {
  const all = Object.entries(indexes).map(([name, index]) => ({ ...index, name }));
  const declared = <K extends AnyIndex['kind']>(kind: K) =>
    all.filter((index) => index.kind === kind).map((index, at) => ({ ...index, at })) as unknown as DeclaredIndex<K>[];
  return { groups: declared('group'), instants: declared('instant'), keys: declared('key'), text: declared('text')[0] };
}

/** The scope within which the name of a key has to be unique. */
export const getScope = ({ within }: DeclaredIndex<'key'>, document: AnyDocument): string =>
  within === undefined ? '' : (document as unknown as Record<typeof within, string>)[within];

/** 0 where the document has no name there. */
export const hashIn = (key: DeclaredIndex<'key'>, document: AnyDocument, name: string | null | undefined): number =>
  typeof name !== 'string' ? 0 : hashOfName(getScope(key, document), name);
