/** Backups as files: encrypted with a passphrase, or plain. */
import { AppError } from '../../src/contract/errors.ts';
import type { BackupManifest } from '../../src/contract/maintenance.ts';
import { isSealedBackup, verified } from '../../src/node/files/backup-archive.ts';
import { flag } from '../command.ts';
import type { Context } from '../context.ts';
import { readSecret } from '../shell/secret.ts';

/** Separate from the data directory's variable: a backup leaves the computer, and needs another passphrase. */
export const passphraseVariable = 'LAUDIO_BACKUP_PASSPHRASE';

export const backupPassphrase = {
  passphraseStdin: flag(
    `Read the passphrase from the first line of standard input; default: from ${passphraseVariable}`,
  ),
};

export const readBackupPassphrase = (context: Context, question: string, fromStdin: boolean): Promise<string> =>
  readSecret(context, question, fromStdin, passphraseVariable, '--passphrase-stdin');

/** Passes a backup through, and reports its manifest once it has been verified. */
export async function* reportManifest(
  archive: AsyncIterable<Uint8Array>,
  tell: (manifest: BackupManifest) => void,
): AsyncGenerator<Uint8Array, void> {
  tell(yield* verified(archive));
}

/** Encrypts a backup. AppError CONFIGURATION if the passphrase is too short. */
export async function* encryptBackup(
  archive: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Uint8Array, void> {
  const { sealedBackup } = await import('../../server/index.ts');
  const { sealBackup } = await sealedBackup();
  yield* sealBackup(archive, passphrase);
}

/** The archive in a file, decrypted if needed. Asks for the passphrase only for an encrypted archive. */
export async function* openArchive(
  file: AsyncIterable<Uint8Array>,
  passphrase: () => Promise<string>,
): AsyncGenerator<Uint8Array, void> {
  const source = file[Symbol.asyncIterator]();
  try {
    const first = await source.next();
    if (first.done) throw new AppError('VALIDATION_FAILED', { message: 'This file is empty.' });
    const whole = (async function* () {
      yield first.value;
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    })();
    if (!isSealedBackup(first.value)) return yield* whole;
    const { sealedBackup } = await import('../../server/index.ts');
    const { openBackup } = await sealedBackup();
    yield* openBackup(whole, await passphrase());
  } finally {
    await source.return?.();
  }
}
