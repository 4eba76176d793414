import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'The data stays, and nobody reads, changes, sends or removes it until --lift. Exams that arrive later are not restricted.',
  arguments: { id: required('Id from `laudio patient find`, or of an exam or report') },
  options: { lift: flag('Bring everything back') },
  async run({ operator, signal }, { id, lift }) {
    const { patients } = await operator();
    const { data } = await patients[lift ? 'release' : 'restrict']({ params: { id } }, { signal });
    const what = counted(data.documents, 'document');
    return messageView(
      lift ? `Released: ${what}.` : `Restricted: ${what}. To lift it: laudio patient restrict ${id} --lift`,
      data,
    );
  },
});
