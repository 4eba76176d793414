/**
 * What a person or the department keeps for dictating: read from the service, or as it was read last; changed at once, or
 * once the service is back.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { ErrorCode, FieldError } from '../../../src/contract/errors.ts';
import type { Imported, Owner } from '../../../src/contract/owned.ts';
import { array, object, timestamp } from '../../../src/contract/schema.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { refusedIn } from '../../../src/files/wordbook/owned-file.ts';
import type { OwnedFile } from '../../../src/files/wordbook/owned-file.ts';
import { maxOwnedFileBytes } from '../../bridge/owned.ts';
import type { OwnedImport } from '../../bridge/owned.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes } from '../changes/changes.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';

interface Stored {
  readonly id: string;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}
type Kept<Item> = Item & { waits: boolean };

/** The calls of the service. */
interface OwnedApi<Item, Words> {
  list(call: {
    query: { cursor?: string; limit: number };
  }): Promise<{ data: { items: Item[]; next_cursor: string | null } }>;
  get(call: { params: { id: string } }): Promise<{ data: Item }>;
  create(call: { body: Words }, options: { idempotencyKey: string }): Promise<{ data: Item }>;
  update(call: { params: { id: string }; body: Words }, options: IfMatch): Promise<{ data: Item }>;
  delete(call: { params: { id: string } }, options: IfMatch): Promise<unknown>;
  import(call: { body: { items: Words[]; replace: boolean } }): Promise<{ data: Imported }>;
}
interface IfMatch {
  readonly headers: { readonly 'if-match': string };
}

export interface OwnedKind<Item extends Stored, Words extends object> {
  /** Its changes are `macro.create`, `macro.update`, `macro.delete`. */
  readonly change: 'macro' | 'term';
  /** Name of the file on this device. */
  readonly file: string;
  readonly item: Schema<Item>;
  /** The fields that a person writes. */
  readonly fields: readonly (keyof Words & keyof Item)[];
  /** The words as the service stores them. */
  normal(words: Words): Words;
  /** What the service would refuse of them, as far as this device can tell. */
  problems(words: Words): FieldError[];
  api(): OwnedApi<Item, Words>;
  readFile(bytes: AsyncIterable<Uint8Array>): Promise<OwnedFile>;
}

const mostOnPage = 200;
/** Ms for which a list is recent. */
const recentMs = 60_000;
/** Problems of a file that are told; the rest is counted. */
const mostTold = 50;
const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code;
const onVersion = (version: number): IfMatch => ({ headers: { 'if-match': `"${version}"` } });

