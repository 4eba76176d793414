import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, text } from '../../command.ts';
import { signerOptions, userArgument, userDetail, userNamed } from '../../resources/user.ts';

export const command = defineCommand({
  description: 'Earlier signatures keep the previous values. An empty value removes the stored one.',
  arguments: userArgument,
  options: {
    ...signerOptions,
    providerSubject: text('Id (sub) of the account with which the user logs in at the login provider', {
      placeholder: 'ID',
    }),
  },
  examples: [
    ['laudio user edit caio --role resident', 'signs preliminary reports, which an attending co-signs'],
    ['laudio user edit caio --provider-subject f2c1b0a4-5d3e-4c11', 'logs in with that account of the hospital'],
    ["laudio user edit usr_… --licence 'CRM-SP 123456' --place 'São Paulo'", 'lines below each signature'],
  ],
  async run({ operator }, { user, role, licence, place, providerSubject }) {
    if ([role, licence, place, providerSubject].every((change) => change === undefined)) {
      throw new AppError('USAGE', {
        message: 'Name at least one change.',
        hint: 'Use --role, --licence, --place or --provider-subject.',
      });
    }
    const body = {
      ...(role !== undefined && { role: role === 'none' ? null : role }),
      ...(licence !== undefined && { licence: licence || null }),
      ...(place !== undefined && { place: place || null }),
      ...(providerSubject !== undefined && { provider_subject: providerSubject || null }),
    };
    const { users } = await operator();
    const { id } = await userNamed({ users }, user);
    return userDetail((await users.update({ params: { id }, body })).data);
  },
});
