import { AppError } from '../../../src/contract/errors.ts';
import { systemDirectories } from '../../../src/node/paths.ts';
import { readServer } from '../../../src/node/running-server.ts';
import { isRunning } from '../../../src/node/files/processes.ts';
import { defineCommand } from '../../command.ts';
import { findTarget, readOwnFile, succeeds, targetOptions } from '../../serving/service/target.ts';
import { render } from '../../shell/render.ts';
import { detailView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Shows whether the service is installed and runs. Ends with 3 if it isn’t installed, and with 8 if it doesn’t run.',
  options: targetOptions,
  examples: [['laudio service status', '']],
  async run(context, choice) {
    const target = await findTarget(context, choice);
    const { manager, scope, file, isHere, name } = target;
    const installed = (await readOwnFile(file)) !== undefined;
    const running = installed && isHere && (await succeeds(manager.ask(scope)));
    const data =
      context.settings.data_dir ?? ((!choice.user && systemDirectories(context.platform)?.data) || context.paths.data);
    // Only root and the account of the service can read it.
    const server = running ? await readServer(data).catch(() => undefined) : undefined;
    const url = server && isRunning(server.pid) ? server.url : undefined;
    await render(
      context.io,
      detailView({
        data: { kind: name, file, installed, running, data_dir: data, ...(url !== undefined && { url }) },
        fields: [
          ['Kind', name],
          ['File', file],
          ['Installed', installed ? 'yes' : 'no', installed ? 'good' : 'bad'],
          ['Running', running ? 'yes' : 'no', running ? 'good' : 'bad'],
          ['Address', url],
          ['Log', installed ? manager.log(scope) : undefined],
        ],
      }),
    );
    if (!installed) {
      throw new AppError('NOT_FOUND', {
        message: 'No service is installed.',
        hint: 'Install one with: laudio service install',
      });
    }
    if (!running) {
      throw new AppError('NETWORK', {
        message: 'The service doesn’t run.',
        hint: isHere ? `See ${manager.log(scope)}.` : `${name} doesn’t run on this system.`,
      });
    }
  },
});
