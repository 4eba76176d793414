/**
 * The form of a backup: a tar archive (POSIX.1-2024, pax) of the documents, the audio and, last, `backup.json` with the
 * checksums of both and of itself. Written and read as a stream; it is whole only if it ends with that part.
 */
import { createHash } from 'node:crypto';
import { conforms } from '../../client/conforms.ts';
import { AppError } from '../../contract/errors.ts';
import { BackupManifest } from '../../contract/maintenance.ts';
import { packTar } from './pack-tar.ts';
import { oneChunk } from './pieces.ts';
import { readTar } from './tar.ts';
import type { TarEntry } from './tar.ts';

export const documentsPart = 'documents.ndjson';
const manifestPart = 'backup.json';
const format = 1;

/** Bytes: some hundred thousand audio files. */
const maxManifestBytes = 64 * 1024 * 1024;

/** The folders of audio and of segments of the audit trail. */
const folders = { audio: 'audio/', audit: 'audit/' } as const;

/** The name of the part with a blob. */
export const blobPart = (holds: keyof typeof folders, blob: string): string => `${folders[holds]}${blob}`;
export const isAudioPart = ({ name }: { readonly name: string }): boolean => name.startsWith(folders.audio);
/** The blob that a part is named after, `undefined` for other parts. */
export function parseBlobPart(part: string): string | undefined {
  const folder = Object.values(folders).find((each) => part.startsWith(each));
  return folder && part.slice(folder.length);
}

type Parts = BackupManifest['parts'];
type Facts = Omit<BackupManifest, 'laudio' | 'format' | 'parts'>;

export interface ArchiveWriter {
  /** Adds a part of that many bytes; gives their SHA-256. */
  add(name: string, bytes: number, content: AsyncIterable<Uint8Array>): Promise<string>;
}

/**
 * Streams the archive that `fill` writes. The result of `fill` ends the archive; if `fill` throws, the archive breaks
 * off.
 */
export const writeArchive = (fill: (writer: ArchiveWriter) => Promise<Facts>): AsyncGenerator<Uint8Array, void> =>
  packTar(async (add) => {
    const parts: Parts = [];
    const facts = await fill({
      async add(name, bytes, content) {
        const hash = createHash('sha256');
        await add(name, bytes, hashed(content, hash));
        const sha256 = hash.digest('hex');
        parts.push({ name, bytes, sha256 });
        return sha256;
      },
    });
    const manifest: BackupManifest = { laudio: 'backup', format, ...facts, parts };
    const content = Buffer.from(`${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) })}\n`);
    await add(manifestPart, content.length, oneChunk(content));
  });

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}

const checksumOf = (manifest: BackupManifest): string =>
  createHash('sha256').update(JSON.stringify(manifest)).digest('hex');

/** A part of a streamed archive. The caller must read its content before taking the next part. */
export interface ArchivePart {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
  /** SHA-256 of the content read so far. */
  sha256(): string;
}

/**
 * The parts of an archive; returns its manifest once every part matches it. AppError VALIDATION_FAILED if the archive
 * is cut off, changed, or no backup; errors of the source pass through.
 */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<ArchivePart, BackupManifest> {
  const partsRead: Parts = [];
  let begun = false;
  const explain = (error: unknown): unknown =>
    error instanceof AppError ? error : begun ? damaged('it is cut off or changed') : foreign();
  let manifest: BackupManifest | undefined;
  for await (const entry of readTar(source, explain)) {
    if (manifest) throw damaged('it goes on after its end');
    const { name, size, type, content } = entry;
    if (type !== 'file' || (partsRead.length === 0) !== (name === documentsPart)) throw foreign();
    if (name === manifestPart) {
      manifest = await readManifest(entry);
      continue;
    }
    begun = true;
    const hash = createHash('sha256');
    yield { name, bytes: size, content: hashed(content, hash), sha256: () => hash.copy().digest('hex') };
    partsRead.push({ name, bytes: size, sha256: hash.digest('hex') });
  }
  if (!manifest) throw begun ? damaged('its end is missing') : foreign();
  if (JSON.stringify(partsRead) !== JSON.stringify(manifest.parts)) throw damaged('a part of it is not what it was');
  return manifest;
}

async function readManifest({ size, content }: TarEntry): Promise<BackupManifest> {
  if (size > maxManifestBytes) throw damaged('its end is too long');
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw damaged('its end cannot be read');
  }
  if (typeof value !== 'object' || value === null || !conforms(BackupManifest, value)) throw damaged('its end is none');
  const { checksum, ...manifest } = value as BackupManifest & { checksum?: unknown };
  if (manifest.format > format) {
    throw new AppError('VALIDATION_FAILED', {
      message: `This backup was made by a newer version (${manifest.version.slice(0, 40)}).`,
      hint: 'Use that version, or a newer one.',
    });
  }
  if (checksum !== checksumOf(manifest)) throw damaged('its end was changed');
  return manifest;
}

const foreign = (): AppError => new AppError('VALIDATION_FAILED', { message: 'This is no backup of Laudio.' });

const damaged = (how: string): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: `This backup is damaged: ${how}.`,
    hint: 'Nothing was changed. Take another backup.',
  });

/** Passes an archive through as it arrives, and ends as `readArchive` does: with its manifest, or an error. */
export async function* verified(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, BackupManifest> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const reading = readWhole(readable as unknown as AsyncIterable<Uint8Array>);
  reading.catch(() => undefined);
  try {
    for await (const chunk of source) {
      // The reader may have rejected the archive already; `reading` says why.
      await writer.write(chunk).catch(() => reading);
      yield chunk;
    }
    await writer.close().catch(() => undefined);
    return await reading;
  } finally {
    await writer.abort().catch(() => undefined);
  }
}

async function readWhole(source: AsyncIterable<Uint8Array>): Promise<BackupManifest> {
  const parts = readArchive(source);
  for (;;) {
    const next = await parts.next();
    if (next.done) return next.value;
    for await (const _chunk of next.value.content);
  }
}

/** The beginning of a backup that is encrypted with a passphrase. */
export const sealedBackupMark = 'laudio sealed backup 1 ';

/** Recognises an encrypted backup by the first bytes of the file. */
export const isSealedBackup = (head: Uint8Array): boolean =>
  Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, sealedBackupMark.length)).toString('latin1') ===
  sealedBackupMark;
