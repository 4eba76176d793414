import { AppError } from '../../../src/contract/errors.ts';
import { choices } from '../../../src/node/choices.ts';
import { chosen } from '../../chosen.ts';
import { command, text } from '../../command.ts';
import { render } from '../../render.ts';
import { listView } from '../../view.ts';
import type { Tone } from '../../view.ts';

const tones: Readonly<Record<string, Tone>> = { works: 'good', partly: 'warn', fails: 'bad', untried: 'faint' };

export const test = command({
  description:
    'Tries what makes documents of text, as `laudio serve` would use it with the same settings: whether its server answers, takes the key in LAUDIO_WRITER_KEY, has the model, answers in time and in the right form, and proposes what is allowed. Only sentences that nobody dictated are sent. Ends with 0 where documents can be written with it, else with 8.',
  options: { writer: text('The writer; default: as set, else rules', { placeholder: 'CHOICE' }) },
  examples: [
    ['laudio engine test --writer "openai:qwen3:8b url=http://127.0.0.1:11434/v1"', 'a model on this computer'],
    ['LAUDIO_WRITER_KEY=$(cat key) laudio engine test --json', 'what is set, for a program'],
  ],
  async run(context, { writer: said }) {
    const { io, signal } = context;
    const { writer = { use: 'rules' } } = choices(['writer'], { writer: chosen(context, 'writer', said) }, context.env);
    const { tryWriter } = await import('../../../server/index.ts');
    const tried = await io.progress('Trying', () => tryWriter(writer, signal));
    await render(
      io,
      listView({
        data: { writer: tried.name, works: !fails(tried.trials), trials: tried.trials },
        rows: tried.trials,
        columns: [
          { title: 'What', value: ({ what }) => what, tone: () => 'strong' },
          { title: 'Result', value: ({ result }) => result, tone: ({ result }) => tones[result]! },
          { title: 'ms', value: ({ ms }) => ms, align: 'right', spare: 1 },
          { title: 'Meaning', value: ({ message }) => message, cut: true },
          { title: 'What to do', value: ({ hint }) => hint, cut: true },
        ],
        empty: 'There is nothing to try.',
      }),
    );
    const failed = tried.trials.find(({ result }) => result === 'fails');
    if (failed) {
      throw new AppError('ENGINE_UNAVAILABLE', {
        message: `The writer ${tried.name} does not work: ${failed.message}`,
        ...(failed.hint !== undefined && { hint: failed.hint }),
      });
    }
  },
});

const fails = (trials: readonly { readonly result: string }[]): boolean =>
  trials.some(({ result }) => result === 'fails');
