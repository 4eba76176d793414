import { AppError } from '../../../src/contract/errors.ts';
import { command, required } from '../../command.ts';
import { signerOptions, userDetail } from '../../resources/user.ts';

export const edit = command({
  description: 'Earlier signatures keep the former values. An empty value removes the stored value.',
  arguments: { id: required('Id of the user (usr_…)') },
  options: signerOptions,
  examples: [
    ["laudio user edit usr_… --licence 'CRM-SP 123456' --place 'São Paulo'", 'what stands under each signature'],
  ],
  async run(context, { id, licence, place }) {
    if (licence === undefined && place === undefined)
      throw new AppError('USAGE', { message: 'Name at least one change.', hint: 'Use --licence or --place.' });
    const body = {
      ...(licence !== undefined && { licence: licence || null }),
      ...(place !== undefined && { place: place || null }),
    };
    return userDetail((await (await context.operator()).users.update({ params: { id }, body })).data);
  },
});
