/** A setting that a command also takes as an option of its own. */
import { settingValue } from '../../src/node/settings.ts';
import type { SettingName, Settings } from '../../src/node/settings.ts';
import type { Context } from '../context.ts';

/** The value of the command's option, else of the setting. CONFIGURATION where the option's value is not usable. */
export const chosen = <N extends SettingName>({ settings, cwd }: Context, name: N, said: unknown): Settings[N] =>
  said === undefined ? settings[name] : settingValue(name, said, cwd);
