/** The list of a kind as this device last read it. */
import { join } from 'node:path';
import { itemsOf } from '../../../src/client/pages.ts';
import { isTransient } from '../../../src/client/transient.ts';
import { array, object, timestamp } from '../../../src/contract/schema.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import { jsonFile } from '../json-file.ts';
import type { ServiceDeps } from '../service.ts';
import type { EntryKind, StoredEntry } from './entry-kind.ts';

const maxPageSize = 200;

/** `undefined`: never read. */
type EntryList<Item> = { readonly items: Item[]; readonly as_of: string } | undefined;

export interface WordbookCopy<Item> {
  known(): EntryList<Item>;
  /** Reads the list, if the service is reachable. */
  read(): Promise<void>;
  /** Reads an entry from the service. */
  fetch(id: string): Promise<Item>;
  /** Replaces an entry of the list; `undefined` removes it. */
  note(id: string, item: Item | undefined): Promise<void>;
  /** The service accepted a change: a list that is being read may lack it. */
  noteTaken(): void;
}

export async function openWordbookCopy<Item extends StoredEntry, Words extends object>(
  deps: Pick<ServiceDeps, 'directory' | 'sealing' | 'clock' | 'log'>,
  { api, ...kind }: Pick<EntryKind<Item, Words>, 'api' | 'item' | 'file'>,
): Promise<WordbookCopy<Item>> {
  const List = object({ items: array(kind.item), as_of: timestamp('When the service gave the list.') });
  const file = jsonFile(join(deps.directory, kind.file), List, deps.sealing);
  let known: EntryList<Item> = await file.read();

  const keep = async (read: NonNullable<EntryList<Item>>): Promise<void> => {
    known = read;
    // The answer counts even if a full disk can't store it.
    await file.write(read).catch(() => deps.log({ level: 'warn', event: 'wordbook_not_kept' }));
  };
  /** Number of changes that the service accepted, to detect that a list being read may lack one. */
  let taken = 0;
  const read = async (): Promise<void> => {
    const [before, as_of, items] = [taken, isoNow(deps.clock), [] as Item[]];
    const fetchPage = (paging: { cursor?: string }) => api().list({ query: { ...paging, limit: maxPageSize } });
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
  /** Replaces an entry of the list read last; `undefined` removes it. */
  const note = async (id: string, item: Item | undefined): Promise<void> => {
    taken += 1;
    if (!known) return;
    const others = known.items.filter((each) => each.id !== id);
    await keep({ ...known, items: item ? [...others, item] : others });
  };
  const fetch = async (id: string): Promise<Item> => (await api().get({ params: { id } })).data;

  return { known: () => known, read: readIfReachable, fetch, note, noteTaken: () => void (taken += 1) };
}
