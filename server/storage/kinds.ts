/**
 * The plug-in shape of document stores and blob stores: how a server opens a store, and how an operator checks and repairs it.
 * A kind of store is a folder with a `DocumentStoreKind`, a `BlobStoreKind` or both, and a line in registry.ts.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { DirectoryContents } from './data-directory/contents.ts';
import type { DataDirectory } from './data-directory/data-directory.ts';
import type { AnyKind, Kind } from './menu.ts';
import type { Log } from '../runtime/log.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import type { DocumentsReport, RepairReport } from './condition.ts';
import type { NamedAudio } from './blobs/named-audio.ts';
import type { Counters } from './counters.ts';
import type { Members } from './members.ts';
import type { Store } from './store.ts';

/** The dependencies of every store, in addition to its own options. */
export interface StoreDeps {
  /** The data directory of this process; `undefined`: the server keeps nothing on the disk. */
  readonly directory: DataDirectory | undefined;
  /** The `key` of the `Choice`; `undefined`: none was set. */
  readonly key: string | undefined;
  /** The server's: commits are numbered by it. Disks know nothing of a simulated time, and use the machine's (`machineOf`). */
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of memory that the store may use; `undefined`: the memory of the machine or the container. */
  readonly memory: number | undefined;
  /** The URL at which other processes that share the store reach this one. */
  readonly memberUrl?: string | undefined;
  /** Gets the time of each sync of a journal, in ms. */
  readonly measureSync?: (ms: number) => void;
  /** Gets the outcome of each call to the service that keeps the audio. */
  readonly countAudioCall?: (outcome: 'done' | 'refused' | 'failed') => void;
}

/** The dependencies of a reader of a store that another process may have open. */
export interface LookDeps extends Pick<StoreDeps, 'key'> {
  /** `undefined`: there is no data directory. */
  readonly directory: { readonly path: string; readonly sealing: Sealing | undefined } | undefined;
}

export interface DocumentUsage {
  /** Bytes on the disk. */
  readonly bytes: number;
  /** ISO 8601; `null`: there is no snapshot. */
  readonly last_snapshot_at: string | null;
}

export interface ScrubFault {
  readonly file: string;
  /** Bytes from the beginning of the file; `null`: the fault concerns the whole file. */
  readonly offset: number | null;
  readonly what: string;
}

export interface ScrubReport {
  /** That were read. */
  readonly bytes: number;
  readonly faults: readonly ScrubFault[];
}

export interface OpenedDocuments {
  readonly store: Store;
  usage(): Promise<DocumentUsage>;
  /** The processes that share the store. Absent if it has one. */
  readonly members?: Members;
  /** The counts of all those processes together. Absent if the store has one. */
  readonly counters?: Counters;
  /**
   * Reads every file of the store slowly, during other work, and compares it with its checksums. Rejects with AppError
   * INTERRUPTED once the signal is aborted. Absent if the store has no files.
   */
  scrub?(signal: AbortSignal): Promise<ScrubReport>;
}

/**
 * Check and repair by the operator, without a server that opens the store. Backup, restore, export, seed and compaction need
 * no such port: they work through any open store (server/operations/maintenance).
 */
export interface DocumentCare<Options = never> {
  /** Reads all documents, and changes nothing. Rejects with AppError CONFIGURATION if the store cannot be read. */
  check(options: Options, deps: LookDeps): Promise<DocumentsReport>;
  /** The audio that documents name now. */
  namedAudio(options: Options, deps: LookDeps): Promise<NamedAudio>;
  /** Recovers all readable documents. Rejects with AppError CONFIGURATION if the store cannot be opened for that. */
  repair(options: Options, deps: Pick<StoreDeps, 'directory' | 'key'>): Promise<RepairReport>;
}

export interface DocumentStoreKind<Options = never> extends Kind<Options> {
  /** The kind of blob store that goes with this document store, unless the operator chooses another. */
  readonly blobs: string;
  /** The store's files in the data directory. */
  readonly contents?: DirectoryContents;
  /** `options` conform to the schema of the kind. Rejects with AppError CONFIGURATION or DATA_DAMAGED if no store opens. */
  open(options: Options, deps: StoreDeps): Promise<OpenedDocuments>;
  /** Absent if the documents end with their process. */
  readonly care?: DocumentCare<Options>;
}

export interface BlobStoreKind<Options = never> extends Kind<Options> {
  /** The store's files in the data directory. */
  readonly contents?: DirectoryContents;
  /** Whether its blobs are outside of the data directory, where several processes share them. */
  readonly isShared?: true;
  /** As `open` of `DocumentStoreKind`. */
  open(options: Options, deps: StoreDeps): Promise<BlobStore>;
  /** Reads blobs, and changes nothing. Absent if the blobs end with their process. */
  look?(options: Options, deps: LookDeps): Promise<Pick<BlobStore, 'open' | 'list'>>;
}

/** Tables of kinds, with any options. */
export type DocumentStoreKinds = Readonly<Record<string, AnyKind & Omit<DocumentStoreKind, keyof AnyKind>>>;
export type BlobStoreKinds = Readonly<Record<string, AnyKind & Omit<BlobStoreKind, keyof AnyKind>>>;

/** Returns the kind unchanged; through this call the compiler holds `open` to the options of the schema. */
export const documentStoreKind = <Options>(kind: DocumentStoreKind<Options>): DocumentStoreKind<Options> => kind;
export const blobStoreKind = <Options>(kind: BlobStoreKind<Options>): BlobStoreKind<Options> => kind;

/** The data directory. Throws AppError CONFIGURATION if there is none, for a store that needs files. */
export function requireDirectory<D>({ directory }: { readonly directory: D | undefined }, name: string): D {
  if (directory) return directory;
  throw new AppError('CONFIGURATION', {
    message: `The store ${name} keeps files, and there is no data directory.`,
    hint: 'Name a data directory with --data-dir.',
  });
}
