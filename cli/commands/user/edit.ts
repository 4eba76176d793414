import { AppError } from '../../../src/contract/errors.ts';
import { command, required } from '../../command.ts';
import { signerOptions, userDetail } from '../../resources/user.ts';

export const edit = command({
  description: 'What the user signed before stays as it was signed. An empty value removes what there was.',
  arguments: { id: required('Id of the user (usr_…)') },
  options: signerOptions,
  examples: [
    ["laudio user edit usr_… --licence 'CRM-SP 123456' --place 'São Paulo'", 'what stands under each signature'],
  ],
  async run(context, { id, licence, place }) {
    if (licence === undefined && place === undefined)
      throw new AppError('USAGE', { message: 'Nothing to change was given.', hint: 'Use --licence or --place.' });
    const body = {
      ...(licence !== undefined && { licence: licence || null }),
      ...(place !== undefined && { place: place || null }),
    };
    return userDetail((await (await context.operator()).users.update({ params: { id }, body })).data);
  },
});
