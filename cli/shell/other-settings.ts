/** The dependencies of logins with other values of some settings, for this command alone. */
import type { SessionsDeps } from '../../src/node/login/session.ts';
import type { Settings } from '../../src/node/settings.ts';

export const withSettings = (deps: SessionsDeps, changes: Partial<Settings>): SessionsDeps => ({
  ...deps,
  settings: { ...deps.settings, values: { ...deps.settings.values, ...changes } },
});
