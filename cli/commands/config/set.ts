import { AppError } from '../../../src/contract/errors.ts';
import { lostFile } from '../../../src/node/settings-text.ts';
import { settingNames, storedSetting } from '../../../src/node/settings.ts';
import { changeUserSettings } from '../../../src/node/user-settings.ts';
import { defineCommand, flag, optional, required } from '../../command.ts';
import { oneSetting, settingNamed } from '../../resources/setting.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Writes the setting to config.json of this user and keeps everything else there. An invalid value changes nothing.',
  arguments: { name: required('Name of the setting', settingNames), value: optional('Its value') },
  options: { unset: flag('Remove the setting from the file') },
  examples: [
    ['laudio config set timeout 30', 'wait 30 seconds for a server'],
    ['laudio config set timeout --unset', 'restore the default'],
  ],
  mends: true,
  async run(context, { name: word, value, unset }) {
    const name = settingNamed(word);
    if ((value === undefined) !== unset) throw new AppError('USAGE', { message: 'Give either a value or --unset.' });
    const { paths, clock, cwd, io } = context;
    const stored = value === undefined ? undefined : storedSetting(name, value, cwd);
    const saved = await changeUserSettings({ config: paths.config, clock }, { [name]: stored });
    if (context.lost !== undefined) io.notice(`Its other settings are lost: ${lostFile(context.lost).message}`, 'warn');
    const { origin } = oneSetting(context, name);
    if (origin.from === 'environment' || origin.from === 'project')
      io.notice(`${origin.name} also sets ${name}, and takes precedence over your file.`, 'warn');
    return messageView(value === undefined ? `${name} is no longer in ${saved}.` : `Set ${name} in ${saved}.`, {
      name,
      value: stored ?? null,
      saved,
    });
  },
});
