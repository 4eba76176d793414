import { choices, engineParts } from '../../../src/node/choices.ts';
import { defineCommand } from '../../command.ts';
import { listView } from '../../shell/view.ts';
import type { Tone } from '../../shell/view.ts';
import { engineCare, engineFiles, getModelIds, sizeWords } from './engine-files.ts';

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

/** Why an engine is in use. */
const reasons = {
  set: 'chosen in the settings',
  installed: 'it is installed and the settings name no other',
  nothing_set: 'the settings name no other',
} as const;

/** The next step for a model that is not in use. */
const remedies = {
  installed: (id: string) => `laudio engine use --recogniser local:${id}`,
  damaged: (id: string) => `damaged: laudio engine pull ${id}`,
  available: (id: string) => `laudio engine pull ${id}`,
} as const;

const untriedRemedy = (id: string): string =>
  `untried with Laudio: laudio engine pull ${id} --from ADDRESS|FOLDER|FILE --sha256 HEX`;

export const command = defineCommand({
  description:
    'Lists the kinds of recognisers and writers, and the speech models: those in the data directory, and those that `laudio engine pull` can download, with their size, languages and licence. The first column shows the values of `laudio serve --recogniser` and `--writer`.',
  examples: [['laudio engine list --jq ".models[] | select(.state == \\"installed\\").id"', 'installed models']],
  async run(context) {
    const set = choices(engineParts, context.settings, context.env);
    const { engineKinds, listModels, modelsFolder, findDefaultChoice } = await engineCare();
    const defaultChoice = set.recogniser ? undefined : await findDefaultChoice(engineFiles(context));
    const recogniser = set.recogniser ?? { use: defaultChoice?.use ?? 'none' };
    const used = { recogniser: recogniser.use, writer: set.writer?.use ?? 'rules' };
    const why = {
      recogniser: set.recogniser ? 'set' : getModelIds(recogniser).length === 0 ? 'nothing_set' : 'installed',
      writer: set.writer ? 'set' : 'nothing_set',
    } as const;
    const folder = await modelsFolder(set.recogniser, engineFiles(context));
    const ids = getModelIds(recogniser);
    const models = (await listModels(folder)).map((each) => ({ ...each, used: ids.includes(each.id) }));
    const kindsOf = (part: Row['part']) =>
      Object.entries(engineKinds[part]).map(([use, meaning]) => ({
        use,
        used: used[part].split(':')[0] === use,
        meaning,
      }));
    const kindRows = (part: Row['part']): Row[] =>
      kindsOf(part).map(({ use, used: isUsed, meaning }) => ({
        part,
        choice: use,
        state: isUsed ? 'used' : '',
        meaning: isUsed && why[part] !== 'installed' ? `${meaning} (${reasons[why[part]]})` : meaning,
      }));
    const modelRows = models.map(
      ({ id, state, live, languages, licence, bytes, archive_bytes: archive, used: isUsed, untried }): Row => {
        const size = state === 'available' ? archive : bytes;
        return {
          part: 'recogniser',
          choice: `local:${id}`,
          state: isUsed && state === 'installed' ? 'used' : state,
          ...(size !== null && { size: sizeWords(size) }),
          live,
          languages: languages.join(' '),
          licence,
          meaning:
            isUsed && state === 'installed'
              ? `in use: ${reasons[why.recogniser]}`
              : state === 'available' && untried
                ? untriedRemedy(id)
                : remedies[state](id),
        };
      },
    );
    return listView<Row>({
      data: {
        in_use: { recogniser: used.recogniser, because: why.recogniser, writer: used.writer },
        problems: defaultChoice?.problems ?? [],
        recognisers: kindsOf('recogniser'),
        writers: kindsOf('writer'),
        models,
        models_folder: folder,
      },
      rows: [...kindRows('recogniser'), ...modelRows, ...kindRows('writer')],
      columns: [
        { title: 'Choice', value: ({ choice }) => choice, tone: () => 'strong' },
        { title: 'Part', value: ({ part }) => part, spare: 4 },
        { title: 'State', value: ({ state }) => state, tone: ({ state }) => tones[state] ?? 'plain' },
        { title: 'Size', value: ({ size }) => size, align: 'right' },
        { title: 'Live', value: ({ live }) => (live === true ? 'yes' : live === false ? 'at pauses' : ''), spare: 3 },
        { title: 'Languages', value: ({ languages }) => languages, spare: 1 },
        { title: 'Licence', value: ({ licence }) => licence, spare: 2 },
        { title: 'For', value: ({ meaning }) => meaning, fold: true },
      ],
      empty: 'There is no engine.',
      ...(defaultChoice &&
        defaultChoice.problems.length > 0 && {
          note: defaultChoice.problems.map(({ message, hint }) => `${message} ${hint}`).join('\n'),
        }),
    });
  },
});
