import { AppError } from '../../../src/contract/errors.ts';
import { createProfiles, noProfile } from '../../../src/node/login/profiles.ts';
import { defineCommand, flag, required } from '../../command.ts';
import { withSettings } from '../../shell/choose-setting.ts';
import { endLogin } from '../logout.ts';

export const command = defineCommand({
  description: 'Logs out of it, like laudio logout does for the current profile.',
  arguments: { name: required('Name of the login', 'profiles') },
  options: { yes: flag('Do not ask', { short: 'y' }) },
  async run(context, { name, yes }) {
    const { paths, clock, ask } = context;
    const { profiles } = await createProfiles(paths.config, clock).list();
    const profile = profiles.find((each) => each.name === name);
    if (!profile) throw noProfile(name, profiles);
    if (!yes && !(await ask.confirm(`Log out of ${profile.server} as ${name}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was deleted.' });
    }
    return endLogin(context, withSettings(await context.deps(), { profile: name, server: undefined }));
  },
});
