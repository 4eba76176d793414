/** A setting that a command also takes as an option of its own. */
import { settingValue } from '../src/node/settings.ts';
import type { SettingName, Settings } from '../src/node/settings.ts';
import type { Context } from './context.ts';

/** As said to the command, or as set. CONFIGURATION where what was said is not usable. */
export const chosen = <N extends SettingName>({ settings, cwd }: Context, name: N, said: unknown): Settings[N] =>
  said === undefined ? settings[name] : settingValue(name, said, cwd);
