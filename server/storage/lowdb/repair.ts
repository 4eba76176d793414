/**
 * Repairs a data directory from which the store does not start: writes all readable documents to a fresh snapshot, moves the
 * former files to the quarantine, and reports the lost commits.
 */
import type { Loss, RepairReport } from '../condition.ts';
import { keepDocuments, migrate, migrations as known, schemaAfter } from '../migrations.ts';
import type { KeptDocuments } from '../migrations.ts';
import { checkDocuments, countsOf } from './check.ts';
import type { CheckOptions } from './check.ts';
import { isDamage, listDataFiles, openDataFile, unfinished } from './data-files.ts';
import type { DataFile, DataFiles, OpenDataFile, Surroundings } from './data-files.ts';
import { discardDataFile } from './header-copies.ts';
import { readFormerFile } from './former-file.ts';
import type { DataDirectory } from '../data-directory/data-directory.ts';
import { copyOf } from '../transactions/tables.ts';
import { nodeFileSystem, unusable } from '../data-directory/private-files.ts';
import { keepInQuarantine } from './quarantine.ts';
import { readSnapshot } from './recovery.ts';
import { prepareSnapshot } from './snapshot.ts';

/** Rejects with AppError CONFIGURATION or DATA_DAMAGED if the directory cannot be repaired; nothing has changed then. */
export async function repairDocuments(
  { path: directory, place, encryption }: Pick<DataDirectory, 'path' | 'place' | 'encryption'>,
  { fs = nodeFileSystem, migrations = known }: Omit<CheckOptions, 'sealing'> = {},
): Promise<RepairReport> {
  try {
    const sealing = encryption?.sealing;
    const around = { directory, fs, sealing, schema: schemaAfter(migrations) };
    const { found } = await checkDocuments(directory, { fs, sealing, migrations });
    if (found) return { repaired: false, lost: [], cut: 0, quarantined: [], found };
    const files = await listDataFiles(fs, directory);
    // Without snapshots and journals there is nothing to salvage. Reading the former file gives the best error.
    if (files.snapshots.length + files.journals.length + files.acknowledged === 0) await readFormerFile(fs, directory);
    const { documents, schema, highest, ...losses } = await salvage(around, files);
    const tables = migrate(documents, schema, migrations);
    const sequence = highest + 1;
    const prepared = await prepareSnapshot({ ...around, place, sequence }, copyOf(tables));
    const previous = [...files.snapshots, ...files.journals];
    const quarantined: string[] = [];
    // Each file gets a second name before the snapshot, and loses its first name after it: a crash loses no file.
    for (const { name } of previous) quarantined.push(await keepInQuarantine(fs, directory, name));
    await prepared.publish();
    for (const { name } of previous) await discardDataFile(fs, directory, name);
    return { repaired: true, ...losses, quarantined, found: { sequence, documents: countsOf(tables) } };
  } catch (error) {
    throw unusable(error);
  }
}

interface Salvage {
  readonly documents: KeptDocuments;
  schema: number;
  /** The highest sequence met. */
  highest: number;
  readonly lost: Loss[];
  cut: number;
}

/** Reads all readable commits, in order. */
async function salvage(around: Surroundings, files: DataFiles): Promise<Salvage> {
  const { whole, broken } = await sortSnapshots(around, files);
  const result: Salvage = {
    documents: whole?.documents ?? keepDocuments({ areNewest: false }),
    schema: whole?.header.schema ?? around.schema,
    highest: 0,
    lost: [],
    cut: 0,
  };
  let reached = whole?.sequence ?? 0;

  /** Notes the commits up to `sequence` as lost, and takes the readable documents of a damaged snapshot that covers them. */
  async function skipTo(sequence: number): Promise<void> {
    if (sequence <= reached) return;
    const snapshot = broken.findLast((each) => each.sequence > reached && each.sequence <= sequence);
    if (snapshot) {
      const documents = await takeReadable(around, snapshot, result);
      result.lost.push({ from: reached + 1, to: snapshot.sequence, snapshot: { file: snapshot.name, documents } });
      reached = snapshot.sequence;
    }
    if (reached < sequence) result.lost.push({ from: reached + 1, to: sequence });
    reached = sequence;
  }

  const journals = files.journals.filter(({ sequence }) => sequence >= reached);
  for (const [index, file] of journals.entries()) {
    await skipTo(file.sequence);
    const until = journals[index + 1]?.sequence ?? Infinity;
    await withReadable(around, file, async (journal) => {
      result.schema = journal.header.schema;
      let torn = 0;
      for await (const frame of journal.frames()) {
        if (reached === until) break;
        torn = frame.payload ? 0 : torn + frame.end - frame.offset;
        if (!frame.payload) continue;
        if (frame.sequence <= reached) continue;
        const content = readable(() => journal.content(frame));
        if (!content) continue;
        await skipTo(frame.sequence - 1);
        content.apply(result.documents);
        reached = frame.sequence;
      }
      // Acknowledged commits count as lost, not as cut off.
      if (until === Infinity && reached >= files.acknowledged) result.cut = torn;
    });
  }
  await skipTo(broken.at(-1)?.sequence ?? 0);
  await skipTo(files.acknowledged);
  result.highest = Math.max(reached, ...[...files.snapshots, ...files.journals].map(({ sequence }) => sequence));
  return result;
}

/** The newest whole snapshot, and all later snapshots, which are damaged. */
async function sortSnapshots(around: Surroundings, { snapshots }: DataFiles) {
  const broken: DataFile[] = [];
  for (const file of snapshots.toReversed()) {
    const read = await readSnapshot(around, file).catch(unlessDamage);
    if (read) return { whole: { ...read, sequence: file.sequence }, broken };
    broken.unshift(file);
  }
  return { whole: undefined, broken };
}

/** Takes the readable documents of a snapshot; returns their number. */
async function takeReadable(around: Surroundings, file: DataFile, { documents }: Salvage): Promise<number> {
  let count = 0;
  await withReadable(around, file, async (snapshot) => {
    for await (const frame of snapshot.frames()) {
      const content = frame.payload && readable(() => snapshot.content(frame));
      content?.apply(documents);
      count += content?.changes ?? 0;
    }
  });
  return count;
}

async function withReadable(
  around: Surroundings,
  file: DataFile,
  read: (opened: OpenDataFile) => Promise<void>,
): Promise<void> {
  const opened = await openDataFile({ ...around, salvages: true }, file).catch(unlessDamage);
  if (!opened || opened === unfinished) return;
  try {
    await read(opened);
  } finally {
    await opened.close();
  }
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    return unlessDamage(error);
  }
}

/** Ignores damage. Rethrows any other error, such as a missing or a wrong key. */
function unlessDamage(error: unknown): undefined {
  if (!isDamage(error)) throw error;
}
