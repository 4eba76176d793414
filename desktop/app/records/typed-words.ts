/**
 * Typed words on their way into a record. They are stored here with each key until they are part of the record, so that
 * none is lost when a page ends or is locked, or when another person saves a version.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Section } from '../../../src/contract/document.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import { TypedInput } from '../../bridge/typed.ts';
import type { Stroke } from '../../bridge/shapes.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { Service, ServiceDeps } from '../service.ts';

type About = Pick<TypedInput, 'kind' | 'subject'>;
interface TypedText {
  readonly title?: string | undefined;
  readonly sections?: readonly Section[] | undefined;
  readonly text?: string | undefined;
}

/** The words as a record has them: without empty sections and surrounding blanks. */
const essenceOf = ({ title, sections, text }: TypedText): string =>
  JSON.stringify([
    title,
    sections?.flatMap(({ key, text: words }) => (words.trim() === '' ? [] : [[key, words]])),
    text?.trim(),
  ]);

export interface TypedWords extends Service<'typed'> {
  find(about: About): TypedInput | undefined;
  /** Resolves when the words are on disk. Words of an earlier stroke of the page that arrive later are ignored. */
  keep(typed: TypedInput): Promise<void>;
  /** Puts back what `find` found before. */
  restore(about: About, typed: TypedInput | undefined): Promise<void>;
  /**
   * The `words` are part of a record, or wait to be sent: removes the words that the page typed up to that stroke, and
   * the same words from another page, such as a closed one.
   */
  settle(about: About, stroke: Stroke | undefined, words: TypedText): Promise<void>;
  /** Removes all words about that subject. */
  forget(subject: string): Promise<void>;
}

/** The words about one subject: the newest in memory, on disk as soon as the previous write is over. */
interface Entry {
  readonly file: JsonFile<TypedInput>;
  typed: TypedInput | undefined;
  /** The newest stroke of a page. */
  last: Stroke | undefined;
  writing: Promise<void>;
  /** The next write, which starts after the current one with the newest words at that time. */
  next: Promise<void> | undefined;
}

export async function createTyped({ directory, sealing }: ServiceDeps): Promise<TypedWords> {
  const folder = join(directory, 'typed');
  await ensurePrivateDirectory(folder);
  const all = new Map<string, Entry>();
  const openFile = (name: string): Entry => {
    const entry: Entry = {
      file: jsonFile(join(folder, name), TypedInput, sealing),
      typed: undefined,
      last: undefined,
      writing: Promise.resolve(),
      next: undefined,
    };
    all.set(name, entry);
    return entry;
  };
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) continue;
    const entry = openFile(name);
    entry.typed = await entry.file.read();
    entry.last = entry.typed?.stroke;
  }
  const entryOf = (about: About): Entry => all.get(nameOf(about)) ?? openFile(nameOf(about));
  const write = (entry: Entry): Promise<void> => {
    if (entry.next) return entry.next;
    const next = entry.writing.then(() => {
      entry.next = undefined;
      const work = entry.typed ? entry.file.write(entry.typed) : entry.file.remove();
      entry.writing = work.catch(() => undefined);
      return work;
    });
    entry.next = next;
    return next;
  };
  const isLate = ({ last }: Entry, stroke: Stroke | undefined): boolean =>
    last !== undefined && stroke !== undefined && stroke.page === last.page && stroke.at <= last.at;
  const put = async (about: About, stroke: Stroke | undefined, typed: TypedInput | undefined): Promise<void> => {
    const entry = entryOf(about);
    // The first call of the same stroke may have failed to reach the disk.
    if (isLate(entry, stroke)) return stroke?.at === entry.last?.at ? write(entry) : (entry.next ?? entry.writing);
    entry.last = stroke ?? entry.last;
    if (!typed && !entry.typed) return;
    entry.typed = typed;
    await write(entry);
  };
  return {
    handlers: {
      'typed.list': async () => ({ items: [...all.values()].flatMap(({ typed }) => typed ?? []) }),
      async 'typed.keep'(typed) {
        await put(typed, typed.stroke, typed);
        return {};
      },
      async 'typed.forget'({ stroke, ...about }) {
        await put(about, stroke, undefined);
        return {};
      },
    },
    find: (about) => all.get(nameOf(about))?.typed,
    keep: (typed) => put(typed, typed.stroke, typed),
    restore: (about, typed) => put(about, undefined, typed),
    async settle(about, stroke, words) {
      const { last, typed } = entryOf(about);
      const isOwn = last === undefined || last.page === stroke?.page;
      // Different words from another window stay.
      if (stroke && (isOwn || !typed || essenceOf(typed) === essenceOf(words))) await put(about, stroke, undefined);
    },
    async forget(subject) {
      for (const { typed } of all.values()) if (typed?.subject === subject) await put(typed, undefined, undefined);
    },
    async close() {
      await Promise.all([...all.values()].map(({ next, writing }) => next ?? writing));
    },
  };
}

const nameOf = ({ kind, subject }: About): string =>
  `${createHash('sha256').update(`${kind} ${subject}`).digest('hex').slice(0, 32)}.json`;
