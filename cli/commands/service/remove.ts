import { rm } from 'node:fs/promises';
import { AppError } from '../../../src/contract/errors.ts';
import { defineCommand } from '../../command.ts';
import { findTarget, readOwnFile, requireRights, runAll, targetOptions } from '../../serving/service/target.ts';
import { messageView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Stops the service and removes its file. Data, settings, logs and the account stay.',
  options: targetOptions,
  examples: [['sudo laudio service remove', '']],
  async run(context, choice): Promise<View> {
    const target = await findTarget(context, choice);
    const { manager, scope, file, isHere } = target;
    requireRights(target, choice);
    if ((await readOwnFile(file)) === undefined)
      throw new AppError('NOT_FOUND', { message: `No service is installed: there is no ${file}.` });
    if (isHere) await runAll(manager.stop(scope));
    await rm(file);
    if (isHere) await runAll(manager.forget(scope));
    return messageView(`Removed ${file}. The data stays.`, { removed: file });
  },
});
