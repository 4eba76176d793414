import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand, required } from '../../command.ts';
import { printJson } from '../../shell/render.ts';
import { oneSetting, settingText } from '../../resources/setting.ts';
import { settingNames } from '../../../src/node/settings.ts';

export const command = defineCommand({
  description: 'Prints only the value. Ends with 3 if the setting is not set.',
  arguments: { name: required('Name of the setting', settingNames) },
  async run(context, { name }) {
    const setting = oneSetting(context, name);
    if (setting.value === null) throw new AppError('NOT_FOUND', { message: `${setting.name} is not set.` });
    const { io } = context;
    return io.output === 'json' ? printJson(io, setting) : io.out(`${settingText(setting.value)}\n`);
  },
});
