/**
 * A folder into which another system lays files. A file that has not changed for a while is taken over, and then moved to
 * `done`, or to `refused` with the reason beside it. A crash in between repeats it, which changes nothing.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import type { Stats } from 'node:fs';
import { access, link, lstat, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { anatomyOf } from '../../../../http/plugins/errors.ts';
import type { InboundDeps, OpenedChannel, Outcome, Running } from '../../channel.ts';
import { startRounds } from '../../rounds.ts';
import type { FolderInSettings } from './settings.ts';

/** Of files that are still being written. */
const unfinished = /^[.~]|(?:\.(?:tmp|temp|part|partial|crdownload|filepart|lock|writing)|~)$/i;
/** An empty file is mostly one that is about to be written. */
const emptyPatience = 10;
const mostNames = 10_000;

/** How long, in ms, and how many of the files that were taken over last are looked at: who writes one may go on after a pause. */
const lookedAfter = 3600_000;
const mostLookedAfter = 200;

/** A file as it was seen, and since when it has not changed. */
interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
  readonly since: number;
}

/** A file that was taken over, by where it is now. */
interface TakenFile extends Seen {
  /** As it was laid into the folder. */
  readonly name: string;
  readonly takenAt: number;
  /** Whether it is as it was when it was taken over. */
  readonly isWhole: boolean;
}

type Opened = OpenedChannel<FolderInSettings>;

/** Rejects with CONFIGURATION where the folder cannot be used. */
export async function openFolder({ settings, name }: Opened, deps: InboundDeps): Promise<Running> {
  const { path } = settings;
  const done = join(path, 'done');
  const refused = join(path, 'refused');
  await prepare(path, [done, refused]);
  const folder = new WatchedFolder(settings, { done, refused }, deps);
  const rounds = startRounds(deps, {
    channel: name,
    seconds: settings.interval_seconds ?? 2,
    failure: { event: 'folder_failed', message: 'The folder cannot be read.' },
    run: (signal) => folder.look(signal),
  });
  return {
    address: path,
    test: async () => {
      await prepare(path, [done, refused]);
      return 'The folder can be read, and files moved in it.';
    },
    close: () => rounds.close(),
  };
}

async function prepare(path: string, folders: readonly string[]): Promise<void> {
  const unfit = (message: string, hint: string): AppError => new AppError('CONFIGURATION', { message, hint });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw unfit('The folder is not there.', 'Make it, or name another: --set path=….');
  try {
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const folder of folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw unfit('The server may not read the folder and move files in it.', 'Give its user the right to.');
  }
}

class WatchedFolder {
  readonly #settings: FolderInSettings;
  readonly #folders: { readonly done: string; readonly refused: string };
  readonly #deps: InboundDeps;
  #seen = new Map<string, Seen>();
  readonly #taken = new Map<string, TakenFile>();

  constructor(settings: FolderInSettings, folders: { done: string; refused: string }, deps: InboundDeps) {
    this.#settings = settings;
    this.#folders = folders;
    this.#deps = deps;
  }

  /** Looks at every file once, the oldest first. Gives what the operator should know; `null`: nothing. */
  async look(signal: AbortSignal): Promise<string | null> {
    const { path } = this.#settings;
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.filter(({ name }) => !unfinished.test(name)).slice(0, mostNames);
    const strangers = names.filter((entry) => !entry.isFile() && !entry.isDirectory()).length;
    const present = new Map<string, Seen>();
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
    return tellOf(unreadable, strangers);
  }

