/** Lists and opens the files of a data directory that hold documents. */
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { readAcknowledged } from './acknowledged.ts';
import { findSeed } from './frame-seed.ts';
import { previousHeaderLength, isKnownFormat, knownFormat, createOpener, readFrames } from './frame.ts';
import type { FileKind, Frame, Header, ReadOptions, Stretch } from './frame.ts';
import { nodeFileSystem } from '../data-directory/private-files.ts';
import type { FileSystem } from '../data-directory/private-files.ts';
import { readStats } from '../data-directory/stats.ts';
import type { DocumentUsage } from '../kinds.ts';
import { readContent } from './content.ts';
import type { Content } from './content.ts';
import { readHeader } from './header-copies.ts';
import type { FoundHeader } from './header-copies.ts';
import { readFormerContent } from './former-content.ts';
import { ofFile } from '../../../src/node/system-error.ts';
import type { Sealing } from '../../../src/node/files/sealing.ts';

export interface DataFile {
  readonly kind: FileKind;
  readonly name: string;
  /** A snapshot's last commit, or the one before a journal's first. */
  readonly sequence: number;
}

/** In ascending order. */
export interface DataFiles {
  readonly snapshots: readonly DataFile[];
  readonly journals: readonly DataFile[];
  /** The last commit that is known to have been acknowledged, and so to be there. */
  readonly acknowledged: number;
}

export const formatName = (kind: FileKind, sequence: number): string =>
  `${kind}-${sequence.toString(16).padStart(16, '0')}.laudio`;

const nameForm = /^(journal|snapshot)-([0-9a-f]{16})\.laudio$/;

export async function listDataFiles(fs: FileSystem, directory: string): Promise<DataFiles> {
  // First: a server that runs may add to the files meanwhile.
  const acknowledged = await readAcknowledged(fs, directory);
  const files = (await fs.readdir(directory)).toSorted().flatMap((name): DataFile[] => {
    const [, kind, digits] = nameForm.exec(name) ?? [];
    return digits === undefined ? [] : [{ kind: kind as FileKind, name, sequence: Number.parseInt(digits, 16) }];
  });
  return {
    snapshots: files.filter(({ kind }) => kind === 'snapshot'),
    journals: files.filter(({ kind }) => kind === 'journal'),
    acknowledged,
  };
}

