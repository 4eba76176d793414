/**
 * Installs a model: fetches or copies it, unpacks it next to its destination, verifies it, and moves it there. After a
 * crash the model is complete or missing, and the next call resumes or cleans up.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { writePrivateFile } from '../../../../src/node/files/private-file.ts';
import { syncDirectory } from '../../../../src/node/files/replace-file.ts';
import { catalogue } from '../catalogue.ts';
import type { OfferedModel } from '../catalogue.ts';
import { lockModel, requireModelId, workPaths } from '../library.ts';
import type { Manifest } from '../manifest.ts';
import { verifyModel } from '../model-files.ts';
import { readFolder, readModel } from '../models.ts';
import { describeFolder } from './describe-folder.ts';
import type { DescribedFolder } from './describe-folder.ts';
import { unpack } from './archive.ts';
import type { UnpackedFile } from './archive.ts';
import { download } from './download.ts';
import { readSource } from './source.ts';
import type { Source } from './source.ts';

export interface PullOptions {
  /** The models folder. */
  readonly models: string;
  readonly id: string;
  /** An address or path; by default the catalogue's address. */
  readonly from?: string | undefined;
  /** Checksum of the archive, for a model that is not in the catalogue. */
  readonly sha256?: string | undefined;
  /** Replaces the catalogue. */
  readonly offers?: Readonly<Record<string, OfferedModel>>;
}

/** Facts to show before the model is fetched. */
export interface PullFacts {
  readonly id: string;
  /** Whether the model is installed and intact. */
  readonly installed: boolean;
  /** The host that the model comes from; `null` for the disk. */
  readonly host: string | null;
  /** Size of the archive; `null` if unknown or if there is none. */
  readonly bytes: number | null;
  /** Size on disk after the installation, if known. */
  readonly installed_bytes: number | null;
  readonly languages: readonly string[] | null;
  /** SPDX identifier; `null` if only the archive's manifest has it. */
  readonly licence: string | null;
}

export type PullStep = 'fetching' | 'unpacking' | 'copying' | 'checking';

