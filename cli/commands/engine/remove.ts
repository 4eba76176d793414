import { AppError } from '../../../src/contract/errors.ts';
import { choices, engineParts } from '../../../src/node/choices.ts';
import { defineCommand, flag, required } from '../../command.ts';
import type { Context } from '../../context.ts';
import { messageView } from '../../shell/view.ts';
import { engineCare, engineFiles, getModelIds } from './engine-files.ts';

export const command = defineCommand({
  description:
    'Removes the model and its downloads from the data directory. A model that the settings or the server on this computer use stays, unless you add --force.',
  arguments: { id: required('Id of the model: see laudio engine list', 'models') },
  options: { force: flag('Even if it is in use'), yes: flag('Do not ask', { short: 'y' }) },
  async run(context, { id, force, yes }) {
    const { recogniser } = choices(engineParts, context.settings, context.env);
    if (!force) await requireUnused(context, id, getModelIds(recogniser).includes(id));
    if (!yes && !(await context.ask.confirm(`Remove the model ${id}?`, '--yes'))) {
      throw new AppError('INTERRUPTED', { message: 'Nothing was removed.' });
    }
    const care = await engineCare();
    await care.removeModel(await care.modelsFolder(recogniser, engineFiles(context)), id);
    return messageView(`Removed ${id}.`, { id, removed: true });
  },
});

async function requireUnused({ operator, signal }: Context, id: string, isSet: boolean): Promise<void> {
  // No server runs, or an older version: then only the settings show which model is in use.
  const running: readonly string[] = await operator()
    .then(({ system }) => system.status({}, { signal, retries: 0 }))
    .then(({ data }) => data.models ?? [])
    .catch(() => []);
  const isRunning = running.includes(id);
  if (!isSet && !isRunning) return;
  throw new AppError('INVALID_TRANSITION', {
    message: `${isRunning ? 'The server on this computer uses' : 'The settings name'} the model ${id}.`,
    hint: 'Choose another recogniser first (laudio engine use --recogniser none), or remove it anyway with --force.',
  });
}
