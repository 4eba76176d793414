import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand } from '../../command.ts';
import { signerOptions, userArgument, userDetail, userNamed } from '../../resources/user.ts';

export const command = defineCommand({
  description: 'Earlier signatures keep the previous values. An empty value removes the stored one.',
  arguments: userArgument,
  options: signerOptions,
  examples: [
    ['laudio user edit caio --role resident', 'signs preliminary reports, which an attending co-signs'],
    ["laudio user edit usr_… --licence 'CRM-SP 123456' --place 'São Paulo'", 'lines below each signature'],
  ],
  async run({ operator }, { user, role, licence, place }) {
    if (role === undefined && licence === undefined && place === undefined)
      throw new AppError('USAGE', { message: 'Name at least one change.', hint: 'Use --role, --licence or --place.' });
    const body = {
      ...(role !== undefined && { role: role === 'none' ? null : role }),
      ...(licence !== undefined && { licence: licence || null }),
      ...(place !== undefined && { place: place || null }),
    };
    const { users } = await operator();
    const { id } = await userNamed({ users }, user);
    return userDetail((await users.update({ params: { id }, body })).data);
  },
});