export interface PullDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Proxy variables: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`, in either case. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `done` and `of` in bytes; `of` if known. */
  readonly onProgress: (step: PullStep, done: number, of: number | undefined) => void;
  /** Free bytes on the folder's disk. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface Pull {
  readonly facts: PullFacts;
  /**
   * Rejects with REQUEST_IN_PROGRESS if another process pulls this model, STORAGE_UNAVAILABLE if the disk is full,
   * DATA_DAMAGED and BAD_ANSWER if the content is not the model, NETWORK, NOT_FOUND and FORBIDDEN from the server,
   * INTERRUPTED by the signal.
   */
  run(deps: PullDeps): Promise<Manifest>;
}

/** Fetches nothing yet. AppError USAGE or NOT_FOUND for an invalid model or source. */
export async function preparePull(options: PullOptions): Promise<Pull> {
  const { models, id, sha256 } = options;
  requireModelId(id);
  const offers = options.offers ?? catalogue;
  const offered = findEntry(offers, id);
  const known = offered?.archive.sha256;
  if (known !== undefined && sha256 !== undefined && sha256 !== known) {
    throw new AppError('USAGE', { message: `The catalogue has another SHA-256 for the archive of ${id}.` });
  }
  const content = await findContent(await readSource(options, offers), options, offered);
  const own = content.kind === 'folder' ? content.model.manifest : undefined;
  const { languages, licence } = own ?? offered?.manifest ?? { languages: null, licence: null };
  const files = own?.files ?? offered?.files;
  const installed = await readModel(models, id);
  const facts: PullFacts = {
    id,
    installed: installed !== undefined && (await verifyModel(installed)) === 'whole',
    host: content.kind === 'address' ? content.url.host : null,
    bytes: (content.kind === 'folder' ? undefined : content.bytes) ?? null,
    installed_bytes: files ? bytesOf(files) : null,
    languages,
    licence,
  };
  return { facts, run: (deps) => runPull({ models, id, offered, content, facts }, deps) };
}

interface PullTask extends Pick<PullOptions, 'models' | 'id'> {
  readonly offered: OfferedModel | undefined;
  readonly content: PullContent;
  readonly facts: PullFacts;
}

/** A source with what its kind needs. An archive from the network has a checksum, one on the disk may lack it. */
type PullContent =
  | { readonly kind: 'folder'; readonly model: DescribedFolder }
  | (LocalArchive & { readonly kind: 'archive' })
  | { readonly kind: 'address'; readonly url: URL; readonly bytes: number | undefined; readonly sha256: string };

interface LocalArchive {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | undefined;
}

async function findContent(
  source: Source,
  { id, sha256: given }: PullOptions,
  offered: OfferedModel | undefined,
): Promise<PullContent> {
  const known = offered?.archive;
  const sha256 = known?.sha256 ?? given;
  if (source.kind === 'archive') return { ...source, sha256 };
  if (source.kind === 'address') {
    if (sha256 === undefined) throw checksumMissing(id, offered !== undefined);
    return { ...source, bytes: known?.sha256 === undefined ? undefined : known.bytes, sha256 };
  }
  const model = await describeFolder(source.path, id, offered);
  if (!model) throw noModel(id);
  return { kind: 'folder', model };
}

async function runPull(wanted: PullTask, deps: PullDeps): Promise<Manifest> {
  const { models, id } = wanted;
  const paths = workPaths(models, id);
  const unlock = await lockModel(models, id, deps.clock);
  try {
    await rm(paths.unpacked, { recursive: true, force: true });
    await requireRoom(wanted, deps);
    await mkdir(paths.unpacked, { mode: 0o700 });
    const files = await fill(paths.unpacked, wanted, deps);
    const manifest = await finishModel(paths.unpacked, files, wanted, deps);
    await installFolder(paths, deps.signal);
    await Promise.all([paths.part, `${paths.part}.json`].map((path) => rm(path, { force: true })));
    return manifest;
  } finally {
    await rm(paths.unpacked, { recursive: true, force: true });
    await unlock();
  }
}

/** Bytes that stay free. */
const spare = 64 * 2 ** 20;

async function requireRoom({ models, facts, content }: PullTask, deps: PullDeps): Promise<void> {
  const { freeBytes = countFreeBytes } = deps;
  const archive = facts.bytes ?? 0;
  // Models of this kind unpack to at most twice their archive.
  const unpacked = facts.installed_bytes ?? 2 * archive;
  const needed = (content.kind === 'address' ? archive : 0) + unpacked + spare;
  const free = await freeBytes(models);
  if (free >= needed) return;
  throw new AppError('STORAGE_UNAVAILABLE', {
    message: `The disk has ${megabytes(free)} free, and this needs ${megabytes(needed)}.`,
    hint: 'Make room, or choose another directory with --data-dir.',
    details: { free_bytes: free, needed_bytes: needed },
  });
}

const countFreeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

const bytesOf = (files: Manifest['files']): number => Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);

/** Puts the model's files into the empty folder. Returns sizes and checksums if they were unpacked. */
async function fill(
  into: string,
  wanted: PullTask,
  deps: PullDeps,
): Promise<ReadonlyMap<string, UnpackedFile> | undefined> {
  const { content, id, models } = wanted;
  if (content.kind === 'folder') {
    await copyModel(content.model, into, deps);
    return undefined;
  }
  if (content.kind === 'archive') {
    await checkArchive(content, wanted, deps);
    return unpackModel(content.path, content.bytes, into, wanted, deps);
  }
  const { part } = workPaths(models, id);
  const { url, bytes, sha256 } = content;
  await fetchArchive({ url, path: part, bytes, sha256 }, deps);
  return unpackModel(part, bytes, into, wanted, deps);
}

async function fetchArchive(wanted: Parameters<typeof download>[0], deps: PullDeps): Promise<void> {
  const { EnvHttpProxyAgent } = await import('undici');
  const { env, clock, signal, onProgress } = deps;
  const variable = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: variable('HTTP_PROXY'),
    httpsProxy: variable('HTTPS_PROXY'),
    noProxy: variable('NO_PROXY'),
    // download.ts detects silent servers.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    await download(wanted, { dispatcher, clock, signal, onProgress: (done, of) => onProgress('fetching', done, of) });
  } finally {
    await dispatcher.destroy();
  }
}

/** Reads a file and reports progress. */
async function* readWith(
  path: string,
  step: PullStep,
  of: number | undefined,
  { signal, onProgress }: PullDeps,
): AsyncGenerator<Uint8Array, void, undefined> {
  let done = 0;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024, signal })) {
      yield piece as Buffer;
      onProgress(step, (done += (piece as Buffer).length), of);
    }
  } catch (error) {
    throw signal.aborted ? new AppError('INTERRUPTED') : error;
  }
}

async function checkArchive(
  { path, bytes, sha256 }: LocalArchive,
  { offered }: PullTask,
  deps: PullDeps,
): Promise<void> {
  if (sha256 === undefined) return;
  const hash = createHash('sha256');
  if (offered?.archive.sha256 !== undefined && bytes !== offered.archive.bytes)
    throw otherArchive('its length differs');
  for await (const piece of readWith(path, 'checking', bytes, deps)) hash.update(piece);
  if (hash.digest('hex') !== sha256) throw otherArchive('its SHA-256 differs');
}

/** Size limit for a file of a model that is not in the catalogue. */
const maxFileBytes = 4 * 2 ** 30;
/** Added to the limit of the unpacked size, eight times the archive, for small archives. */
const slack = 4 * 2 ** 20;
const manifestFile = 'model.json';

function unpackModel(
  path: string,
  bytes: number | undefined,
  into: string,
  { offered }: PullTask,
  deps: PullDeps,
): Promise<ReadonlyMap<string, UnpackedFile>> {
  const known = new Map(Object.values(offered?.files ?? {}).map((file) => [file.name, file.bytes]));
  const names = new Set<string>(Object.values(offered?.names ?? {}));
  const isOwn = (name: string): boolean => name === manifestFile || /\.onnx$|^tokens\.txt$/.test(name);
  return unpack({
    source: readWith(path, 'unpacking', bytes, deps),
    into,
    maxSize: (name) => known.get(name) ?? ((offered ? names.has(name) : isOwn(name)) ? maxFileBytes : undefined),
    maxBytes: 8 * (bytes ?? maxFileBytes) + slack,
  });
}

async function copyModel(
  { folder, manifest, names = {} }: DescribedFolder,
  into: string,
  { signal, onProgress }: PullDeps,
): Promise<void> {
  const of = bytesOf(manifest.files);
  let done = 0;
  for (const { name, bytes } of Object.values(manifest.files)) {
    if (signal.aborted) throw new AppError('INTERRUPTED');
    await copyFile(join(folder, names[name] ?? name), join(into, name)).catch((error: unknown) => {
      throw Object(error).code === 'ENOENT' ? damaged(`${name} is missing`) : error;
    });
    onProgress('copying', (done += bytes), of);
  }
  await writePrivateFile(join(into, manifestFile), manifestText(manifest));
}

const manifestText = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** Writes the manifest and verifies the files. */
async function finishModel(
  folder: string,
  files: ReadonlyMap<string, UnpackedFile> | undefined,
  { id, offered }: PullTask,
  { onProgress }: PullDeps,
): Promise<Manifest> {
  if (offered && files) {
    const manifest = { ...offered.manifest, files: offered.files ?? foundFiles(offered, files) };
    await writePrivateFile(join(folder, manifestFile), manifestText(manifest));
  }
  const model = await readFolder(folder, id);
  if (!model) throw noModel(id);
  onProgress('checking', 0, undefined);
  const verdict = await verifyModel(model);
  if (verdict === 'whole') return model.manifest;
  throw damaged(
    'missing' in verdict ? `${verdict.missing} is missing` : `${verdict.damaged} differs from the manifest`,
  );
}

/** The archive was verified, so its files are the model's. */
function foundFiles({ names }: OfferedModel, files: ReadonlyMap<string, UnpackedFile>): Manifest['files'] {
  const found = Object.entries(names).map(([role, name]) => {
    const file = files.get(name);
    if (!file) throw damaged(`${name} is missing`);
    return [role, { name, ...file }];
  });
  return Object.fromEntries(found) as Manifest['files'];
}

async function installFolder(
  { unpacked, place, former, folder, models }: ReturnType<typeof workPaths>,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) throw new AppError('INTERRUPTED');
  await syncDirectory(unpacked);
  await rm(former, { recursive: true, force: true });
  // An existing model is damaged, otherwise it would not be replaced.
  await rename(place, former).catch((error: unknown) => {
    if (Object(error).code !== 'ENOENT') throw error;
  });
  await rename(unpacked, place);
  await Promise.all([syncDirectory(models), syncDirectory(folder)]);
  await rm(former, { recursive: true, force: true });
}

const otherArchive = (how: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `This is not the archive of the model: ${how}.`,
    hint: 'Get the archive from another place with --from ADDRESS|FOLDER|FILE.',
  });

const damaged = (how: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `The model is damaged: ${how}. Nothing was installed.`,
    hint: 'Get the archive from another place with --from ADDRESS|FOLDER|FILE.',
  });

const noModel = (id: string): AppError =>
  new AppError('DATA_DAMAGED', {
    message: `There is no model ${id} there: its model.json is missing or belongs to another model.`,
    hint: 'Give the archive of a model, or a folder with its files and its model.json.',
  });

const checksumMissing = (id: string, isOffered: boolean): AppError =>
  new AppError('USAGE', {
    message: isOffered
      ? `The catalogue has no checksum for the archive of ${id}: nobody tried it with Laudio.`
      : `${id} is not in the catalogue, so its archive cannot be verified.`,
    hint: 'Add --sha256 HEX, or fetch the archive yourself and give its path to --from.',
  });
