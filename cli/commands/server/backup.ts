import { AppError } from '../../../src/contract/errors.ts';
import type { BackupManifest } from '../../../src/contract/maintenance.ts';
import { backupPassphrase, readBackupPassphrase, sealed, telling } from '../../backup-file.ts';
import { command, flag, required } from '../../command.ts';
import { save } from '../../output-file.ts';
import { messageView } from '../../view.ts';

export const backup = command({
  summary: 'Save everything that the server holds in one file',
  description:
    'Documents and audio as they are at one moment; the server goes on working. The file appears under its name once it is complete, checked and on disk. Where the server’s data is encrypted, so is the backup, with a passphrase of its own; --encrypt does the same where it is not.',
  arguments: { file: required('Where to save it, or - for standard output') },
  options: { encrypt: flag('Encrypt it with a passphrase'), ...backupPassphrase },
  examples: [['laudio server backup laudio-2026-03-02.tar', 'every evening, say']],
  async run(context, { file, encrypt, passphraseStdin }) {
    const { io, operator, signal } = context;
    if (file === '-' && io.output === 'table') {
      throw new AppError('USAGE', { message: 'A backup is no text: name a file, or send standard output to one.' });
    }
    const { maintenance, system } = await operator();
    const isSealed = encrypt || passphraseStdin || (await system.status({}, { signal })).data.encrypted;
    const passphrase = isSealed
      ? await readBackupPassphrase(context, 'Passphrase for this backup', passphraseStdin)
      : undefined;
    return io.progress('Saving', async () => {
      const { body } = await maintenance.backup({}, { signal });
      let manifest: BackupManifest | undefined;
      const archive = telling(complete(body), (told) => (manifest = told));
      const view = await save(context, passphrase === undefined ? archive : sealed(archive, passphrase), file, true);
      if (!manifest || view.kind === 'bytes') return view;
      const { created_at, documents, missing_audio: missing, parts } = manifest;
      if (missing.length > 0) {
        io.notice(`${missing.length} audio files were gone already; laudio server check tells more.`, 'warn');
      }
      const data = { saved: file, created_at, documents, audio_files: parts.length - 1, missing_audio: missing.length };
      return messageView(`Saved as ${file}: ${total(documents)} documents, ${parts.length - 1} audio files.`, data);
    });
  },
});

const total = (documents: Readonly<Record<string, unknown>>): number =>
  Object.values(documents).reduce<number>((sum, count) => sum + Number(count), 0);

/** The server cuts off a backup that it cannot complete; its log has the reason. */
async function* complete(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'NETWORK') throw cause;
    throw new AppError('NETWORK', {
      message: 'The server broke the backup off; nothing was saved.',
      hint: 'Its log says why; laudio server check looks at the data.',
      cause,
    });
  }
}
