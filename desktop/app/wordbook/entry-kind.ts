/** The common parts of autotexts and vocabulary on this device. */
import type { FieldError } from '../../../src/contract/errors.ts';
import type { ImportResult } from '../../../src/contract/wordbook.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import type { OwnedFile } from '../../../src/files/wordbook/owned-file.ts';

export interface StoredEntry {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}
export type LocalEntry<Item> = Item & { waits: boolean };

/** The API calls of a kind. */
interface EntryApi<Item, Words> {
  list(call: {
    query: { cursor?: string; limit: number };
  }): Promise<{ data: { items: Item[]; next_cursor: string | null } }>;
  get(call: { params: { id: string } }): Promise<{ data: Item }>;
  create(call: { body: Words }, options: { idempotencyKey: string }): Promise<{ data: Item }>;
  update(call: { params: { id: string }; body: Words }, options: IfMatch): Promise<{ data: Item }>;
  delete(call: { params: { id: string } }, options: IfMatch): Promise<unknown>;
  import(call: { body: { items: Words[]; replace: boolean } }): Promise<{ data: ImportResult }>;
}
export interface IfMatch {
  readonly headers: { readonly 'if-match': string };
}

export interface EntryKind<Item extends StoredEntry, Words extends object> {
  /** The kind's changes are `macro.create`, `macro.update`, `macro.delete`. */
  readonly change: 'macro' | 'term';
  /** Name of the file on this device. */
  readonly file: string;
  readonly item: Schema<Item>;
  /** The fields that a person edits. */
  readonly fields: readonly (keyof Words & keyof Item)[];
  /** The entry in the service's normal form. */
  normal(words: Words): Words;
  /** Errors that the service would report, as far as this device can tell. */
  problems(words: Words): FieldError[];
  api(): EntryApi<Item, Words>;
  readFile(bytes: AsyncIterable<Uint8Array>): Promise<OwnedFile>;
}
