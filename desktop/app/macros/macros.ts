/** Autotexts: read from the service, or as they were read last; changed at once, or once the service is back. */
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { Macro } from '../../../src/contract/macro.ts';
import { array, object, timestamp } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { wordsOf } from '../../bridge/macros.ts';
import type { KeptMacro, MacroWords } from '../../bridge/macros.ts';
import type { Change } from '../changes/change-outbox.ts';
import type { Changes } from '../changes/changes.ts';
import { jsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

const ReadMacros = object({ items: array(Macro), as_of: timestamp('When the service gave the list.') });
type ReadMacros = TypeOf<typeof ReadMacros>;

/** A new text, and the version that it changes. */
type Update = MacroWords & { readonly version: number };

const mostOnPage = 200;
const sent = (macro: Macro): KeptMacro => ({ ...macro, waits: false });

/** The service stores texts without white space around them. */
const sameWords = (macro: Macro, words: MacroWords): boolean =>
  macro.name === words.name.trim() &&
  macro.text === words.text.trim() &&
  (['section', 'language', 'owner'] as const).every((field) => macro[field] === words[field]);

const hasCode = (error: unknown, code: ErrorCode): boolean => error instanceof AppError && error.code === code;

/** The list as it will be once the change is sent. */
function withChange(items: KeptMacro[], { kind, subject, payload, created_at }: Change): KeptMacro[] {
  const others = items.filter(({ id }) => id !== subject);
  if (kind === 'macro.delete') return others;
  const before = items.find(({ id }) => id === subject);
  if (kind === 'macro.create' || (kind === 'macro.update' && before)) {
    const { version = 1, created_at: since = created_at } = before ?? {};
    const words = wordsOf(payload as MacroWords);
    return [...others, { ...words, id: subject, version, created_at: since, updated_at: created_at, waits: true }];
  }
  return items;
}

export async function createMacros(deps: ServiceDeps & { readonly changes: Changes }): Promise<Service<'macros'>> {
  const { connect, changes } = deps;
  const api = () => connect().client.macros;
  const file = jsonFile(join(deps.directory, 'macros.json'), ReadMacros, deps.sealing);
  let known = await file.read();

  const keep = async (read: ReadMacros): Promise<void> => {
    known = read;
    await file.write(read);
  };
  /** Counts the changes that the service took: a list that was read meanwhile may lack one of them. */
  let taken = 0;
  const read = async (): Promise<void> => {
    const [before, as_of, items] = [taken, isoNow(deps.clock), [] as Macro[]];
    const fetchPage = (paging: { cursor?: string }) => api().list({ query: { ...paging, limit: mostOnPage } });
    for await (const macro of itemsOf(fetchPage)) items.push(macro);
    if (taken !== before) return read();
    await keep({ items, as_of });
  };
  /** Replaces an autotext of the list that was read last; `undefined`: it is gone. */
  const note = async (id: string, macro: Macro | undefined): Promise<void> => {
    taken += 1;
    if (!known) return;
    const others = known.items.filter((each) => each.id !== id);
    await keep({ ...known, items: macro ? [...others, macro] : others });
  };
  const fetch = async (id: string): Promise<Macro> => (await api().get({ params: { id } })).data;

  changes.define('macro.create', async ({ id: idempotencyKey, payload }) => {
    const { data } = await api().create({ body: wordsOf(payload as MacroWords) }, { idempotencyKey });
    await note(data.id, data);
    return data;
  });
  changes.define('macro.update', async ({ subject: id, payload }) => {
    const { version, ...words } = payload as Update;
    const headers = { 'if-match': `"${version}"` };
    const { data } = await api()
      .update({ params: { id }, body: wordsOf(words) }, { headers })
      .catch(async (error: unknown) => {
        if (!hasCode(error, 'VERSION_CONFLICT')) throw error;
        // The answer to an earlier try may have been lost.
        const present = await fetch(id);
        if (!sameWords(present, words)) throw error;
        return { data: present };
      });
    await note(id, data);
    return data;
  });
  changes.define('macro.delete', async ({ subject: id, payload }) => {
    const headers = { 'if-match': `"${(payload as Update).version}"` };
    await api()
      .delete({ params: { id } }, { headers })
      .catch((error: unknown) => {
        if (!hasCode(error, 'NOT_FOUND')) throw error;
      });
    await note(id, undefined);
    return undefined;
  });

  /** What somebody else made of it meanwhile; `undefined`: the error says something else. */
  async function madeOfIt(id: string, error: unknown): Promise<{ readonly theirs: Macro | undefined } | undefined> {
    if (hasCode(error, 'NOT_FOUND')) {
      await note(id, undefined);
      return { theirs: undefined };
    }
    if (!hasCode(error, 'VERSION_CONFLICT')) return undefined;
    const theirs = await fetch(id);
    await note(id, theirs);
    return { theirs };
  }
  const withWaiting = (items: readonly Macro[]): KeptMacro[] =>
    changes.waiting().reduce((seen, change) => withChange(seen, change), items.map(sent));

  return {
    handlers: {
      async 'macros.list'() {
        try {
          await read();
        } catch (error) {
          if (!isTransient(error)) throw error;
        }
        return { items: withWaiting(known?.items ?? []), as_of: known?.as_of ?? null };
      },
      async 'macros.save'({ of, ...words }) {
        const id = of?.id ?? deps.uuid();
        try {
          const made = await changes.make(of ? 'macro.update' : 'macro.create', id, () => ({
            ...words,
            ...(of && { version: of.version }),
          }));
          if (made) return { outcome: 'saved', macro: sent(made.sent as Macro) };
          const macro = withWaiting(known?.items ?? []).find((each) => each.id === id);
          return { outcome: 'queued', ...(macro && { macro }) };
        } catch (error) {
          const other = of && (await madeOfIt(id, error));
          if (!other) throw error;
          return other.theirs ? { outcome: 'conflict', theirs: other.theirs } : { outcome: 'deleted' };
        }
      },
      async 'macros.delete'({ id, version }) {
        try {
          const made = await changes.make('macro.delete', id, () => ({ version }));
          return { outcome: made ? 'deleted' : 'queued' };
        } catch (error) {
          const other = await madeOfIt(id, error);
          if (!other?.theirs) throw error;
          return { outcome: 'conflict', theirs: other.theirs };
        }
      },
    },
    close: async () => undefined,
  };
}
