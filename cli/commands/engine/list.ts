import { choices, engineParts } from '../../../src/node/choices.ts';
import { command } from '../../command.ts';
import { listView } from '../../view.ts';
import type { Tone } from '../../view.ts';
import { engineCare, engineFiles, modelOf, sizeWords } from './engine-files.ts';

interface Row {
  readonly part: 'recogniser' | 'writer';
  readonly choice: string;
  readonly state: string;
  readonly size?: string;
  readonly live?: boolean | null;
  readonly languages?: string;
  readonly licence?: string | null;
  readonly meaning?: string;
}

const tones: Readonly<Record<string, Tone>> = { used: 'good', damaged: 'bad', available: 'faint' };

export const list = command({
  description:
    'Lists the kinds of recognisers and writers, and the speech models: those in the data directory, and those that `laudio engine pull` can fetch, with their size, languages and licence. The first column is what `laudio serve --recogniser` and `--writer` take.',
  examples: [['laudio engine list --jq ".models[] | select(.state == \\"installed\\").id"', 'models that are there']],
  async run(context) {
    const set = choices(engineParts, context.settings, context.env);
    const used = { recogniser: set.recogniser?.use ?? 'none', writer: set.writer?.use ?? 'rules' };
    const { engineKinds, listModels, modelsFolder } = await engineCare();
    const folder = await modelsFolder(set.recogniser, engineFiles(context));
    const model = modelOf(set.recogniser);
    const models = (await listModels(folder)).map((each) => ({ ...each, used: each.id === model }));
    const kindsOf = (part: Row['part']) =>
      Object.entries(engineKinds[part]).map(([use, meaning]) => ({
        use,
        used: used[part].split(':')[0] === use,
        meaning,
      }));
    const kindRows = (part: Row['part']): Row[] =>
      kindsOf(part).map(({ use, used: isUsed, meaning }) => ({
        part,
        choice: isUsed ? used[part] : use,
        state: isUsed ? 'used' : '',
        meaning,
      }));
    const modelRows = models.map(
      ({ id, state, live, languages, licence, bytes, archive_bytes: archive, used: isUsed }): Row => {
        const size = state === 'available' ? archive : bytes;
        return {
          part: 'recogniser',
          choice: `local:${id}`,
          state: isUsed && state === 'installed' ? 'used' : state,
          ...(size !== null && { size: sizeWords(size) }),
          live,
          languages: languages.join(' '),
          licence,
          meaning: state === 'available' ? `laudio engine pull ${id}` : '',
        };
      },
    );
    return listView<Row>({
      data: { recognisers: kindsOf('recogniser'), writers: kindsOf('writer'), models, models_folder: folder },
      rows: [...kindRows('recogniser'), ...modelRows, ...kindRows('writer')],
      columns: [
        { title: 'Choice', value: ({ choice }) => choice, tone: () => 'strong' },
        { title: 'Part', value: ({ part }) => part },
        { title: 'State', value: ({ state }) => state, tone: ({ state }) => tones[state] ?? 'plain' },
        { title: 'Size', value: ({ size }) => size, align: 'right' },
        { title: 'Live', value: ({ live }) => (live === true ? 'yes' : live === false ? 'no' : ''), spare: 3 },
        { title: 'Languages', value: ({ languages }) => languages, spare: 1 },
        { title: 'Licence', value: ({ licence }) => licence, spare: 2 },
        { title: 'For', value: ({ meaning }) => meaning, cut: true },
      ],
      empty: 'There is no engine.',
    });
  },
});
