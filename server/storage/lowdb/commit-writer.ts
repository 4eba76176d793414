/**
 * Writes commits to a journal, and all documents to a snapshot. After a sync has failed, the content of the journal on disk is
 * unknown: nothing is written until a snapshot of all documents has replaced it.
 */
import type { Clock } from '../../../src/domain/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { nothingWritten, outcomeUnknown } from '../transactions/document-store.ts';
import { copyOf } from '../transactions/tables.ts';
import type { Change, Tables } from '../transactions/tables.ts';
import { proveRoom } from '../data-directory/private-files.ts';
import type { AcknowledgedFile } from './acknowledged.ts';
import { codeOf } from './background-snapshot.ts';
import type { BackgroundSnapshots } from './background-snapshot.ts';
import { continueJournal, createJournal } from './journal.ts';
import type { Journal, JournalOptions } from './journal.ts';
import type { LoadedDirectory } from './loading.ts';
import { prepareSnapshot, removeFormer } from './snapshot.ts';

export interface CommitWriterOptions extends JournalOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly snapshots: BackgroundSnapshots;
  readonly acknowledged: AcknowledgedFile;
}

const countOf = (tables: Tables): number => Object.values(tables).reduce((count, { size }) => count + size, 0);

/** Milliseconds between attempts to write again after a sync has failed. */
const attemptEvery = 1000;

export class CommitWriter {
  readonly #options: CommitWriterOptions;
  /** Made by the first commit after a start or a snapshot. */
  #journal: Journal | undefined;
  /** The sequence of the last commit. */
  #sequence = 0;
  /** The highest sequence that any file may have, refused commits included. */
  #highest = 0;
  /** The error that made the store read-only; `undefined`: the store is writable. */
  #trouble: unknown;
  #nextAttempt = -Infinity;
  /** Bytes of the largest refused group, since the last success of that size. */
  #largestRefused = 0;

  constructor(options: CommitWriterOptions) {
    this.#options = options;
  }

  get sequence(): number {
    return this.#sequence;
  }

  get isReadOnly(): boolean {
    return this.#trouble !== undefined;
  }

  /** Goes on after what was loaded. */
  async resume(loaded: LoadedDirectory): Promise<void> {
    this.#sequence = this.#highest = loaded.sequence;
    if (loaded.outdated) await this.rewrite(loaded.tables);
    else if (loaded.last) this.#journal = await continueJournal(this.#options, loaded.last);
  }

  /** As `persist` of persistence.ts. */
  async write(commits: readonly (readonly Change[])[], tables: Tables): Promise<void> {
    if (this.#trouble !== undefined) return this.#tryAgain(tables);
    const { snapshots, acknowledged } = this.#options;
    const copy = snapshots.isDue(() => countOf(tables)) ? copyOf(tables) : undefined;
    const journal = (this.#journal ??= await createJournal(this.#options, this.#sequence));
    const { size } = journal;
    const last = this.#sequence + commits.length;
    try {
      await journal.append(commits, this.#sequence + 1);
    } catch (error) {
      const { broken, uncertain } = journal;
      this.#largestRefused = Math.max(this.#largestRefused, journal.group);
      if (!broken) throw error;
      this.#highest = Math.max(this.#highest, last);
      this.#becomeReadOnly(error);
      throw uncertain ? outcomeUnknown(error) : error;
    }
    snapshots.grew({
      bytes: journal.size - size,
      commits: commits.length,
      documents: commits.reduce((count, changes) => count + changes.length, 0),
    });
    this.#sequence = last;
    this.#highest = Math.max(this.#highest, last);
    if (journal.group >= this.#largestRefused) this.#largestRefused = 0;
    const noted = acknowledged.note(last);
    if (noted) await noted;
    if (!copy) return;
    this.#leaveJournal();
    snapshots.begin(copy, last);
  }

  /** Writes all documents to fresh files, which replace all former files. */
  async rewrite(tables: Tables): Promise<void> {
    const { snapshots, acknowledged } = this.#options;
    const copy = copyOf(tables);
    await snapshots.end();
    // No commit has this sequence, so that no former file seems to lead up to the snapshot.
    const next = ++this.#highest;
    const prepared = await prepareSnapshot({ ...this.#options, sequence: next }, copy);
    try {
      await prepared.publish();
    } catch (error) {
      // The snapshot may be on disk, and would then count: no commit may be added to the former journal.
      this.#becomeReadOnly(error);
      throw (await prepared.discard()) ? error : outcomeUnknown(error);
    }
    this.#leaveJournal();
    this.#sequence = next;
    await acknowledged.note(next);
    snapshots.made(prepared.documents);
    this.#trouble = undefined;
    await removeFormer(this.#options, next).catch(() => undefined);
  }

  /** Rejects while the disk has no room for a group as large as the largest refused one. */
  async proveRoom(): Promise<void> {
    const { fs, directory } = this.#options;
    await proveRoom(fs, directory, this.#largestRefused);
    this.#largestRefused = 0;
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }

  #becomeReadOnly(error: unknown): void {
    const { log } = this.#options;
    if (this.#trouble === undefined) log({ level: 'error', event: 'store_read_only', code: codeOf(error) });
    this.#trouble = error;
    this.#leaveJournal();
  }

  async #tryAgain(tables: Tables): Promise<void> {
    const { clock, log } = this.#options;
    if (clock.elapsed() < this.#nextAttempt) throw this.#trouble;
    this.#nextAttempt = clock.elapsed() + attemptEvery;
    try {
      await this.rewrite(tables);
    } catch (error) {
      // The outcome of that attempt alone may not be known; the next one is refused before it writes anything.
      this.#trouble = nothingWritten(error);
      throw error;
    }
    log({ level: 'warn', event: 'store_writable_again' });
  }

  #leaveJournal(): void {
    // All that counts in the journal is synced, and nothing more is written to it.
    void this.#journal?.close().catch(() => undefined);
    this.#journal = undefined;
  }
}
