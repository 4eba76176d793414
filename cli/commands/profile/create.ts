import { AppError } from '../../../src/contract/errors.ts';
import { createProfiles } from '../../../src/node/login/profiles.ts';
import { defineCommand, required } from '../../command.ts';
import type { Context } from '../../context.ts';
import { withSettings } from '../../shell/choose-setting.ts';
import { command as login, loginOptions } from '../login.ts';

export const command = defineCommand({
  description:
    'A profile is a named login: at another server, or of another client or user. Logs in like laudio login, with the same options; commands then use the new profile.',
  arguments: { name: required('Name of the new profile') },
  options: loginOptions,
  examples: [
    ['laudio profile create hospital --server https://api.example.com --client-id lc_…', 'asks for the client secret'],
  ],
  async run(context, { name, ...input }) {
    const { paths, clock } = context;
    if (await createProfiles(paths.config, clock).get(name)) {
      throw new AppError('VERSION_CONFLICT', {
        message: `There is a profile "${name}" already.`,
        hint: `Log in again with "laudio login --profile ${name}", or delete it first.`,
      });
    }
    return login.run(ofProfile(context, name), input);
  },
});

const ofProfile = (context: Context, profile: string): Context => ({
  ...context,
  settings: { ...context.settings, profile },
  deps: async () => withSettings(await context.deps(), { profile }),
});
