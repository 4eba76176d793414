import { AppError } from '../../../src/contract/errors.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { chooseSetting } from '../../shell/choose-setting.ts';
import { defineCommand, text } from '../../command.ts';
import { engineCare, engineFiles } from './engine-files.ts';
import { render } from '../../shell/render.ts';
import { listView } from '../../shell/view.ts';
import { findElement } from '../../../src/domain/elements.ts';

type Part = (typeof engineParts)[number];

const tones = { works: 'good', partly: 'warn', fails: 'bad', untried: 'faint' } as const;

export const command = defineCommand({
  description:
    'Tests the recogniser, if one is configured, and the writer, as `laudio serve` would use them with the same settings: whether each server answers, accepts the key in LAUDIO_RECOGNISER_KEY or LAUDIO_WRITER_KEY, has the model, and answers in time and in the right form; which details a recogniser gives about words, and whether it invents words in silence; whether a writer proposes only what is allowed. It sends only a synthetic sentence and made-up text. With one option, only that part is tested. Ends with 0 if everything works, otherwise with 8.',
  options: {
    recogniser: text('The recogniser; default: the configured one, if any', { placeholder: 'CHOICE' }),
    writer: text('The writer; default: the configured one, otherwise rules', { placeholder: 'CHOICE' }),
  },
  examples: [
    [
      'laudio engine test --recogniser "openai:whisper-1 url=http://127.0.0.1:8000/v1"',
      'a speech model on this computer',
    ],
    [
      'laudio engine test --writer "openai:qwen3:8b url=http://127.0.0.1:11434/v1"',
      'a language model on this computer',
    ],
    ['LAUDIO_WRITER_KEY=$(cat key) laudio engine test --json', 'the configured engines, as JSON'],
  ],
  async run(context, said) {
    const { io, signal } = context;
    const set = {
      recogniser: chooseSetting(context, 'recogniser', said.recogniser),
      writer: chooseSetting(context, 'writer', said.writer) ?? { use: 'rules' },
    };
    const isAsked = (part: Part): boolean =>
      said[part] !== undefined || engineParts.every((each) => said[each] === undefined);
    const care = await engineCare();
    const place = engineFiles(context);
    const tried = [];
    for (const [part, choice] of Object.entries(choices(engineParts, set, context.env)) as [Part, Choice][]) {
      if (!isAsked(part) || (part === 'recogniser' && choice.use === 'none')) continue;
      const { name, trials } = await io.progress(`Testing the ${part}`, () =>
        care.tryChosenEngine(part, choice, place, signal),
      );
      tried.push({ part, name, works: trials.every(({ result }) => result !== 'fails'), trials });
    }
    const rows = tried.flatMap(({ part, trials }) => trials.map((trial) => ({ part, ...trial })));
    await render(
      io,
      listView({
        data: {
          works: tried.every(({ works }) => works),
          ...Object.fromEntries(tried.map(({ part, ...rest }) => [part, rest])),
        },
        rows,
        columns: [
          { title: 'Engine', value: ({ part }) => part },
          { title: 'What', value: ({ what }) => what, tone: () => 'strong' },
          { title: 'Result', value: ({ result }) => result, tone: ({ result }) => tones[result] },
          { title: 'ms', value: ({ ms }) => ms, align: 'right', spare: 1 },
          { title: 'Meaning', value: ({ message }) => message, cut: true },
          { title: 'What to do', value: ({ hint }) => hint, cut: true },
        ],
        empty: 'There is nothing to test.',
      }),
    );
    const failed = rows.find(({ result }) => result === 'fails');
    if (failed) {
      const { part, message, hint } = failed;
      throw new AppError('ENGINE_UNAVAILABLE', {
        message: `The ${part} ${findElement(tried, (each) => each.part === part).name} does not work: ${message}`,
        ...(hint !== undefined && { hint }),
      });
    }
  },
});