/** AppError DATA_DAMAGED: a file is damaged; the files stay unchanged. */
export const damaged = (file: string, offset: number, damage: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The file ${file} in the data directory is damaged at byte ${offset}: ${damage}.`,
    hint: 'Nothing was changed. See `laudio server check`, then `laudio server repair`.',
    details: { file, offset, damage },
  });

export const isDamage = (error: unknown): error is AppError =>
  error instanceof AppError && error.details?.['damage'] !== undefined;

export interface OpenDataFile extends FoundHeader {
  readonly file: DataFile;
  /** No copy of its header is left, and its frames are read without it. */
  readonly isHeadless: boolean;
  readonly size: number;
  frames(options?: ReadOptions): AsyncIterable<Frame | Stretch>;
  /** The content of a frame, valid as long as the frame is. Throws `damaged` where that cannot be read, CONFIGURATION where it cannot be decrypted. */
  content(frame: Frame): Content;
  close(): Promise<void>;
}

export interface Surroundings {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly sealing: Sealing | undefined;
  /** The newest schema that is known. */
  readonly schema: number;
  /** Whether frames are read also where no copy of their header is left. */
  readonly salvages?: boolean;
}

/** A journal whose creation was interrupted: it holds no acknowledged commit. */
export const unfinished = 'unfinished' as const;

/**
 * Throws `damaged` if the header cannot be read, and CONFIGURATION if a newer version wrote the file, or if the file is
 * encrypted and there is no key.
 */
export async function openDataFile(
  { directory, fs, sealing, schema, salvages = false }: Surroundings,
  file: DataFile,
): Promise<OpenDataFile | typeof unfinished> {
  const handle = await fs.open(join(directory, file.name), 'r');
  try {
    const { size } = await handle.stat();
    const found = await readHeader(fs, { directory, name: file.name, handle, size });
    if (found === unfinished && file.kind === 'journal') {
      await handle.close();
      return unfinished;
    }
    const salvaged = found || !salvages ? undefined : await salvageHeader(handle, size, file, { schema, sealing });
    const read = salvaged ?? found;
    if (!read || read === unfinished) throw damaged(file.name, 0, 'it has no header');
    const { header } = read;
    if (header.kind !== file.kind || header.sequence !== file.sequence) {
      throw damaged(file.name, 0, 'it has the header of another file');
    }
    refuseUnknown(file.name, header, { schema, sealing });
    const open = createOpener(header, sealing);
    return {
      file,
      ...read,
      isHeadless: salvaged !== undefined,
      size,
      frames: async function* (options) {
        try {
          yield* readFrames(handle, header, size, { ...salvaged?.reading, ...options });
        } catch (error) {
          throw ofFile(file.name, error);
        }
      },
      content: (frame) => readFileContent(file.name, frame, open, header),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw ofFile(file.name, error);
  }
}

/**
 * Replaces a header of which no copy is left. `undefined` where the frames cannot be read without it: they are
 * encrypted, too few, or of a schema that nobody knows.
 */
async function salvageHeader(
  handle: FileHandle,
  size: number,
  { kind, sequence }: DataFile,
  { schema, sealing }: Pick<Surroundings, 'schema' | 'sealing'>,
): Promise<(FoundHeader & { reading: ReadOptions }) | undefined> {
  const seed = sealing || schema !== 1 ? undefined : await findSeed(handle, size);
  if (seed === undefined) return undefined;
  const header: Header = { kind, format: knownFormat, schema, sequence, sealed: false, salt: Buffer.alloc(0) };
  return { header, lostCopies: [], reading: { seed, from: previousHeaderLength } };
}

function refuseUnknown(file: string, header: Header, known: Pick<Surroundings, 'schema' | 'sealing'>): void {
  if (header.format > knownFormat || header.schema > known.schema) {
    const [which, most] =
      header.format > knownFormat
        ? [`format ${header.format}`, `format ${knownFormat}`]
        : [`schema ${header.schema}`, `schema ${known.schema}`];
    throw new AppError('CONFIGURATION', {
      message: `The file ${file} in the data directory was written by a newer version (${which}); this version reads up to ${most}.`,
      hint: 'Start the version of Laudio that wrote the file, or a newer version. Nothing was changed.',
      details: { file },
    });
  }
  if (!isKnownFormat(header.format)) {
    throw new AppError('CONFIGURATION', {
      message: `The file ${file} in the data directory is of format ${header.format}, which no published version reads.`,
      hint: 'Start the version of Laudio that wrote the file and make a backup with it. Nothing was changed.',
      details: { file },
    });
  }
  if (header.sealed && !known.sealing) {
    throw new AppError('CONFIGURATION', {
      message: `The file ${file} in the data directory is encrypted, and there is no key.`,
      hint: 'If encryption.json is missing there, put a copy of it back: it holds the key, and nobody can make another.',
      details: { file },
    });
  }
}

function readFileContent(
  file: string,
  frame: Frame,
  open: (frame: Frame) => Buffer,
  { kind, format }: Header,
): Content {
  let content: Buffer;
  try {
    content = open(frame);
  } catch (cause) {
    throw new AppError('CONFIGURATION', {
      message: `The file ${file} in the data directory cannot be decrypted at byte ${frame.offset}.`,
      hint: 'Another key encrypted the file, or somebody changed the file.',
      details: { file, offset: frame.offset },
      cause,
    });
  }
  try {
    return format < 3 ? readFormerContent(content.toString(), kind, format as 1 | 2) : readContent(content);
  } catch {
    // A parser's own message quotes the text.
    throw damaged(file, frame.offset, 'what a frame holds cannot be read');
  }
}

/** Whether any of them can be read with a key alone. */
export async function holdsSealed(directory: string, fs: FileSystem): Promise<boolean> {
  const { snapshots, journals } = await listDataFiles(fs, directory);
  for (const { name } of [...snapshots, ...journals]) {
    const handle = await fs.open(join(directory, name), 'r');
    try {
      const { size } = await handle.stat();
      const found = await readHeader(fs, { directory, name, handle, size });
      if (found && found !== unfinished && found.header.sealed) return true;
    } catch (error) {
      throw ofFile(name, error);
    } finally {
      await handle.close();
    }
  }
  return false;
}

/** Measures the disk use of the documents. Leaves out files that are removed meanwhile. */
export async function measureUsage(directory: string): Promise<DocumentUsage> {
  const { snapshots, journals } = await listDataFiles(nodeFileSystem, directory);
  const stats = await readStats([...snapshots, ...journals].map(({ name }) => join(directory, name)));
  const newest = snapshots.at(-1);
  const [last] = newest ? await readStats([join(directory, newest.name)]) : [];
  return {
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    last_snapshot_at: last ? last.mtime.toISOString() : null,
  };
}
