/** The files of a model: verified, and as configuration for the addon. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LoadFailure } from './model-messages.ts';
import type { Manifest } from './manifest.ts';
import type { InstalledModel } from './models.ts';

export type Verdict = 'whole' | { readonly damaged: string } | { readonly missing: string };

/** Caches verified files, because hashing them takes long: name → checksum, size, time and inode. */
const verifiedFile = 'verified.json';

/** Compares each file with its SHA-256. Unchanged files are not read again. */
export async function verifyModel({ folder, manifest }: InstalledModel): Promise<Verdict> {
  const path = join(folder, verifiedFile);
  const before = await readFile(path, 'utf8')
    .then((text) => JSON.parse(text) as Record<string, string>)
    .catch(() => ({}) as Record<string, string>);
  const verified: Record<string, string> = {};
  for (const { name, bytes, sha256 } of Object.values(manifest.files)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (!found) return { missing: name };
    if (found.size !== bytes) return { damaged: name };
    const mark = `${sha256} ${found.size} ${found.mtimeMs} ${found.ino}`;
    if (before[name] !== mark && (await hashFile(join(folder, name))) !== sha256) return { damaged: name };
    verified[name] = mark;
  }
  // A read-only folder is verified each time.
  if (JSON.stringify(before) !== JSON.stringify(verified)) {
    await writeFile(path, JSON.stringify(verified), { mode: 0o600 }).catch(() => {});
  }
  return 'whole';
}

export const toLoadFailure = (verdict: Exclude<Verdict, 'whole'>): Extract<LoadFailure, { file: string }> =>
  'damaged' in verdict ? { reason: 'damaged', file: verdict.damaged } : { reason: 'missing', file: verdict.missing };

/** SHA-256 in hexadecimal. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}

/** The addon's configuration for a model. */
export function createAddonConfig({
  folder,
  manifest: { kind, files },
}: InstalledModel): Readonly<Record<string, unknown>> {
  const path = (role: keyof Manifest['files']): string => join(folder, files[role]?.name ?? '');
  const tokens = path('tokens');
  if (kind === 'nemo-ctc') return { nemoCtc: { model: path('model') }, tokens };
  if (kind === 'whisper') {
    // The addon ignores `true` as a switch. The language is set before each decoding.
    const networks = { encoder: path('encoder'), decoder: path('decoder') };
    return { whisper: { ...networks, language: '', task: 'transcribe', enableTokenTimestamps: 1 }, tokens };
  }
  const transducer = { encoder: path('encoder'), decoder: path('decoder'), joiner: path('joiner') };
  return { transducer, tokens, ...(kind === 'nemo-transducer' && { modelType: 'nemo_transducer' }) };
}
