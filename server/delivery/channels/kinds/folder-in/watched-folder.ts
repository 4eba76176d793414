/**
 * A folder that another system puts files into. A file that has not changed for a while is imported, then moved to `done`, or to
 * `refused` next to a file with the reason. A crash in between repeats the import without effect.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, link, lstat, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { describeError } from '../../../../../src/domain/describe-error.ts';
import type { InboundDeps, ChannelConfig, IntakeOutcome, OpenChannel } from '../../channel.ts';
import { startPoller } from '../../poller.ts';
import type { FolderInSettings } from './settings.ts';
import { removeOldest } from '../../../../../src/domain/oldest.ts';

/** Names of files that are still being written. */
const unfinished = /^[.~]|(?:\.(?:tmp|temp|part|partial|crdownload|filepart|lock|writing)|~)$/i;
/** Factor for the wait of an empty file, which is usually about to be written. */
const emptyPatience = 10;
const maxNames = 10_000;

/** How long (ms), and for how many files, later changes of an imported file are noticed: its writer may continue after a pause. */
const recheckPeriod = 3600_000;
const maxRechecked = 200;

/** Size and time of a file, and since when they have not changed. */
interface FileState {
  readonly size: number;
  readonly mtimeMs: number;
  readonly since: number;
}

/** An imported file, by its current path. */
interface ImportedFile extends FileState {
  /** Original name in the folder. */
  readonly name: string;
  readonly takenAt: number;
  /** Whether the file is unchanged since its import. */
  readonly isWhole: boolean;
}

type FolderChannel = ChannelConfig<FolderInSettings>;

/** Rejects with CONFIGURATION if the folder cannot be used. */
export async function openFolder({ settings, name }: FolderChannel, deps: InboundDeps): Promise<OpenChannel> {
  const { path } = settings;
  const done = join(path, 'done');
  const refused = join(path, 'refused');
  await prepare(path, [done, refused]);
  const folder = new WatchedFolder(settings, { done, refused }, deps);
  const poller = startPoller(deps, {
    channel: name,
    seconds: settings.interval_seconds ?? 2,
    failure: { event: 'folder_failed', message: 'The folder cannot be read.' },
    poll: (signal) => folder.poll(signal),
  });
  return {
    address: path,
    test: async () => {
      await prepare(path, [done, refused]);
      return 'The server can read the folder and move its files.';
    },
    close: () => poller.close(),
  };
}

async function prepare(path: string, folders: readonly string[]): Promise<void> {
  const unfit = (message: string, hint: string): AppError => new AppError('CONFIGURATION', { message, hint });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw unfit('The folder does not exist.', 'Create it, or set another one: --set path=….');
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw unfit('The server may not read the folder and move its files.', 'Give its user read and write permission.');
  }
}

class WatchedFolder {
  readonly #settings: FolderInSettings;
  readonly #folders: { readonly done: string; readonly refused: string };
  readonly #deps: InboundDeps;
  #seen = new Map<string, FileState>();
  readonly #taken = new Map<string, ImportedFile>();

  constructor(settings: FolderInSettings, folders: { done: string; refused: string }, deps: InboundDeps) {
    this.#settings = settings;
    this.#folders = folders;
    this.#deps = deps;
  }

