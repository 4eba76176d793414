/** What lowdb keeps, its form on disk, and the port behind which it is made durable. */
import { AppError } from '../../../src/contract/errors.ts';
import { collectionNames } from '../collections.ts';
import { emptyCollections, isIndexable } from '../tables.ts';
import type { AnyDocument, Change, Collections } from '../tables.ts';

export const schema = 1;

export interface State {
  readonly schema: typeof schema;
  readonly collections: Collections;
}

/** Makes the state durable: as one file (json-file.ts), or in any other way. */
export interface Persistence {
  /** What was kept, `null` where nothing was. AppError CONFIGURATION where it cannot be read; it stays as it is. */
  load(): Promise<State | null>;
  /**
   * Resolves once the changes are durable. They are in `state` already; `state` goes on changing, so it has to be read
   * before this first waits. Where this rejects, none of the changes may ever be loaded.
   */
  persist(changes: readonly Change[], state: State): Promise<void>;
  close(): Promise<void>;
}

export const emptyState = (): State => ({ schema, collections: emptyCollections() });

/** AppError CONFIGURATION: somebody has to look at the file before it is used again. */
const damaged = (file: string): AppError =>
  new AppError('CONFIGURATION', {
    message: `The file ${file} in the data directory is damaged.`,
    hint: 'It was left as it is. Put a copy in its place, or move it away to begin with no data.',
  });

/** JSON, a document a line. */
export function formatState({ collections }: State): string {
  const parts = collectionNames.map((name) => {
    const lines = [...collections[name].values()].map((document) => JSON.stringify(document));
    return `${JSON.stringify(name)}:[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]`;
  });
  return `{"schema":${schema},"collections":{\n${parts.join(',\n')}\n}}\n`;
}

/** The reverse of `formatState`. `file` is named in errors (AppError CONFIGURATION). */
export function parseState(text: string, file: string): State {
  let kept: unknown;
  try {
    kept = JSON.parse(text);
  } catch {
    // The parser's own message quotes the text.
    throw damaged(file);
  }
  if (!isObject(kept) || !Number.isInteger(kept['schema'])) throw damaged(file);
  if ((kept['schema'] as number) > schema) {
    throw new AppError('CONFIGURATION', {
      message: `The file ${file} in the data directory was written by a newer version (schema ${kept['schema']}).`,
      hint: 'Start the version that wrote it, or a newer one.',
    });
  }
  if (kept['schema'] !== schema || !isObject(kept['collections'])) throw damaged(file);
  const state = emptyState();
  for (const [name, documents] of Object.entries(kept['collections'])) {
    // One that is not known would be lost at the next write.
    if (!Object.hasOwn(state.collections, name) || !Array.isArray(documents)) throw damaged(file);
    const collection = state.collections[name as keyof Collections] as Map<string, AnyDocument>;
    for (const document of documents as unknown[]) {
      if (!isObject(document) || typeof document['id'] !== 'string' || collection.has(document['id']))
        throw damaged(file);
      const known = document as unknown as AnyDocument;
      if (!isIndexable(name as keyof Collections, known)) throw damaged(file);
      collection.set(known.id, known);
    }
  }
  return state;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
