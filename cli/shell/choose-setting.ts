/** Settings that a command also accepts as options. */
import { settingValue } from '../../src/node/settings.ts';
import type { SettingName, Settings } from '../../src/node/settings.ts';
import type { Context } from '../context.ts';
import type { SessionsDeps } from '../../src/node/login/session.ts';

/** The value of the command's option, otherwise of the setting. CONFIGURATION if the option's value is invalid. */
export const chooseSetting = <N extends SettingName>({ settings, cwd }: Context, name: N, said: unknown): Settings[N] =>
  said === undefined ? settings[name] : settingValue(name, said, cwd);

/** The dependencies of logins with other values of some settings, for this command alone. */
export const withSettings = (deps: SessionsDeps, changes: Partial<Settings>): SessionsDeps => ({
  ...deps,
  settings: { ...deps.settings, values: { ...deps.settings.values, ...changes } },
});