  /** Checks every file once, oldest first. Resolves to a message for the operator; `null`: no problem. */
  async poll(signal: AbortSignal): Promise<string | null> {
    const { path } = this.#settings;
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter(({ name }) => !unfinished.test(name)).slice(0, maxNames);
    const strangers = names.filter((entry) => !entry.isFile() && !entry.isDirectory()).length;
    const present = new Map<string, FileState>();
    const ready: { name: string; found: Stats }[] = [];
    for (const entry of names) {
      if (!entry.isFile()) continue;
      const found = await lstat(join(path, entry.name)).catch(() => undefined);
      if (!found?.isFile()) continue;
      const seen = this.#lookAt(entry.name, found);
      present.set(entry.name, seen);
      if (this.#isReady(seen)) ready.push({ name: entry.name, found });
    }
    this.#seen = present;
    ready.sort((a, b) => a.found.mtimeMs - b.found.mtimeMs || (a.name < b.name ? -1 : 1));
    let unreadable = 0;
    for (const { name, found } of ready) {
      if (signal.aborted) break;
      if (!(await this.#take(name, join(path, name), found))) unreadable += 1;
    }
    if (!signal.aborted) await this.#lookAfter();
    return describeProblems(unreadable, strangers);
  }

  #lookAt(name: string, { size, mtimeMs }: Stats): FileState {
    const before = this.#seen.get(name);
    if (before?.size === size && before.mtimeMs === mtimeMs) return before;
    return { size, mtimeMs, since: machineClockOf(this.#deps.clock).elapsed() };
  }

  #isReady({ size, since }: FileState): boolean {
    const waited = machineClockOf(this.#deps.clock).elapsed() - since;
    return waited >= (this.#settings.stable_seconds ?? 3) * 1000 * (size === 0 ? emptyPatience : 1);
  }

  /** Reads imported files again that were written to since: what is already stored does not change. */
  async #lookAfter(): Promise<void> {
    const now = machineClockOf(this.#deps.clock).elapsed();
    for (const [path, taken] of this.#taken) {
      const found = await lstat(path).catch(() => undefined);
      if (!found?.isFile() || (taken.isWhole && now - taken.takenAt > recheckPeriod)) {
        this.#taken.delete(path);
        continue;
      }
      const { size, mtimeMs } = found;
      if (size !== taken.size || mtimeMs !== taken.mtimeMs) {
        this.#taken.set(path, { ...taken, size, mtimeMs, since: now, isWhole: false });
      } else if (!taken.isWhole && this.#isReady(taken)) {
        this.#deps.log({ level: 'warn', event: 'file_grew_after_taken' });
        await this.#take(taken.name, path, found);
      }
    }
  }

  /** Records that a file was moved. */
  #remember(name: string, from: string, to: string, { size, mtimeMs }: Stats): void {
    const now = machineClockOf(this.#deps.clock).elapsed();
    this.#taken.delete(from);
    this.#taken.set(to, { name, size, mtimeMs, since: now, takenAt: now, isWhole: true });
    if (this.#taken.size > maxRechecked) removeOldest(this.#taken);
  }

  /** Imports a file and moves it. Resolves to whether it could be read and moved. */
  async #take(name: string, from: string, found: Stats): Promise<boolean> {
    const limit = (this.#settings.max_mib ?? 64) * 2 ** 20;
    const raw = found.size > limit ? undefined : await readUnchanged(from, found);
    if (raw === 'changed') return true;
    if (raw === 'unreadable') return false;
    const outcome = raw ? await this.#deps.intake.take({ raw, key: createKey(name, found) }) : refuseTooLarge(limit);
    try {
      const folder = outcome.state === 'taken' ? this.#folders.done : this.#folders.refused;
      const moved = dirname(from) === folder ? from : await moveInto(folder, from, name);
      this.#remember(name, from, moved, found);
      const wasRefused = dirname(from) === this.#folders.refused;
      if (outcome.state === 'taken' && wasRefused) await rm(`${from}.reason.txt`, { force: true });
      if (outcome.state === 'refused')
        await writeFile(`${moved}.reason.txt`, describeRefusal(outcome), { mode: 0o600 });
      return true;
    } catch (error) {
      this.#deps.log({ level: 'warn', event: 'file_not_moved', ...describeError(error) });
      return false;
    }
  }
}

const describeProblems = (unreadable: number, strangers: number): string | null => {
  const all = [
    unreadable > 0 ? `${unreadable} of the files cannot be read or moved.` : '',
    strangers > 0 ? `${strangers} entries are not regular files, such as links, and are ignored.` : '',
  ].filter((text) => text !== '');
  return all.length === 0 ? null : all.join(' ');
};

/** Identifies a file across a crash. Hashed, because its name may be that of a patient. */
const createKey = (name: string, { mtimeMs, ino }: Stats): string =>
  createHash('sha256').update(`${name}\n${mtimeMs}\n${ino}`).digest('hex').slice(0, 32);

/** The bytes, if the file has not changed since `seen`. */
async function readUnchanged(path: string, seen: Stats): Promise<Buffer | 'changed' | 'unreadable'> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      const content = await file.readFile();
      const after = await file.stat();
      const isSame = after.isFile() && after.ino === seen.ino && after.size === content.length;
      return isSame && after.mtimeMs === seen.mtimeMs ? content : 'changed';
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'changed' : 'unreadable';
  }
}

const refuseTooLarge = (limit: number): Extract<IntakeOutcome, { state: 'refused' }> => ({
  state: 'refused',
  error: {
    code: 'PAYLOAD_TOO_LARGE',
    message: `The file is larger than ${limit / 2 ** 20} MiB.`,
    hint: 'Split it, or increase max_mib of the channel.',
  },
  changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
  warnings: [],
});

/** Moves a file into the folder without overwriting. Resolves to its new path. */
async function moveInto(folder: string, from: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let count = 1; ; count++) {
    const to = join(folder, count === 1 ? name : `${stem}.${count}${ext}`);
    try {
      await link(from, to);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      // A file system without links: there is a short gap between check and move.
      if ((await lstat(to).catch(() => undefined)) !== undefined) continue;
      await rename(from, to);
      return to;
    }
    await unlink(from);
    return to;
  }
}

function describeRefusal({ error, changes, warnings }: Extract<IntakeOutcome, { state: 'refused' }>): string {
  const taken = changes.inserted + changes.updated + changes.deduped;
  return [
    error.message,
    ...(error.place === undefined ? [] : [`At: ${error.place}`]),
    ...(error.hint === undefined ? [] : [error.hint]),
    ...(taken === 0 ? [] : [`${taken} of its exams were imported nevertheless.`]),
    ...warnings,
    '',
  ].join('\n');
}
