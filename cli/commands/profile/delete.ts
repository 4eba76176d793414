import { AppError } from '../../../src/contract/errors.ts';
import { createProfiles } from '../../../src/node/login/profiles.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { withSettings } from '../../shell/choose-setting.ts';
import { endLogin } from '../logout.ts';

export const command = defineCommand({
  description: 'Logs out of it, like laudio logout does for the current profile.',
  arguments: { name: required('Name of the login') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run(context, { name, yes }) {
    const { paths, clock, ask } = context;
    const profile = await createProfiles(paths.config, clock).get(name);
    if (!profile) throw new AppError('NOT_FOUND', { message: `There is no profile "${name}".` });
    if (!yes && !(await ask.confirm(`Log out of ${profile.server} as ${name}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was deleted.' });
    }
    return endLogin(context, withSettings(await context.deps(), { profile: name, server: undefined }));
  },
});
