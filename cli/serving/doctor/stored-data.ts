/** Reads the documents of each data directory as a start would, also while a server runs. */
import { readdir } from 'node:fs/promises';
import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { keyOptions } from '../data-key.ts';
import { chooseStores } from '../stores.ts';
import { bad, note, ok, toFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Look } from './look.ts';

export async function checkStoredData(look: Look): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const directory of await look.directories()) {
    const finding = await readDocuments(look, directory).catch(toFinding);
    if (finding) found.push(finding);
  }
  if (found.length > 0) return found;
  // A server whose directory is gone has its own finding.
  return (await look.servers()).length > 0 ? [] : [ok('there is none yet')];
}

const noStores = { store: undefined, blobs: undefined };

/** `undefined`: there is nothing to read. */
async function readDocuments({ context }: Look, directory: string): Promise<Finding | undefined> {
  // A directory that cannot be read is the finding of another check.
  const names = await readdir(directory).catch(() => []);
  if (names.length === 0) return undefined;
  const { settings, env } = context;
  if (settings.store?.use === 'memory') return ok('in memory only, as the store setting says');
  let isSealed = false;
  const key = await keyOptions(context, { passphraseStdin: false });
  const passphrase = async (): Promise<string> => {
    isSealed = true;
    throw new AppError('CONFIGURATION');
  };
  const { checkStores } = await import('../../../server/index.ts');
  const asked = env['LAUDIO_PASSPHRASE'] ? key : { ...key, passphrase };
  const report = await checkStores({
    directory,
    key: asked,
    documentsOnly: true,
    ...chooseStores(context, noStores),
  }).catch((error: unknown) => {
    if (isSealed) return undefined;
    throw error;
  });
  if (!report) {
    return note(
      `${directory} was not read: its key is under a passphrase`,
      'Set LAUDIO_PASSPHRASE, or use laudio server check --passphrase-stdin.',
    );
  }
  const { problems, found } = report;
  const [first] = problems;
  const what = first && `${first.file ?? 'the documents'}: ${first.what}`;
  if (!found) {
    return bad(
      'DATA_DAMAGED',
      `${directory} is damaged: ${what}`,
      `If a server runs on it, make a backup before it stops: laudio server backup FILE. ${first?.advice ?? ''}`.trim(),
    );
  }
  const count = Object.values(found.documents).reduce((sum, each) => sum + each, 0);
  if (what !== undefined) {
    return note(
      `${counted(problems.length, 'fault')} in ${directory}: ${what}`,
      'Nothing that was acknowledged is missing. Have the disk checked and keep a backup ready; laudio server check shows everything.',
    );
  }
  return ok(`${counted(count, 'document')} in ${directory}, all readable`);
}
