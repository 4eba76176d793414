import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required } from '../../command.ts';
import { save } from '../../shell/output-file.ts';

export const command = defineCommand({
  description:
    'A tar archive with the reports as PDF and FHIR, the recordings, imported reports, and all stored documents as JSON lines. The file is readable by you alone, and as confidential as the data.',
  arguments: {
    id: required('Id from `laudio patient find`, or of an exam or report'),
    file: required('Where to save it, or - for standard output'),
  },
  examples: [['laudio patient export wli_01JNBK4V9Q0000000000000000 request-17.tar', 'then: tar -xf request-17.tar']],
  async run(context, { id, file }) {
    if (file === '-' && context.io.output === 'table') {
      throw new AppError('USAGE', { message: 'The archive is binary: name a file, or redirect standard output.' });
    }
    const { patients } = await context.operator();
    const { body } = await patients.export({ params: { id } }, { signal: context.signal });
    return save(context, body, file, true);
  },
});
