import { createProfiles } from '../../../src/node/login/profiles.ts';
import { defineCommand, required } from '../../command.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  arguments: { name: required('Name of the login', 'profiles') },
  async run({ paths, clock, origins, io }, { name }) {
    await createProfiles(paths.config, clock).use(name);
    const { from, name: where } = origins.profile;
    if (from !== 'default' && from !== 'flag')
      io.notice(`${where} names a profile, and takes precedence over this choice.`, 'warn');
    return messageView(`Commands now use ${name}.`, { name });
  },
});
