import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand } from '../../command.ts';
import { dataDirectoryOf } from '../../serving/data-directory.ts';
import { keyOptions, passphraseOption } from '../../serving/data-key.ts';
import { render } from '../../shell/render.ts';
import { storeOptions, chooseStores } from '../../serving/stores.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Reads all data and changes nothing; a server may be running on it. Ends with 0 if the server can start with everything that was acknowledged, with 9 if it can’t, or if audio or a saved snapshot is missing or damaged.',
  options: { ...storeOptions, ...passphraseOption },
  examples: [['laudio server check --data-dir /srv/laudio', 'any directory, in use or not']],
  async run(context, input) {
    const { io } = context;
    const directory = await dataDirectoryOf(context);
    const { checkStores } = await import('../../../server/index.ts');
    const key = await keyOptions(context, input);
    const report = await io.progress('Reading', () => checkStores({ directory, key, ...chooseStores(context, input) }));
    await render(
      io,
      listView({
        data: { data_dir: directory, ...report },
        rows: report.problems,
        columns: [
          { title: 'File', value: ({ file }) => file ?? 'the documents' },
          { title: 'Byte', value: ({ offset }) => offset, align: 'right' },
          {
            title: 'Problem',
            value: ({ what }) => what,
            tone: ({ harmless }) => (harmless ? 'warn' : 'bad'),
            cut: true,
          },
          { title: 'What to do', value: ({ advice }) => advice, cut: true },
        ],
        empty: 'Nothing is wrong.',
      }),
    );
    if (!report.sound && report.found) {
      const { named = 0, bad = 0 } = report.audio ?? {};
      const broken = (report.snapshots ?? []).filter(({ sound }) => !sound);
      const lost = [
        ...(bad > 0
          ? [`Of ${counted(named, 'recording')} ${bad} ${bad === 1 ? 'is' : 'are'} missing or damaged.`]
          : []),
        ...(broken.length > 0
          ? [`Saved snapshots that cannot be loaded: ${broken.map(({ name }) => name).join(', ')}.`]
          : []),
      ];
      throw new AppError('PARTIAL', {
        message: `${lost.join(' ')} The server can still start.`,
        hint: 'They can’t be repaired. Restore a backup that has them on another server.',
      });
    }
    if (!report.sound) {
      throw new AppError('PARTIAL', {
        message: 'The server can’t start with this directory.',
        hint: 'Copy the directory first; then laudio server repair keeps everything readable.',
      });
    }
    const count = Object.values(report.found?.documents ?? {}).reduce((sum, each) => sum + each, 0);
    const sentence = `Sound. Files: ${report.files.length}; documents: ${count}; recordings: ${report.audio?.named ?? 0}; saved snapshots: ${report.snapshots?.length ?? 0}; last acknowledged commit: ${report.acknowledged ?? 'not known'}.`;
    if (io.output !== 'json') io.notice(sentence, 'good');
  },
});
