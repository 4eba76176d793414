/**
 * What stores of documents have in common, and stores of blobs: how a server opens one, and how an operator has it checked and
 * repaired. A kind of store is a folder, with a `DocumentStoreKind`, a `BlobStoreKind` or both, and a line in registry.ts.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { DirectoryContents } from '../data-directory/contents.ts';
import type { DataDirectory } from '../data-directory/data-directory.ts';
import type { AnyKind, Kind } from '../kinds.ts';
import type { Log } from '../log.ts';
import type { BlobStore } from './blob-store.ts';
import type { DocumentsReport, RepairReport } from './condition.ts';
import type { NamedAudio } from './named-audio.ts';
import type { Store } from './store.ts';

/** What a store is opened with, besides its own options. */
export interface StoreDeps {
  /** That of this process; `undefined` where the server keeps nothing on the disk. */
  readonly directory: DataDirectory | undefined;
  /** As `Choice` has it; `undefined`: none was set. */
  readonly key: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Bytes of memory that it may take; `undefined`: what the machine, or the container, has. */
  readonly memory: number | undefined;
}

/** What a store is looked at with, which another process may have open. */
export interface LookDeps extends Pick<StoreDeps, 'key'> {
  /** `undefined` where there is none. */
  readonly directory: { readonly path: string; readonly sealing: Sealing | undefined } | undefined;
}

export interface DocumentUsage {
  /** On the disk. */
  readonly bytes: number;
  /** ISO 8601; `null` where there is none. */
  readonly last_snapshot_at: string | null;
}

export interface OpenedDocuments {
  readonly store: Store;
  usage(): Promise<DocumentUsage>;
}

/**
 * The operator's care of a store that no server opens. Backup, restore, export, seed and compaction go through the store
 * (server/maintenance), whichever it is.
 */
export interface DocumentCare<Options = never> {
  /** Looks at all there is, and changes nothing. Rejects with AppError CONFIGURATION where that cannot be read. */
  check(options: Options, deps: LookDeps): Promise<DocumentsReport>;
  /** The audio that documents name now. */
  namedAudio(options: Options, deps: LookDeps): Promise<NamedAudio>;
  /** Keeps what can be read. AppError CONFIGURATION where it cannot be had. */
  repair(options: Options, deps: Pick<StoreDeps, 'directory' | 'key'>): Promise<RepairReport>;
}

export interface DocumentStoreKind<Options = never> extends Kind<Options> {
  /** The kind of blobs that goes with it, unless another one is chosen. */
  readonly blobs: string;
  /** What it keeps in the data directory. */
  readonly contents?: DirectoryContents;
  /** `options` are as the schema has them. Rejects with AppError CONFIGURATION or DATA_DAMAGED where they lead to no store. */
  open(options: Options, deps: StoreDeps): Promise<OpenedDocuments>;
  /** Absent where there is nothing to check once its process has ended. */
  readonly care?: DocumentCare<Options>;
}

export interface BlobStoreKind<Options = never> extends Kind<Options> {
  /** What it keeps in the data directory. */
  readonly contents?: DirectoryContents;
  /** As `open` of `DocumentStoreKind`. */
  open(options: Options, deps: StoreDeps): Promise<BlobStore>;
  /** Reads blobs, and changes nothing. Absent where there are none once its process has ended. */
  look?(options: Options, deps: LookDeps): Promise<Pick<BlobStore, 'open'>>;
}

/** Tables of kinds, whatever options they have. */
export type DocumentStoreKinds = Readonly<Record<string, AnyKind & Omit<DocumentStoreKind, keyof AnyKind>>>;
export type BlobStoreKinds = Readonly<Record<string, AnyKind & Omit<BlobStoreKind, keyof AnyKind>>>;

/** The kind itself; it is here so that the compiler holds `open` to the options. */
export const documentStoreKind = <Options>(kind: DocumentStoreKind<Options>): DocumentStoreKind<Options> => kind;
export const blobStoreKind = <Options>(kind: BlobStoreKind<Options>): BlobStoreKind<Options> => kind;

/** AppError CONFIGURATION where a store that keeps files has no directory for them. */
export function requireDirectory<D>({ directory }: { readonly directory: D | undefined }, name: string): D {
  if (directory) return directory;
  throw new AppError('CONFIGURATION', {
    message: `The store ${name} keeps files, and there is no data directory.`,
    hint: 'Name one with --data-dir.',
  });
}
