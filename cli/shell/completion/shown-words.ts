/**
 * The ids and names that were last printed to a terminal, for shell completion: of those, a person wants to type one.
 * They are of the service's making, or the operator's: never of a patient.
 */
import { join } from 'node:path';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { readPrivateFile, writePrivateFile } from '../../../src/node/files/private-file.ts';
import type { UserPaths } from '../../../src/node/paths.ts';
import type { View } from '../view.ts';

/** A word with the noun of the command that printed it. */
interface ShownWord {
  readonly noun: string;
  readonly word: string;
}

/** Two screens of a long list. */
const maxWords = 100;

/** Nouns whose entries are named by the operator; others have ids. */
const namedNouns: readonly string[] = ['channel', 'snapshot'];

const form = /^[A-Za-z][\w-]{1,63}$/;

const fileIn = ({ state }: Pick<UserPaths, 'state'>): string => join(state, 'shown-words.json');

async function read(paths: Pick<UserPaths, 'state'>): Promise<readonly ShownWord[]> {
  try {
    const content: unknown = JSON.parse((await readPrivateFile(fileIn(paths))) ?? '[]');
    return Array.isArray(content) ? content.filter(isShownWord) : [];
  } catch {
    return [];
  }
}

const isShownWord = (value: unknown): value is ShownWord =>
  isPlainObject(value) &&
  typeof value['noun'] === 'string' &&
  typeof value['word'] === 'string' &&
  form.test(value['word']);

/** Remembers the ids of a view. A disk that is full must not fail a command that has succeeded. */
export async function rememberWords(paths: Pick<UserPaths, 'state'>, noun: string, view: View): Promise<void> {
  const rows: readonly unknown[] = view.kind === 'list' ? view.rows : view.kind === 'detail' ? [view.data] : [];
  const field = namedNouns.includes(noun) ? 'name' : 'id';
  const shown = rows
    .slice(0, maxWords)
    .map((row) => ({ noun, word: isPlainObject(row) ? row[field] : undefined }))
    .filter(isShownWord);
  if (shown.length === 0) return;
  const words = new Set(shown.map(({ word }) => word));
  const others = (await read(paths)).filter(({ word }) => !words.has(word));
  await writePrivateFile(fileIn(paths), JSON.stringify([...shown, ...others].slice(0, maxWords))).catch(
    () => undefined,
  );
}

/** The remembered words of a noun, or ids with a prefix: `channel`, `wli`. */
export const shownWords = async (paths: Pick<UserPaths, 'state'>, source: string): Promise<string[]> =>
  (await read(paths))
    .filter(({ noun, word }) => noun === source || word.startsWith(`${source}_`))
    .map(({ word }) => word);
