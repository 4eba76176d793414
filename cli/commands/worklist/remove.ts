import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { localTime } from '../../shell/time.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'On the server’s computer, by its operator: the exam goes with its reports, jobs and recordings into the trash, for seven days (`laudio server trash`). To erase a patient for good, use `laudio patient erase`.',
  arguments: { id: required('Id of the exam (wli_…)') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run({ operator, signal, ask }, { id, yes }) {
    if (!yes && !(await ask.confirm('Remove this exam with its reports?', '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was changed.' });
    }
    const { patients } = await operator();
    const { data } = await patients.removeExam({ params: { id } }, { signal });
    return messageView(
      `Removed. It can be restored until ${localTime(data.expires_at)}: laudio server trash restore ${id}`,
      data,
    );
  },
});
