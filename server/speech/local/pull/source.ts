/** Where a model comes from: an address, an archive or a folder. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { unknownWord } from '../../../../src/domain/unknown-word.ts';
import { isMissing } from '../../../../src/node/files/private-file.ts';
import { releases } from '../catalogue.ts';
import type { OfferedModel } from '../catalogue.ts';

export type Source =
  | { readonly kind: 'address'; readonly url: URL }
  | { readonly kind: 'archive'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'folder'; readonly path: string };

const ending = '.tar.bz2';

/**
 * `from`: an address or path from the operator; `undefined` for the catalogue's address. AppError USAGE, or NOT_FOUND for
 * a model that the catalogue lacks.
 */
export async function readSource(
  { id, from }: { readonly id: string; readonly from?: string | undefined },
  offers: Readonly<Record<string, OfferedModel>>,
): Promise<Source> {
  const offered = findEntry(offers, id);
  if (from === undefined) {
    if (!offered) throw unknownModel(id, Object.keys(offers));
    return { kind: 'address', url: new URL(offered.archive.name, releases) };
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(from)) return { kind: 'address', url: resolveAddress(from, offered) };
  const path = resolve(from);
  const found = await stat(path).catch((error: unknown) => {
    if (isMissing(error)) throw new AppError('USAGE', { message: `${from} does not exist.` });
    throw error;
  });
  if (!found.isDirectory()) return { kind: 'archive', path, bytes: found.size };
  if (offered) {
    const archive = join(path, offered.archive.name);
    const inside = await stat(archive).catch(() => undefined);
    if (inside?.isFile()) return { kind: 'archive', path: archive, bytes: inside.size };
  }
  return { kind: 'folder', path };
}

/** The address of the archive, or of the folder that contains it. */
function resolveAddress(from: string, offered: OfferedModel | undefined): URL {
  const url = URL.parse(from);
  // The address is not quoted, because it may contain a secret.
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError('USAGE', { message: 'The address has to begin with https:// or http://.' });
  }
  if (url.pathname.endsWith(ending)) return url;
  if (!offered)
    throw new AppError('USAGE', { message: `The address of a model of your own has to end with ${ending}.` });
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${offered.archive.name}`;
  return url;
}

function unknownModel(id: string, offered: readonly string[]): AppError {
  const hint = 'See `laudio engine list`; install your own model with --from ADDRESS|FOLDER|FILE.';
  return unknownWord('There is no such model in the catalogue.', id, offered, hint, 'NOT_FOUND');
}
