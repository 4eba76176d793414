import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag } from '../../command.ts';
import { dataDirectoryOf } from '../../serving/data-directory.ts';
import { keyOptions, passphraseOption } from '../../serving/data-key.ts';
import { render } from '../../shell/render.ts';
import { storeOptions, chooseStores } from '../../serving/stores.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Keeps every readable document, moves damaged files to quarantine/ in the directory, and reports what is missing. The server must be stopped. Ends with 9 if anything is missing.',
  options: { yes: flag('Do not ask', { short: 'y' }), ...storeOptions, ...passphraseOption },
  async run(context, input) {
    const { io, ask } = context;
    const directory = await dataDirectoryOf(context);
    if (
      !input.yes &&
      !(await ask.confirm(`Keep everything readable in ${directory}, and quarantine the rest?`, '--yes'))
    ) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was changed.' });
    }
    const { repairStores } = await import('../../../server/index.ts');
    const key = await keyOptions(context, input);
    const report = await io.progress('Repairing', () =>
      repairStores({ directory, key, ...chooseStores(context, input) }),
    );
    const count = Object.values(report.found.documents).reduce((sum, each) => sum + each, 0);
    const text = report.repaired
      ? `Repaired. Documents kept: ${count}; files in quarantine/: ${report.quarantined.length}.`
      : `There was nothing to repair: ${counted(count, 'document')}.`;
    await render(io, messageView(text, { data_dir: directory, ...report }));
    if (report.lost.length === 0) return;
    const lost = report.lost.map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`)).join(', ');
    throw new AppError('PARTIAL', {
      message: `Data is missing from the commits ${lost}.`,
      hint: 'An earlier backup has it; the quarantined files may contain some of it.',
      details: { lost: report.lost },
    });
  },
});
