/** The operator's calls whose bodies are streams. */
import { Readable } from 'node:stream';
import { openBackup } from '../../server/storage/sealing/sealed-backup.ts';
import { maintenance } from '../../src/contract/maintenance.ts';
import type { RestoreResult, SeedResult } from '../../src/contract/maintenance.ts';
import {
  parseBlobPart,
  blobPart,
  documentsPart,
  readArchive,
  writeArchive,
} from '../../src/node/files/backup-archive.ts';
import { buildAddress } from '../../src/client/address.ts';
import type { Api } from './api.ts';

const { backup, sealedBackup, restore, export: exporting, seed } = maintenance.endpoints;

const headersOf = ({ server }: Pick<Api, 'server'>): Record<string, string> => ({
  authorization: `Bearer ${server.adminToken}`,
});

/** The bytes of a backup, as it is within its encryption where the server encrypts. */
export async function backupOf(api: Pick<Api, 'server'>): Promise<Buffer> {
  const answer = await api.server.inject({ url: backup.path, headers: headersOf(api) });
  if (answer.statusCode === 403) return openedBackupOf(api);
  if (answer.statusCode !== 200) throw new Error(`No backup: ${answer.statusCode} ${answer.body}`);
  return answer.rawPayload;
}

async function openedBackupOf(api: Pick<Api, 'server'>): Promise<Buffer> {
  const payload = { passphrase: 'the words of this backup' };
  const { path, method } = sealedBackup;
  const answer = await api.server.inject({ method, url: path, headers: headersOf(api), payload });
  const opened: Uint8Array[] = [];
  for await (const piece of openBackup(Readable.from([answer.rawPayload]), payload.passphrase)) opened.push(piece);
  return Buffer.concat(opened);
}

/** A part of the answer, which is an error where it is one. */
interface Told<T> {
  readonly status: number;
  readonly data: T;
  readonly error: { code: string; message: string };
}

async function post<T>(
  api: Pick<Api, 'server'>,
  { path, bodyTypes: [type] }: typeof restore | typeof seed,
  payload: Buffer | string,
): Promise<Told<T>> {
  const headers = { ...headersOf(api), 'content-type': type };
  const answer = await api.server.inject({ method: 'POST', url: path, headers, payload });
  const { data, error } = answer.json<{ data: T; error: Told<T>['error'] }>();
  return { status: answer.statusCode, data, error };
}

export const restoreTo = (api: Pick<Api, 'server'>, bytes: Buffer): Promise<Told<RestoreResult>> =>
  post(api, restore, bytes);
export const seedTo = (api: Pick<Api, 'server'>, lines: string): Promise<Told<SeedResult>> => post(api, seed, lines);

/** The lines of an export. */
export async function exportOf(api: Pick<Api, 'server'>, query: Record<string, unknown> = {}): Promise<string> {
  const answer = await api.server.inject({ url: buildAddress('', exporting.path, { query }), headers: headersOf(api) });
  if (answer.statusCode !== 200) throw new Error(`No export: ${answer.statusCode} ${answer.body}`);
  return answer.body;
}

/** Every document with its secrets, without the first line, which has the time. */
export const everything = async (api: Pick<Api, 'server'>): Promise<string> => {
  const lines = await exportOf(api, { secrets: true });
  return lines.slice(lines.indexOf('\n') + 1);
};

async function* pieces(bytes: Buffer, size = 1000): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface Archive {
  readonly documents: string;
  /** By blob. */
  readonly audio: Readonly<Record<string, Buffer>>;
  readonly missing_audio: readonly string[];
  readonly damaged_audio?: readonly string[];
}

/** What is in a backup; throws where it is not whole. */
export async function contentOf(bytes: Buffer): Promise<Archive> {
  const found: Record<string, Buffer> = {};
  const parts = readArchive(pieces(bytes));
  for (;;) {
    const next = await parts.next();
    if (next.done) {
      const { [documentsPart]: documents, ...audio } = found;
      const byBlob = Object.entries(audio).map(([name, content]) => [parseBlobPart(name), content]);
      return {
        documents: documents!.toString(),
        audio: Object.fromEntries(byBlob) as Record<string, Buffer>,
        missing_audio: next.value.missing_audio,
        damaged_audio: next.value.damaged_audio ?? [],
      };
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of next.value.content) chunks.push(chunk);
    found[next.value.name] = Buffer.concat(chunks);
  }
}

/** A backup with that content, whole and with the right checksums. */
export async function archiveOf({ documents, audio, missing_audio }: Archive, schema = 1): Promise<Buffer> {
  const facts = { schema, version: '0.0.0-test', created_at: '2026-03-02T11:30:00.000Z', documents: {} };
  const archive = writeArchive(async ({ add }) => {
    const text = Buffer.from(documents);
    await add(documentsPart, text.length, pieces(text));
    for (const [blob, bytes] of Object.entries(audio)) await add(blobPart('audio', blob), bytes.length, pieces(bytes));
    return { ...facts, missing_audio: [...missing_audio] };
  });
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) chunks.push(chunk);
  return Buffer.concat(chunks);
}
