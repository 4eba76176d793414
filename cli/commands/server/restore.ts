import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { openArchive, backupPassphrase, readBackupPassphrase } from '../../serving/backup-file.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { inputBytes } from '../../shell/input-file.ts';
import { localTime } from '../../shell/time.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'The whole backup is verified first; a truncated, modified or foreign one is refused, and nothing changes. Logins become those at the time of the backup. An encrypted backup asks for its passphrase.',
  arguments: { file: required('The backup, or - for standard input') },
  options: { yes: flag('Do not ask', { short: 'y' }), ...backupPassphrase },
  async run(context, { file, yes, passphraseStdin }) {
    const { io, ask, localServer, operator, signal } = context;
    if (file === '-' && passphraseStdin) {
      throw new AppError('USAGE', { message: 'Standard input cannot be both the backup and the passphrase.' });
    }
    const { data_dir: dataDir } = await localServer();
    if (!yes && !(await ask.confirm(`Replace everything in ${dataDir} by this backup?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was changed.' });
    }
    const passphrase = () => readBackupPassphrase(context, 'Passphrase of this backup', passphraseStdin);
    const { maintenance } = await operator();
    const { data } = await io.progress('Restoring', () =>
      maintenance.restore({ body: openArchive(inputBytes(io, file), passphrase) }, { signal }),
    );
    const { created_at: at, documents, audio_files: audio, missing_audio: missing } = data;
    if (missing > 0)
      io.notice(
        `${counted(missing, 'audio file')} ${missing === 1 ? 'was' : 'were'} already missing when the backup was made.`,
        'warn',
      );
    const count = Object.values(documents).reduce<number>((sum, each) => sum + Number(each), 0);
    return messageView(
      `Restored the state of ${localTime(at)}: ${counted(count, 'document')}, ${counted(audio, 'audio file')}.`,
      data,
    );
  },
});
