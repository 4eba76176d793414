/** Loads the data directory at the start of the server, whichever version wrote it, and reports the work that is left to do. */
import { join } from 'node:path';
import type { Log } from '../../runtime/log.ts';
import { migrate } from '../migrations.ts';
import type { Migration } from '../migrations.ts';
import type { Tables } from '../transactions/tables.ts';
import { listDataFiles } from './data-files.ts';
import type { Surroundings } from './data-files.ts';
import { knownFormat } from './frame.ts';
import { upgradeFolder, keepFormerFiles } from './before-upgrade.ts';
import { hasFormerFile, readFormerFile, refuseLaterFile } from './former-file.ts';
import { keyFile } from '../data-directory/keys.ts';
import { discard, removeTemporaries } from '../data-directory/private-files.ts';
import { keepInQuarantine } from './quarantine.ts';
import { besideForm, dataFileOf, discardDataFile, mendHeader } from './header-copies.ts';
import { recover } from './recovery.ts';
import type { RecoveredState, WornFile } from './recovery.ts';
import { codeOf } from './background-snapshot.ts';

export interface LoadedDirectory extends Pick<RecoveredState, 'sequence' | 'base' | 'hasSnapshot' | 'growth' | 'last'> {
  readonly tables: Tables;
  /** All documents must be rewritten: a former version wrote them, or they should be encrypted and are not. */
  readonly outdated: boolean;
  /** There is a `database.json`, to be set aside once its documents are durable elsewhere. */
  readonly hasPreviousFile: boolean;
}

/** `null`: the directory has no documents. AppError DATA_DAMAGED if a file is missing, CONFIGURATION if one cannot be read. */
export async function loadDirectory(
  around: Surroundings,
  migrations: readonly Migration[],
  log: Log,
): Promise<LoadedDirectory | null> {
  const { directory, fs, sealing, schema } = around;
  for (const prefix of ['snapshot-', 'database.json', keyFile]) await removeTemporaries(fs, directory, prefix);
  const files = await listDataFiles(fs, directory);
  const recovered = await recover(around, files);
  const hasPreviousFile = await hasFormerFile(fs, directory);
  if (!recovered) {
    await removeOrphans(around);
    const tables = hasPreviousFile ? await readFormerFile(fs, directory) : null;
    const growth = { bytes: 0, commits: 0, documents: 0 };
    const nothing = { sequence: 0, base: 0, hasSnapshot: false, growth, last: undefined };
    return tables && { ...nothing, tables, outdated: true, hasPreviousFile };
  }
  if (hasPreviousFile) refuseLaterFile(recovered, files);
  const isFormer = recovered.previousFormat || recovered.schema < schema;
  const tables = migrate(recovered.documents, recovered.schema, migrations);
  if (isFormer) {
    await keepFormerFiles(
      fs,
      directory,
      [...files.snapshots, ...files.journals].map(({ name }) => name),
    );
    log({ level: 'info', event: 'upgrade_began', kept: upgradeFolder });
  }
  for (const { file } of recovered.unreadable) {
    const quarantined = await keepInQuarantine(fs, directory, file.name);
    await discardDataFile(fs, directory, file.name);
    log({ level: 'warn', event: 'snapshot_damaged', file: file.name, kept: quarantined });
  }
  await mendHeaders(around, recovered.worn, log);
  await removeOrphans(around);
  const { last } = recovered;
  if (last && last.torn > 0) log({ level: 'warn', event: 'journal_cut', file: last.file.name, bytes: last.torn });
  return {
    ...recovered,
    tables,
    outdated: isFormer || (sealing !== undefined && recovered.plain),
    hasPreviousFile,
  };
}

/** Where that fails the other copies are good still. A former format is written in the present one soon. */
async function mendHeaders({ directory, fs }: Surroundings, worn: readonly WornFile[], log: Log): Promise<void> {
  for (const { file, ...found } of worn) {
    if (found.header.format < knownFormat) continue;
    try {
      await mendHeader(fs, directory, file.name, found);
      log({ level: 'warn', event: 'header_mended', file: file.name });
    } catch (error) {
      log({ level: 'warn', event: 'header_not_mended', file: file.name, code: codeOf(error) });
    }
  }
}

/** A crash may have left the copy of a header whose file is gone. */
async function removeOrphans({ directory, fs }: Surroundings): Promise<void> {
  const names = new Set(await fs.readdir(directory));
  for (const name of names) {
    if (besideForm.test(name) && !names.has(dataFileOf(name))) await discard(fs, join(directory, name));
  }
}
