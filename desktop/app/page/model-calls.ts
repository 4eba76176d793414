/** The calls for the speech models of this computer: everyone logged in sees them, the operator changes them. */
import type { LocalServer } from '../device/local-server.ts';
import type { Models } from '../device/models.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { HandlersOf } from '../service.ts';

export interface ModelCallDeps {
  readonly local: Pick<LocalServer, 'checkCode'>;
  readonly models: Models;
}

/** `requireLogin` rejects if nobody is logged in. */
export function modelHandlers(
  { local, models }: ModelCallDeps,
  requireLogin: () => Promise<unknown>,
): HandlersOf<'models'> {
  const change =
    (what: 'install' | 'cancel' | 'remove' | 'use') =>
    async ({ id, code }: CallInput<'models.install'>) => {
      await requireLogin();
      local.checkCode(code);
      await (await models.offer())[what](id);
      return {};
    };
  return {
    async 'models.state'() {
      await requireLogin();
      return models.state();
    },
    'models.install': change('install'),
    'models.cancel': change('cancel'),
    'models.remove': change('remove'),
    'models.use': change('use'),
  };
}