export async function createOwned<Item extends Stored, Words extends object>(
  deps: ServiceDeps & { readonly changes: Changes },
  kind: OwnedKind<Item, Words>,
) {
  const { changes } = deps;
  const { api } = kind;
  const kinds = {
    create: `${kind.change}.create`,
    update: `${kind.change}.update`,
    delete: `${kind.change}.delete`,
  } as const;
  const List = object({ items: array(kind.item), as_of: timestamp('When the service gave the list.') });
  const file = jsonFile(join(deps.directory, kind.file), List, deps.sealing);
  let known: { readonly items: Item[]; readonly as_of: string } | undefined = await file.read();

  const wordsOf = (from: Words): Words =>
    Object.fromEntries(kind.fields.map((field) => [field, from[field]])) as unknown as Words;
  const isSame = (item: Item, words: Words): boolean => {
    const normal = kind.normal(words);
    return kind.fields.every((field) => JSON.stringify(item[field]) === JSON.stringify(normal[field]));
  };
  const sent = (item: Item): Kept<Item> => ({ ...item, waits: false });

  const keep = async (read: NonNullable<typeof known>): Promise<void> => {
    known = read;
    await file.write(read);
  };
  /** Counts the changes that the service took: a list that was read meanwhile may lack one of them. */
  let taken = 0;
  const read = async (): Promise<void> => {
    const [before, as_of, items] = [taken, isoNow(deps.clock), [] as Item[]];
    const fetchPage = (paging: { cursor?: string }) => api().list({ query: { ...paging, limit: mostOnPage } });
    for await (const item of itemsOf(fetchPage)) items.push(item);
    if (taken !== before) return read();
    await keep({ items, as_of });
  };
  const readIfReachable = async (): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
  };
  /** Replaces one of the list that was read last; `undefined`: it is gone. */
  const note = async (id: string, item: Item | undefined): Promise<void> => {
    taken += 1;
    if (!known) return;
    const others = known.items.filter((each) => each.id !== id);
    await keep({ ...known, items: item ? [...others, item] : others });
  };
  const fetch = async (id: string): Promise<Item> => (await api().get({ params: { id } })).data;

  changes.define(kinds.create, async ({ id: idempotencyKey, payload }) => {
    const { data } = await api().create({ body: wordsOf(payload as Words) }, { idempotencyKey });
    await note(data.id, data);
    return data;
  });
  changes.define(kinds.update, async ({ subject: id, payload }) => {
    const words = wordsOf(payload as Words);
    const { data } = await api()
      .update({ params: { id }, body: words }, onVersion((payload as Stored).version))
      .catch(async (error: unknown) => {
        if (!hasCode(error, 'VERSION_CONFLICT')) throw error;
        // The answer to an earlier try may have been lost.
        const present = await fetch(id);
        if (!isSame(present, words)) throw error;
        return { data: present };
      });
    await note(id, data);
    return data;
  });
  changes.define(kinds.delete, async ({ subject: id, payload }) => {
    await api()
      .delete({ params: { id } }, onVersion((payload as Stored).version))
      .catch((error: unknown) => {
        if (!hasCode(error, 'NOT_FOUND')) throw error;
      });
    await note(id, undefined);
    return undefined;
  });

  /** What somebody else made of it meanwhile; `undefined`: the error says something else. */
  async function madeOfIt(id: string, error: unknown): Promise<{ readonly theirs: Item | undefined } | undefined> {
    if (hasCode(error, 'NOT_FOUND')) {
      await note(id, undefined);
      return { theirs: undefined };
    }
    if (!hasCode(error, 'VERSION_CONFLICT')) return undefined;
    const theirs = await fetch(id);
    await note(id, theirs);
    return { theirs };
  }

  /** The list as it will be once the changes are sent. */
  function present(): Kept<Item>[] {
    const items = new Map((known?.items ?? []).map((item) => [item.id, sent(item)]));
    for (const change of changes.waiting()) apply(change, items);
    return [...items.values()];
  }
  function apply({ kind: what, subject, payload, created_at }: Change, items: Map<string, Kept<Item>>): void {
    const before = items.get(subject);
    if (what === kinds.delete) items.delete(subject);
    if (what !== kinds.create && !(what === kinds.update && before)) return;
    const { version = 1, created_at: since = created_at } = before ?? {};
    const words = kind.normal(wordsOf(payload as Words));
    // What changed last stands last.
    items.delete(subject);
    const item = { ...words, id: subject, version, created_at: since, updated_at: created_at, waits: true };
    items.set(subject, item as unknown as Kept<Item>);
  }

  return {
    /** The items, from a list that is a minute old at most if the service can be reached. */
    async recent(): Promise<readonly Kept<Item>[]> {
      const age = known ? deps.clock.now() - Date.parse(known.as_of) : Infinity;
      if (age > recentMs) await readIfReachable();
      return present();
    },
    async list() {
      await readIfReachable();
      return { items: present(), as_of: known?.as_of ?? null };
    },
    async save({ words, of }: { words: Words; of?: { id: string; version: number } }) {
      const problems = kind.problems(words);
      if (problems.length > 0) throw validationFailed(problems);
      const id = of?.id ?? deps.uuid();
      try {
        const made = await changes.make(of ? kinds.update : kinds.create, id, () => ({
          ...words,
          ...(of && { version: of.version }),
        }));
        if (made) return { outcome: 'saved' as const, item: sent(made.sent as Item) };
        const item = present().find((each) => each.id === id);
        return { outcome: 'queued' as const, ...(item && { item }) };
      } catch (error) {
        const other = of && (await madeOfIt(id, error));
        if (!other) throw error;
        return other.theirs ? { outcome: 'conflict' as const, theirs: other.theirs } : { outcome: 'deleted' as const };
      }
    },
    async delete({ id, version }: { id: string; version: number }) {
      try {
        const made = await changes.make(kinds.delete, id, () => ({ version }));
        return { outcome: made ? ('deleted' as const) : ('queued' as const) };
      } catch (error) {
        const other = await madeOfIt(id, error);
        if (!other?.theirs) throw error;
        return { outcome: 'conflict' as const, theirs: other.theirs };
      }
    },
    async import(
      { defaults, replace }: { defaults: { language: Language | null; owner: Owner }; replace: boolean },
      bytes: Uint8Array | undefined,
    ): Promise<OwnedImport> {
      if (bytes!.length > maxOwnedFileBytes) throw new AppError('PAYLOAD_TOO_LARGE');
      const content = await kind.readFile(inTurns(bytes!));
      const { items, problems, unread } = content;
      const nothing = { created: 0, replaced: 0, unchanged: 0, unread: [...unread] };
      const refused = (all: OwnedFile['problems']): OwnedImport => ({
        ...nothing,
        problems: { count: all.length, first: all.slice(0, mostTold).map((problem) => ({ ...problem })) },
      });
      if (problems.length > 0) return refused(problems);
      if (items.length === 0) throw new AppError('USAGE', { message: 'The file holds nothing to import.' });
      const body = { items: items.map((item) => ({ ...defaults, ...item }) as unknown as Words), replace };
      try {
        const { data } = await api().import({ body });
        taken += 1;
        return { ...nothing, ...data, problems: { count: 0, first: [] } };
      } catch (error) {
        const lines = error instanceof AppError ? refusedIn(content, error) : [];
        if (lines.length === 0) throw error;
        return refused(lines);
      }
    },
  };
}

/** Lets other work run between two pieces: a dictation may be under way. */
async function* inTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 64 * 1024;
  for (let at = 0; at < bytes.length; at += size) {
    await nextTurn();
    yield bytes.subarray(at, at + size);
  }
}
