/** Chooses, opens, checks, repairs and closes the two stores of a server: the document store and the blob store. */
import { AppError } from '../../src/contract/errors.ts';
import { isSystemError } from '../../src/node/system-error.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { openDataDirectory, takeDataDirectory } from './data-directory/data-directory.ts';
import type { DataDirectory } from './data-directory/data-directory.ts';
import type { DirectoryContents } from './data-directory/contents.ts';
import type { Encryption, KeyOptions } from './data-directory/encryption.ts';
import { openEncryption } from './data-directory/keys.ts';
import { unusable } from './data-directory/private-files.ts';
import { chooseKind } from './menu.ts';
import type { createValidation } from '../runtime/validation.ts';
import { openBlobs } from './blobs/blobs.ts';
import { findSharedSealing, markSealed, requireSameSealing } from './sealing/shared-sealing.ts';
import { openSnapshots } from './snapshots.ts';
import type { Snapshots } from './snapshots.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { BlobStore, BlobUsage } from './blobs/blob-store.ts';
import { createUsageMeter } from './blobs/usage.ts';
import { checkStores } from './check.ts';
import type { CheckReport, RepairReport } from './condition.ts';
import type { BlobStoreKinds, DocumentStoreKinds, OpenedDocuments, StoreDeps } from './kinds.ts';
import type { Counters } from './counters.ts';
import type { Members } from './members.ts';
import type { Store } from './store.ts';

/** The tables of registry.ts. */
export interface StoreTables {
  readonly documentStores: DocumentStoreKinds;
  readonly blobStores: BlobStoreKinds;
}

export interface StoreChoices {
  readonly store: Choice;
  /** `undefined`: the blob store that the kind of document store names. */
  readonly blobs?: Choice | undefined;
}

/** The use of the disk, for the operator. */
export interface StoreUsage {
  readonly documents_bytes: number;
  /** `null`: the service that keeps the audio has not answered. */
  readonly audio_files: number | null;
  readonly audio_bytes: number | null;
  readonly last_snapshot_at: string | null;
}

export interface OpenedStores {
  readonly store: Store;
  readonly blobs: Blobs;
  readonly snapshots: Snapshots;
  /** The kind of blobs, shown to the operator. */
  readonly blobsName: string;
  /** The encryption of both stores; `undefined`: the stores are plain. */
  readonly encryption: Encryption | undefined;
  /** Whether the blobs are outside of the data directory: then the server goes on without them. */
  readonly hasSharedAudio: boolean;
  /** Which of the two end with the server. */
  readonly forgets: readonly ('documents' | 'audio')[];
  /** As in `OpenedDocuments`. */
  readonly members: Members | undefined;
  readonly counters: Counters | undefined;
  usage(): Promise<StoreUsage>;
  /** As in `OpenedDocuments`. */
  readonly scrub: OpenedDocuments['scrub'];
  /** Finishes present calls, closes both stores, and releases the data directory. */
  close(): Promise<void>;
}

export interface StoresOptions extends Omit<StoreDeps, 'directory' | 'key'> {
  /** The data directory, which the server locks whatever its stores; `undefined`: there is none. */
  readonly directory: string | undefined;
  /** Whether to encrypt the directory, and where its key is. */
  readonly key: KeyOptions;
}

/** The directory to check or repair, and where its key is. */
export interface CareOptions {
  readonly directory: string;
  readonly key?: Omit<KeyOptions, 'encrypt'>;
}

export interface CheckOptions extends CareOptions {
  /** Leaves out audio and saved snapshots, which may be large. */
  readonly documentsOnly?: boolean;
}

export interface ChosenStores {
  /** Rejects with AppError CONFIGURATION, CREDENTIAL_STORE or DATA_DAMAGED; nothing has changed then. */
  open(options: StoresOptions): Promise<OpenedStores>;
  /** Checks all files, also while a server runs, and changes nothing. AppError CONFIGURATION if they cannot be read. */
  check(options: CheckOptions): Promise<CheckReport>;
  /** Recovers the readable documents of a damaged store. AppError CONFIGURATION if a server has the store, or the key is missing. */
  repair(options: CareOptions): Promise<RepairReport>;
}

