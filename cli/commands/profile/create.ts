import { AppError } from '../../../src/contract/errors.ts';
import { createProfiles } from '../../../src/node/login/profiles.ts';
import { defineCommand, required } from '../../command.ts';
import type { Context } from '../../context.ts';
import { withSettings } from '../../shell/choose-setting.ts';
import { command as login } from '../login.ts';

export const command = defineCommand({
  description:
    'A profile is a login with a name of its own: at another server, of another client or user. This logs in as laudio login does, and takes its options; commands use the new profile from then on.',
  arguments: { name: required('Name of the new profile') },
  options: login.options!,
  examples: [
    ['laudio profile create hospital --server https://api.example.com --client-id lc_…', 'asks for the client secret'],
  ],
  async run(context, { name, ...input }) {
    const { paths, clock } = context;
    if (await createProfiles(paths.config, clock).get(name)) {
      throw new AppError('VERSION_CONFLICT', {
        message: `There is a profile "${name}" already.`,
        hint: `Log in anew with "laudio login --profile ${name}", or delete it first.`,
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