  #lookAt(name: string, { size, mtimeMs }: Stats): Seen {
    const before = this.#seen.get(name);
    if (before?.size === size && before.mtimeMs === mtimeMs) return before;
    return { size, mtimeMs, since: machineClockOf(this.#deps.clock).elapsed() };
  }

  #isReady({ size, since }: Seen): boolean {
    const waited = machineClockOf(this.#deps.clock).elapsed() - since;
    return waited >= (this.#settings.stable_seconds ?? 3) * 1000 * (size === 0 ? emptyPatience : 1);
  }

  /** Reads files again that somebody went on writing after they were taken over: what is known of them changes nothing. */
  async #lookAfter(): Promise<void> {
    const now = machineClockOf(this.#deps.clock).elapsed();
    for (const [path, taken] of this.#taken) {
      const found = await lstat(path).catch(() => undefined);
      if (!found?.isFile() || (taken.isWhole && now - taken.takenAt > lookedAfter)) {
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

  /** Remembers a file that was moved from one place to another. */
  #remember(name: string, from: string, to: string, { size, mtimeMs }: Stats): void {
    const now = machineClockOf(this.#deps.clock).elapsed();
    this.#taken.delete(from);
    this.#taken.set(to, { name, size, mtimeMs, since: now, takenAt: now, isWhole: true });
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > mostLookedAfter) this.#taken.delete(oldest!);
  }

  /** Takes one file over and moves it from where it is. Returns whether it could be read and moved. */
  async #take(name: string, from: string, found: Stats): Promise<boolean> {
    const limit = (this.#settings.max_mib ?? 64) * 2 ** 20;
    const raw = found.size > limit ? undefined : await contentOf(from, found);
    if (raw === 'changed') return true;
    if (raw === 'unreadable') return false;
    const outcome = raw ? await this.#deps.intake.take({ raw, key: keyOf(name, found) }) : tooLarge(limit);
    try {
      const folder = outcome.state === 'taken' ? this.#folders.done : this.#folders.refused;
      const moved = dirname(from) === folder ? from : await moveInto(folder, from, name);
      this.#remember(name, from, moved, found);
      const wasRefused = dirname(from) === this.#folders.refused;
      if (outcome.state === 'taken' && wasRefused) await rm(`${from}.reason.txt`, { force: true });
      if (outcome.state === 'refused') await writeFile(`${moved}.reason.txt`, reasonText(outcome), { mode: 0o600 });
      return true;
    } catch (error) {
      this.#deps.log({ level: 'warn', event: 'file_not_moved', ...anatomyOf(error) });
      return false;
    }
  }
}

const tellOf = (unreadable: number, strangers: number): string | null => {
  const all = [
    unreadable > 0 ? `${unreadable} of the files cannot be read, or not be moved.` : '',
    strangers > 0 ? `${strangers} entries are links or the like, which are never followed.` : '',
  ].filter((text) => text !== '');
  return all.length === 0 ? null : all.join(' ');
};

/** The same file again after a crash; its name may be that of a patient. */
const keyOf = (name: string, { mtimeMs, ino }: Stats): string =>
  createHash('sha256').update(`${name}\n${mtimeMs}\n${ino}`).digest('hex').slice(0, 32);

/** The bytes, where the file is still the one that was seen. */
async function contentOf(path: string, seen: Stats): Promise<Buffer | 'changed' | 'unreadable'> {
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

const tooLarge = (limit: number): Extract<Outcome, { state: 'refused' }> => ({
  state: 'refused',
  error: {
    code: 'PAYLOAD_TOO_LARGE',
    message: `The file is larger than ${limit / 2 ** 20} MiB.`,
    hint: 'Divide it, or set max_mib of the channel higher.',
  },
  changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
  warnings: [],
});

/** Moves a file into the folder without replacing one that is there. Returns where it is now. */
async function moveInto(folder: string, from: string, name: string): Promise<string> {
  const { name: stem, ext } = parse(name);
  for (let count = 1; ; count++) {
    const to = join(folder, count === 1 ? name : `${stem}.${count}${ext}`);
    try {
      await link(from, to);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      // A file system without links: the moment between look and move has to do.
      if ((await lstat(to).catch(() => undefined)) !== undefined) continue;
      await rename(from, to);
      return to;
    }
    await unlink(from);
    return to;
  }
}

function reasonText({ error, changes, warnings }: Extract<Outcome, { state: 'refused' }>): string {
  const taken = changes.inserted + changes.updated + changes.deduped;
  return [
    error.message,
    ...(error.place === undefined ? [] : [`At: ${error.place}`]),
    ...(error.hint === undefined ? [] : [error.hint]),
    ...(taken === 0 ? [] : [`${taken} of its exams were taken all the same.`]),
    ...warnings,
    '',
  ].join('\n');
}
