/** Archives of speech models, good and hostile, packed by Debian's bzip2. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pack } from 'tar-stream';
import type { Header } from 'tar-stream';
import type { OfferedModel } from '../../server/speech/local/catalogue.ts';
import type { Manifest } from '../../server/speech/local/manifest.ts';
import { installToneModel } from './tone-model.ts';
import type { InstalledTones } from './tone-model.ts';

export type Packed = readonly [header: Partial<Header> & { name: string }, content?: Uint8Array | string];

export const bzip2 = (bytes: Uint8Array): Buffer =>
  execFileSync('bzip2', ['-c'], { input: bytes, maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'ignore'] });

export async function archiveOf(entries: readonly Packed[]): Promise<Buffer> {
  const tar = pack();
  for (const [header, content] of entries) tar.entry(header, Buffer.from((content as string) ?? ''));
  tar.finalize();
  return bzip2(await buffer(tar as unknown as AsyncIterable<Uint8Array>));
}

/** The same bytes each time, which look like chance. */
function hashStream(length: number): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < length; at += 32) blocks.push(createHash('sha256').update(String(at)).digest());
  return Buffer.concat(blocks);
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export interface PackedModel {
  readonly id: string;
  readonly bytes: Buffer;
  readonly sha256: string;
  readonly manifest: Manifest;
  readonly files: readonly Packed[];
  /** As a catalogue offers it. `known: false`: without the checksums of its files. */
  offer(options?: { readonly known?: boolean; readonly archive?: Buffer }): Readonly<Record<string, OfferedModel>>;
}

/** A tone model as it is packed for others: in a folder of its own, with other files beside. */
export async function packToneModel({ id = 'tone', ...options }: InstalledTones = {}): Promise<PackedModel> {
  const models = await mkdtemp(join(tmpdir(), 'laudio-tones-'));
  try {
    const folder = await installToneModel(models, { id, ...options });
    const names = (await readdir(folder)).filter((name) => name !== 'verified.json');
    const files = await Promise.all(
      names.map(async (name): Promise<Packed> => [{ name: `some-folder/${name}` }, await readFile(join(folder, name))]),
    );
    const manifest = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as Manifest;
    const bytes = await archiveOf([
      [{ name: 'some-folder/', type: 'directory' }],
      // What cannot be made smaller, as models cannot.
      [{ name: 'some-folder/test_wavs/0.wav' }, hashStream(6000)],
      ...files,
    ]);
    const { files: known, ...rest } = manifest;
    return {
      id,
      bytes,
      sha256: sha256(bytes),
      manifest,
      files,
      offer: ({ known: isKnown = true, archive = bytes } = {}) => ({
        [id]: {
          archive: { name: `${id}.tar.bz2`, bytes: archive.length, sha256: sha256(archive) },
          manifest: rest,
          names: Object.fromEntries(
            Object.entries(known).map(([role, { name }]) => [role, name]),
          ) as OfferedModel['names'],
          ...(isKnown && { files: known }),
        },
      }),
    };
  } finally {
    await rm(models, { recursive: true, force: true });
  }
}

/** The files, each longer than it may be. */
export const enlarged = (files: readonly Packed[]): Packed[] =>
  files.map(([header, content]) => [header, Buffer.concat([Buffer.from(content as Buffer), Buffer.alloc(10)])]);
/** The files, of which the model has another byte. */
export const changed = (files: readonly Packed[]): Packed[] =>
  files.map(([header, content]) => {
    const bytes = Buffer.from(content as Buffer);
    if (header.name.endsWith('.onnx')) bytes[10]! ^= 1;
    return [header, bytes];
  });
