/** Documents as text: a header line, then one document per line. Exports and the documents of backups have this form. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { DetailCode } from '../../../src/contract/errors.ts';
import { integer, literal, object, string, timestamp } from '../../../src/contract/schema.ts';
import type { JsonSchema, TypeOf } from '../../../src/contract/schema.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { refuseHostile } from '../../http/plugins/json-body.ts';
import { collectionNames } from '../../storage/collections.ts';
import type { CollectionName } from '../../storage/collections.ts';
import { documentSchemas } from '../../storage/documents.ts';
import { schemaAfter } from '../../storage/migrations.ts';
import type { KeptDocument, Migration } from '../../storage/migrations.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { StoredDocument } from '../../storage/store.ts';
import type { createValidation, Validator } from '../../runtime/validation.ts';

/** The first line of the text. */
export const Header = object({
  laudio: literal('export'),
  schema: integer({ minimum: 1, description: 'The schema of the documents; see migrations.' }),
  version: string({ description: 'The version of the program that wrote the documents.' }),
  created_at: timestamp('When the documents were written.'),
});
export type Header = TypeOf<typeof Header>;

/** A document with its line number, from 1. */
export type LineDocument = StoredDocument & { readonly line: number };

/** A document before validation by its collection's schema. */
interface AnyDocument {
  readonly collection: string;
  readonly document: KeptDocument;
}

const Line = object({
  collection: string(),
  document: object({ id: string({ minLength: 1 }) }, {}, { additionalProperties: true }),
});
const unknownCollection = { message: 'there is no such collection', code: 'INVALID_VALUE' } as const;

/** Maximum size of a line in bytes: a document with the longest permitted texts is smaller. */
const maxLineBytes = 32 * 1024 * 1024;
/** Minimum size of a chunk in bytes. */
const chunkBytes = 64 * 1024;

/** Writes the documents as lines, several lines to a chunk. */
export async function* writeLines(
  header: Header,
  documents: AsyncIterable<StoredDocument>,
): AsyncGenerator<Buffer, void> {
  let text = `${JSON.stringify(header)}\n`;
  for await (const { collection, document } of documents) {
    text += `${JSON.stringify({ collection, document })}\n`;
    if (text.length < chunkBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

/** Reads the lines that `writeLines` wrote. Reuse the reader, whose schemas are compiled once. */
export type LineReader = (source: AsyncIterable<Uint8Array>) => AsyncGenerator<LineDocument, void>;

export interface LineReaderOptions {
  readonly compile: ReturnType<typeof createValidation>;
  /** The first migration leads from schema 1 to 2. This program's documents have the schema after the last migration. */
  readonly migrations: readonly Migration[];
  /** Required fields of a collection that a line may omit. Default: none. */
  readonly withheld?: (collection: CollectionName) => readonly string[];
}

/**
 * Validates each line by the schema of its collection; the caller checks for duplicate ids. VALIDATION_FAILED with the number of the
 * first invalid line, or if a newer version wrote the documents. Messages never contain values.
 */
export function createLineReader({ compile, migrations, withheld = () => [] }: LineReaderOptions): LineReader {
  const schema = schemaAfter(migrations);
  // Schemas are compiled for the first file, because few servers ever read one.
  let compiled: { header: Validator; line: Validator; documents: Readonly<Record<string, Validator>> } | undefined;
  const compileAll = () => ({
    header: compile(Header),
    line: compile(Line),
    documents: Object.fromEntries(
      collectionNames.map((name) => [name, compile(relaxSchema(documentSchemas[name], withheld(name)), 'kept')]),
    ),
  });

  return async function* read(source) {
    const checks = (compiled ??= compileAll());
    const breathe = createBreaks();
    let line = 0;
    const lines = parseLines(source, () => line + 1);
    const first = await lines.next();
    if (first.done || checks.header(first.value).length > 0) throw refuseForeign();
    const header = first.value as Header;
    if (header.schema > schema) throw refuseNewer(header);
    line = 1;

    try {
      for await (const value of lines) {
        line++;
        const [problem] = checks.line(value);
        if (problem) throw refuseLine(line, problem.message, problem.code);
        for (const current of migrate(value as AnyDocument, migrations.slice(header.schema - 1))) {
          const { collection, document } = current;
          const [defect] = findEntry(checks.documents, collection)?.(document) ?? [unknownCollection];
          if (defect) throw refuseLine(line, `${collection.slice(0, 40)}: ${defect.message}`, defect.code);
          yield { ...(current as StoredDocument), line };
        }
        await breathe();
      }
    } finally {
      await lines.return();
    }
  };
}

const relaxSchema = (schema: JsonSchema, withheld: readonly string[]): JsonSchema => ({
  ...schema,
  required: (schema.required ?? []).filter((name) => !withheld.includes(name)),
});

function migrate(document: AnyDocument, steps: readonly Migration[]): readonly AnyDocument[] {
  return steps.reduce<readonly AnyDocument[]>(
    (documents, step) =>
      documents.flatMap((each) =>
        Array.from(step(each.collection, each.document), ([name, made]) => ({ collection: name, document: made })),
      ),
    [document],
  );
}

/** VALIDATION_FAILED for one invalid line. */
export const refuseLine = (line: number, message: string, code: DetailCode = 'INVALID_VALUE'): AppError =>
  validationFailed([{ field: `line ${line}`, message, code }], `Line ${line}: ${message}.`);

const refuseForeign = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: 'These are not documents that Laudio wrote: the first line is missing.',
  });

const refuseNewer = ({ version, schema }: Header): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: `A newer version wrote these documents (${version.slice(0, 40)}, schema ${schema}).`,
    hint: 'Use that version or a later version.',
  });

/** Parses a source line by line; `next` returns the number of the next line. */
async function* parseLines(source: AsyncIterable<Uint8Array>, next: () => number): AsyncGenerator<unknown, void> {
  let parts: Uint8Array[] = [];
  let bufferedBytes = 0;
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end));
      yield parseLine(parts, next());
      parts = [];
      bufferedBytes = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    bufferedBytes += chunk.length - from;
    if (bufferedBytes > maxLineBytes) throw refuseLine(next(), 'the line is too long', 'TOO_LONG');
  }
  if (bufferedBytes > 0) yield parseLine(parts, next());
}

function parseLine(parts: readonly Uint8Array[], line: number): unknown {
  try {
    const value: unknown = JSON.parse(decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts)));
    refuseHostile(value);
    return value;
  } catch (error) {
    if (line === 1) throw refuseForeign();
    throw refuseLine(line, error instanceof AppError ? error.message : 'the line is not JSON', 'INVALID_FORMAT');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
