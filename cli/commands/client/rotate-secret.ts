import { AppError } from '../../../src/contract/errors.ts';
import { durationForm, durationMs } from '../../../src/domain/duration.ts';
import { command, required, text } from '../../command.ts';
import { clientDetail } from '../../resources/client.ts';

export const rotateSecret = command({
  description: 'The new secret is shown once. Tokens that the application holds stay valid.',
  arguments: { id: required('Id of the partner application') },
  options: {
    keepOld: text('How long the old secret works beside the new one, at most 7d; default: it ends at once', {
      placeholder: 'DURATION',
    }),
  },
  examples: [['laudio client rotate-secret lc_… --keep-old 24h', 'a day to bring the new secret to where it is used']],
  async run({ operator }, { id, keepOld }) {
    const kept = keepOld === undefined ? 0 : durationMs(keepOld);
    if (kept === undefined) throw new AppError('USAGE', { message: `--keep-old must be ${durationForm}.` });
    const query = { keep_old_seconds: kept / 1000 };
    return clientDetail((await (await operator()).clients.rotateSecret({ params: { id }, query })).data);
  },
});
