/**
 * Reads the content of frames of formats 1 and 2, which was JSON; a start rewrites it in the present form. In format 2 documents
 * with the same fields stood in a row, after the values that they had in common.
 */
import type { KeptDocument } from '../migrations.ts';
import type { Content } from './content.ts';
import type { FileKind } from './frame.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Documents of one collection that were put: one alone as it is; several as what all of them have, then the names of the
 * other fields and each document's values for those. Or, after `null`, the ids of documents that were removed.
 */
type Run =
  | readonly [collection: string, document: Fields]
  | readonly [collection: string, common: Fields, fields: readonly string[], ...documents: (readonly unknown[])[]]
  | readonly [collection: string, removed: null, ...ids: string[]];

/** The content of the last frame of a snapshot. */
interface Trailer {
  readonly documents: number;
}

/** A document put, or the id of one that was removed. */
type FormerChange = readonly [collection: string, document: KeptDocument | string];

/** In format 1 a commit was changes, and a frame of a snapshot a collection and documents of it. */
type FormerFrame = readonly FormerChange[] | readonly [collection: string, ...documents: KeptDocument[]];

export function readFormerContent(json: string, kind: FileKind, format: 1 | 2): Content {
  const parsed = JSON.parse(json) as FormerFrame | readonly Run[] | Trailer;
  if ('documents' in parsed) return { changes: 0, total: parsed.documents, apply: () => {} };
  const changes =
    format === 1 ? readChanges(parsed as FormerFrame, kind) : (parsed as readonly Run[]).flatMap(changesIn);
  return {
    changes: changes.length,
    apply(documents) {
      for (const [collection, document] of changes) {
        if (typeof document === 'string') documents.remove(collection, document);
        else documents.put(collection, document);
      }
    },
  };
}

function readChanges(frame: FormerFrame, kind: FileKind): readonly FormerChange[] {
  if (kind === 'journal') return frame as readonly FormerChange[];
  const [collection, ...documents] = frame as unknown as readonly [string, ...KeptDocument[]];
  return documents.map((document) => [collection, document] as const);
}

function changesIn([collection, first, ...rest]: Run): readonly FormerChange[] {
  if (!first) return rest.map((id) => [collection, id as string]);
  if (rest.length === 0) return [[collection, first as unknown as KeptDocument]];
  const [fields, ...rows] = rest as [readonly string[], ...(readonly unknown[])[]];
  return rows.map((row) => [collection, filled(first, fields, row) as unknown as KeptDocument]);
}

/** Copied and then filled: so all are of the one compact shape that the parser gave to what they have in common. */
function filled(common: Fields, fields: readonly string[], row: readonly unknown[]): Fields {
  const document: Record<string, unknown> = { ...common };
  for (const [at, field] of fields.entries()) document[field] = row[at];
  return document;
}
