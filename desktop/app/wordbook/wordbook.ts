/**
 * The wordbook of a person or a space: read from the service, or as last read; changed at once, or when the service is
 * reachable again.
 */
import { fileMessage } from '../../../src/contract/messages/files.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { Owner } from '../../../src/contract/wordbook.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { refusedIn } from '../../../src/files/wordbook/owned-file.ts';
import type { OwnedFile } from '../../../src/files/wordbook/owned-file.ts';
import { maxWordbookFileBytes } from '../../bridge/wordbook.ts';
import type { WordbookImport } from '../../bridge/wordbook.ts';
import { inTurns } from '../byte-turns.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes } from '../changes/changes.ts';
import type { ServiceDeps } from '../service.ts';
import { openWordbookCopy } from './wordbook-copy.ts';
import type { WordbookCopy } from './wordbook-copy.ts';
import type { IfMatch, LocalEntry, EntryKind, StoredEntry } from './entry-kind.ts';

/** Milliseconds for which a list is recent. */
const recentMs = 60_000;
/** Maximum number of problems listed; the rest is counted. */
const maxProblems = 50;
const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code;
const onVersion = (version: number): IfMatch => ({ headers: { 'if-match': `"${version}"` } });

export async function createWordbook<Item extends StoredEntry, Words extends object>(
  deps: ServiceDeps & { readonly changes: Changes },
  kind: EntryKind<Item, Words>,
) {
  const { changes } = deps;
  const { api } = kind;
  const kinds = {
    create: `${kind.change}.create`,
    update: `${kind.change}.update`,
    delete: `${kind.change}.delete`,
  } as const;
  const copy = await openWordbookCopy(deps, kind);
  const { fetch, note } = copy;

  const wordsOf = (from: Words): Words =>
    Object.fromEntries(kind.fields.map((field) => [field, from[field]])) as unknown as Words;
  const isSame = (item: Item, words: Words): boolean => {
    const normal = kind.normal(words);
    return kind.fields.every((field) => JSON.stringify(item[field]) === JSON.stringify(normal[field]));
  };
  const sent = (item: Item): LocalEntry<Item> => ({ ...item, waits: false });

  changes.define(kinds.create, async ({ id: idempotencyKey, payload }) => {
    const { data } = await api().create({ body: wordsOf(payload as Words) }, { idempotencyKey });
    await note(data.id, data);
    return data;
  });
  changes.define(kinds.update, async ({ subject: id, payload }) => {
    const words = wordsOf(payload as Words);
    const { data } = await api()
      .update({ params: { id }, body: words }, onVersion((payload as StoredEntry).version))
      .catch(async (error: unknown) => {
        if (!hasCode(error, 'VERSION_CONFLICT')) throw error;
        // The answer to an earlier attempt may be lost.
        const present = await fetch(id);
        if (!isSame(present, words)) throw error;
        return { data: present };
      });
    await note(id, data);
    return data;
  });
  changes.define(kinds.delete, async ({ subject: id, payload }) => {
    await api()
      .delete({ params: { id } }, onVersion((payload as StoredEntry).version))
      .catch((error: unknown) => {
        if (!hasCode(error, 'NOT_FOUND')) throw error;
      });
    await note(id, undefined);
    return undefined;
  });

  /** Another person's version after a conflict; `undefined`: the error has another cause. */
  async function fetchTheirs(id: string, error: unknown): Promise<{ readonly theirs: Item | undefined } | undefined> {
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
  function present(): LocalEntry<Item>[] {
    const items = new Map((copy.known()?.items ?? []).map((item) => [item.id, sent(item)]));
    for (const change of changes.waiting()) apply(change, items);
    return [...items.values()];
  }
  function apply({ kind: what, subject, payload, created_at }: Change, items: Map<string, LocalEntry<Item>>): void {
    const before = items.get(subject);
    if (what === kinds.delete) items.delete(subject);
    if (what !== kinds.create && !(what === kinds.update && before)) return;
    const { version = 1, created_at: since = created_at } = before ?? {};
    const words = kind.normal(wordsOf(payload as Words));
    // The latest change comes last.
    items.delete(subject);
    const item = { ...words, id: subject, version, created_at: since, updated_at: created_at, waits: true };
    items.set(subject, item as unknown as LocalEntry<Item>);
  }

  return {
    /** The entries, at most a minute old if the service is reachable. */
    async recent(): Promise<readonly LocalEntry<Item>[]> {
      const known = copy.known();
      const age = known ? deps.clock.now() - Date.parse(known.as_of) : Infinity;
      if (age > recentMs) await copy.read();
      return present();
    },
    async list() {
      await copy.read();
      return { items: present(), as_of: copy.known()?.as_of ?? null };
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
        const other = of && (await fetchTheirs(id, error));
        if (!other) throw error;
        return other.theirs ? { outcome: 'conflict' as const, theirs: other.theirs } : { outcome: 'deleted' as const };
      }
    },
    async delete({ id, version }: { id: string; version: number }) {
      try {
        const made = await changes.make(kinds.delete, id, () => ({ version }));
        return { outcome: made ? ('deleted' as const) : ('queued' as const) };
      } catch (error) {
        const other = await fetchTheirs(id, error);
        if (!other?.theirs) throw error;
        return { outcome: 'conflict' as const, theirs: other.theirs };
      }
    },
    import: ({ defaults, replace }: ImportInput, bytes: Uint8Array) =>
      importEntries(kind, { defaults, replace }, bytes, copy),
  };
}

interface ImportInput {
  readonly defaults: { readonly language: Language | null; readonly owner: Owner };
  readonly replace: boolean;
}

/** Sends the entries of the file, all or none. */
async function importEntries<Item extends StoredEntry, Words extends object>(
  { readFile, api }: EntryKind<Item, Words>,
  { defaults, replace }: ImportInput,
  bytes: Uint8Array,
  copy: WordbookCopy<Item>,
): Promise<WordbookImport> {
  if (bytes.length > maxWordbookFileBytes) throw new AppError('PAYLOAD_TOO_LARGE');
  const content = await readFile(inTurns(bytes));
  const { items, problems, unread } = content;
  const nothing = { created: 0, replaced: 0, unchanged: 0, unread: [...unread] };
  const refused = (all: OwnedFile['problems']): WordbookImport => ({
    ...nothing,
    problems: { count: all.length, first: all.slice(0, maxProblems).map((problem) => ({ ...problem })) },
  });
  if (problems.length > 0) return refused(problems);
  if (items.length === 0) throw new AppError('USAGE', { message: fileMessage('nothing') });
  const body = { items: items.map((item) => ({ ...defaults, ...item }) as unknown as Words), replace };
  try {
    const { data } = await api().import({ body });
    copy.noteTaken();
    return { ...nothing, ...data, problems: { count: 0, first: [] } };
  } catch (error) {
    const lines = error instanceof AppError ? refusedIn(content, error) : [];
    if (lines.length === 0) throw error;
    return refused(lines);
  }
}
