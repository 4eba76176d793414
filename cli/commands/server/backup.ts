import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { BackupManifest } from '../../../src/contract/maintenance.ts';
import { counted } from '../../../src/domain/counted.ts';
import { isAudioPart } from '../../../src/node/files/backup-archive.ts';
import {
  openArchive,
  backupPassphrase,
  readBackupPassphrase,
  encryptBackup,
  reportManifest,
} from '../../serving/backup-file.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { save } from '../../shell/output-file.ts';
import { render } from '../../shell/render.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Saves all data and audio of one moment while the server keeps working. The file appears under its name once it is complete, verified and on disk. If the server’s data is encrypted, so is the backup, with a separate passphrase; --encrypt does the same for unencrypted data.',
  arguments: { file: required('Where to save it, or - for standard output') },
  options: { encrypt: flag('Encrypt it with a passphrase'), ...backupPassphrase },
  examples: [['laudio server backup laudio-2026-03-02.tar', 'for example every evening']],
  async run(context, { file, encrypt, passphraseStdin }) {
    const { io, operator, signal } = context;
    if (file === '-' && io.output === 'table') {
      throw new AppError('USAGE', { message: 'A backup is binary: name a file, or redirect standard output.' });
    }
    const { maintenance, system } = await operator();
    const isSealed = encrypt || passphraseStdin || (await system.status({}, { signal })).data.encrypted;
    const passphrase = isSealed
      ? await readBackupPassphrase(context, 'Passphrase for this backup', passphraseStdin)
      : undefined;
    let manifest: BackupManifest | undefined;
    const view = await io.progress('Saving', async () => {
      const archive = reportManifest(archiveFrom(maintenance, passphrase, signal), (proven) => (manifest = proven));
      const saved = await save(
        context,
        passphrase === undefined ? archive : encryptBackup(archive, passphrase),
        file,
        true,
      );
      return saved.kind === 'bytes' || !manifest ? saved : savedView(file, manifest);
    });
    await render(io, view);
    const { missing_audio: missing = [], damaged_audio: damaged = [] } = manifest ?? {};
    if (missing.length + damaged.length > 0) throw incomplete(missing, damaged);
  },
});

/** An encrypted archive is decrypted to verify that it is complete before it is kept. */
async function* archiveFrom(
  maintenance: Client['maintenance'],
  passphrase: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  if (passphrase === undefined) return yield* complete((await maintenance.backup({}, { signal })).body);
  const { body } = await maintenance.sealedBackup({ body: { passphrase } }, { signal });
  yield* openArchive(complete(body), async () => passphrase);
}

function savedView(saved: string, { created_at, documents, missing_audio, damaged_audio = [], parts }: BackupManifest) {
  const audio_files = parts.filter(isAudioPart).length;
  return messageView(
    `Saved as ${saved}: ${counted(total(documents), 'document')}, ${counted(audio_files, 'audio file')}.`,
    {
      saved,
      created_at,
      documents,
      audio_files,
      missing_audio: missing_audio.length,
      damaged_audio: damaged_audio.length,
    },
  );
}

/** The backup is usable as far as it goes; its exit code shows that it is incomplete. */
function incomplete(missing: readonly string[], damaged: readonly string[]): AppError {
  const left = [
    damaged.length > 0 && `${damaged.length} damaged`,
    missing.length > 0 && `${missing.length} missing ones`,
  ].filter((part) => part !== false);
  return new AppError('PARTIAL', {
    message: `The backup has all documents, and all recordings except ${left.join(' and ')}.`,
    hint: `Left out: ${listed([...damaged, ...missing])}. laudio server check shows more; keep an earlier backup that has them.`,
    details: { missing_audio: missing, damaged_audio: damaged },
  });
}

/** Maximum number of names shown; --json has all. */
const maxNamed = 10;
const listed = (names: readonly string[]): string =>
  names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '');

const total = (documents: Readonly<Record<string, unknown>>): number =>
  Object.values(documents).reduce<number>((sum, count) => sum + Number(count), 0);

/** The server aborts a backup that it can't complete; its log has the reason. */
async function* complete(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'NETWORK') throw cause;
    throw new AppError('NETWORK', {
      message: 'The server aborted the backup; nothing was saved.',
      hint: 'The reason is in its log; laudio server check examines the data.',
      cause,
    });
  }
}
