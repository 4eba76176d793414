import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Exams, reports with all versions, recordings, imported reports, messages, jobs, the trash and saved snapshots of the patient; then the server writes its files afresh. The audit trail keeps ids and says that it was erased. Backups keep what they have; a restore on this server erases it again.',
  arguments: { id: required('Id from `laudio patient find`, or of an exam or report') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ operator, signal, ask, io }, { id, yes }) {
    if (!yes && !(await ask.confirm('Erase everything about this patient for good?', '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was changed.' });
    }
    const { patients } = await operator();
    const { data } = await io.progress('Erasing', () => patients.erase({ params: { id } }, { signal }));
    const total = Object.values(data.documents).reduce<number>((sum, count) => sum + Number(count), 0);
    if (data.snapshots.length > 0) {
      io.notice(`Removed saved snapshots that held the patient: ${data.snapshots.join(', ')}.`, 'warn');
    }
    if (data.backups === null) io.notice('The planned backups could not be listed.', 'warn');
    if (data.backups && data.backups.length > 0) {
      io.notice(`Planned backups that may still hold the patient: ${data.backups.join(', ')}.`, 'warn');
    }
    io.notice('Backups made before keep what they have. A restore on this server erases it again.', 'warn');
    return messageView(
      `Erased as ${data.id}: ${counted(total, 'document')}, ${counted(data.audio_files, 'recording')}.`,
      data,
    );
  },
});