/** Checks the choices, and opens nothing yet. Throws AppError CONFIGURATION for an invalid choice. */
export function chooseStores(
  { documentStores, blobStores }: StoreTables,
  choices: StoreChoices,
  compile: ReturnType<typeof createValidation>,
): ChosenStores {
  const documents = chooseKind({ noun: 'store', kinds: documentStores }, choices.store, compile);
  const blobChoice = choices.blobs ?? { use: documents.kind.blobs };
  const audio = chooseKind({ noun: 'store of audio', setting: 'blobs', kinds: blobStores }, blobChoice, compile);
  // The contents of every kind of store: another store may have used the directory before.
  const contents: readonly DirectoryContents[] = [
    ...Object.values(documentStores),
    ...Object.values(blobStores),
  ].flatMap((kind) => kind.contents ?? []);
  const createKeyOpener = (directory: string, key: KeyOptions) => () => openEncryption(directory, key, contents);
  const { care } = documents.kind;

  /** Blobs in the data directory have its key. */
  const findSealing = async (store: Pick<BlobStore, 'open'>, key: KeyOptions, encryption: Encryption | undefined) =>
    audio.kind.isShared
      ? findSharedSealing(store, {
          dataKey: key.dataKey,
          ofDirectory: encryption?.sealing,
          encrypt: key.encrypt !== undefined,
        })
      : { sealing: encryption?.sealing, isNew: true };

  function requireCare(): NonNullable<typeof care> {
    if (care) return care;
    throw new AppError('CONFIGURATION', {
      message: `The store ${documents.name} has no files to check or repair.`,
      hint: 'Choose with --store the store that the server has used.',
    });
  }

  return {
    async open({ directory: path, key, ...rest }) {
      const { log } = rest;
      const ending: (() => Promise<void>)[] = [];
      const close = async (): Promise<void> => {
        const failures: unknown[] = [];
        for (const end of ending.toReversed()) await end().catch((error: unknown) => failures.push(error));
        if (failures.length > 0) throw failures[0];
      };
      try {
        let directory: DataDirectory | undefined;
        if (path !== undefined) {
          directory = await openDataDirectory(path, { contents, encryption: createKeyOpener(path, key), log });
          ending.push(directory.close);
        }
        const { encryption } = directory ?? {};
        const deps = { ...rest, directory };
        const { store, members, counters, usage, scrub } = await documents.kind.open(documents.options, {
          ...deps,
          key: choices.store.key,
        });
        ending.push(() => store.close());
        if (members) ending.push(() => members.close());
        const blobStore = await audio.kind.open(audio.options, { ...deps, key: blobChoice.key });
        ending.push(() => blobStore.close());
        const measureAudio = audio.kind.isShared
          ? createUsageMeter(blobStore, machineClockOf(rest.clock))
          : () => blobStore.usage();
        const found = await findSealing(blobStore, key, encryption);
        const { sealing, isNew } = found;
        if (members && audio.kind.isShared) await requireSameSealing({ members, store }, found);
        const blobs = await openBlobs(blobStore, { sealing, isSealed: !isNew, log });
        const snapshots = await openSnapshots(blobStore, sealing);
        if (sealing && audio.kind.isShared && isNew) await markSealed(blobStore, sealing);
        return {
          store,
          members,
          counters,
          blobs,
          snapshots,
          blobsName: blobStore.name,
          encryption: encryption ?? (sealing && { place: 'environment', sealing }),
          hasSharedAudio: audio.kind.isShared === true,
          forgets: [...(care ? [] : ['documents' as const]), ...(audio.kind.look ? [] : ['audio' as const])],
          usage: () => measureUsage(usage, measureAudio),
          scrub,
          close,
        };
      } catch (error) {
        await close().catch(() => undefined);
        throw error;
      }
    },
    async check({ directory: path, key = {}, documentsOnly }) {
      const { check, namedAudio } = requireCare();
      const encryption = await createKeyOpener(path, { ...key, encrypt: undefined })().catch((error: unknown) => {
        throw unusable(error);
      });
      const deps = { directory: { path, sealing: encryption?.sealing }, key: choices.store.key };
      const blobs = documentsOnly
        ? undefined
        : await audio.kind.look?.(audio.options, { ...deps, key: blobChoice.key });
      return checkStores({
        check: () => check(documents.options, deps),
        namedAudio: () => namedAudio(documents.options, deps),
        blobs,
        sealing: blobs && (await findSealing(blobs, key, encryption)).sealing,
      });
    },
    async repair({ directory: path, key = {} }) {
      const { repair } = requireCare();
      const encryption = createKeyOpener(path, { ...key, encrypt: undefined });
      const directory = await takeDataDirectory(path, { encryption });
      try {
        return await repair(documents.options, { directory, key: choices.store.key });
      } finally {
        await directory.close();
      }
    },
  };
}

/** The data directory may go away under a running server. */
function unreadable(cause: unknown): never {
  if (!isSystemError(cause)) throw cause;
  throw new AppError('STORAGE_UNAVAILABLE', {
    message: 'The data directory cannot be read.',
    hint: 'laudio doctor shows why. While the server runs, laudio server export --all saves its documents.',
    cause,
  });
}

async function measureUsage(
  measureDocuments: OpenedDocuments['usage'],
  measureAudio: () => Promise<BlobUsage | undefined>,
): Promise<StoreUsage> {
  const measured = Promise.all([measureDocuments(), measureAudio()]);
  const [{ bytes, last_snapshot_at }, audio] = await measured.catch(unreadable);
  return {
    documents_bytes: bytes,
    audio_files: audio?.files ?? null,
    audio_bytes: audio?.bytes ?? null,
    last_snapshot_at,
  };
}
