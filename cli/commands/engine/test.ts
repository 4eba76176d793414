import { AppError } from '../../../src/contract/errors.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { chooseSetting } from '../../shell/choose-setting.ts';
import { defineCommand, text } from '../../command.ts';
import { engineCare, engineFiles } from './engine-files.ts';
import { render } from '../../shell/render.ts';
import { listView } from '../../shell/view.ts';
import type { Tone } from '../../shell/view.ts';
import { findElement } from '../../../src/domain/elements.ts';

type Part = (typeof engineParts)[number];

const tones: Readonly<Record<string, Tone>> = { works: 'good', partly: 'warn', fails: 'bad', untried: 'faint' };

export const command = defineCommand({
  description:
    'Tries what makes text of sound, where something is set for it, and what makes documents of text, as `laudio serve` would use both with the same settings: whether the server of each answers, takes the key in LAUDIO_RECOGNISER_KEY or LAUDIO_WRITER_KEY, has the model, answers in time and in the right form; what a recogniser tells of words, and whether it makes words up over silence; whether a writer proposes what is allowed. Only a sentence said by a program and sentences that nobody dictated are sent. With one option only that part is tried. Ends with 0 where all of it can be used, else with 8.',
  options: {
    recogniser: text('The recogniser; default: as set, if any is', { placeholder: 'CHOICE' }),
    writer: text('The writer; default: as set, else rules', { placeholder: 'CHOICE' }),
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
    ['LAUDIO_WRITER_KEY=$(cat key) laudio engine test --json', 'what is set, for a program'],
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
      const { name, trials } = await io.progress(`Trying the ${part}`, () =>
        care.tryEngineOf(part, choice, place, signal),
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
          { title: 'Result', value: ({ result }) => result, tone: ({ result }) => tones[result]! },
          { title: 'ms', value: ({ ms }) => ms, align: 'right', spare: 1 },
          { title: 'Meaning', value: ({ message }) => message, cut: true },
          { title: 'What to do', value: ({ hint }) => hint, cut: true },
        ],
        empty: 'There is nothing to try.',
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
