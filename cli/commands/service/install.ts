import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { shellLine } from '../../../src/domain/shell-line.ts';
import { pause } from '../../../src/domain/pause.ts';
import { defineCommand, flag, list, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import type { ServiceFile } from '../../serving/service/managers.ts';
import { planService, serveWords } from '../../serving/service/plan-service.ts';
import { defaultAccount } from '../../serving/service/service.ts';
import type { Service } from '../../serving/service/service.ts';
import {
  findTarget,
  readOwnFile,
  requireRights,
  runAll,
  succeeds,
  targetOptions,
} from '../../serving/service/target.ts';
import type { Target } from '../../serving/service/target.ts';
import { printJson } from '../../shell/render.ts';
import { messageView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { serveOptions } from '../serve.ts';

export const command = defineCommand({
  description:
    'Writes the file by which the system starts “laudio serve” with these options, and starts it. As root it is the service of the whole computer: it runs under its own account with few rights, and keeps its data in /var/lib/laudio/data unless --data-dir is given. Files with secrets may belong to root alone: systemd passes their content to the service. With --user it is a service of your own. Repeat the command to change the options.',
  options: {
    ...targetOptions,
    print: flag('Print the file instead, and change nothing'),
    account: text(`Account that it runs as; default ${defaultAccount}, which systemd creates`, { placeholder: 'NAME' }),
    writable: list('Directory that channels read or write, such as an exchange folder; repeatable', {
      placeholder: 'DIR',
    }),
    ...serveOptions,
  },
  examples: [
    ['sudo laudio service install --public-url https://laudio.example.com --trust-proxy 127.0.0.1', 'behind a proxy'],
    ['sudo laudio service install --backup-to /backups/laudio --metrics-token-file /etc/laudio/monitor', ''],
    ['laudio service install --user', 'for this user, without root'],
    ['laudio service install --print --kind openrc', 'to look at it, or to adapt it'],
  ],
  async run(context, { print, account = defaultAccount, writable, user, kind, root, ...input }): Promise<View | void> {
    const choice = { user, kind, root };
    const target = await findTarget(context, choice);
    const platform = target.name === 'launchd' ? 'darwin' : 'linux';
    const service = planService(context, serveWords(serveOptions, input, context.cwd), {
      isUser: user,
      account,
      writable,
      platform,
    });
    const files = target.manager.files(service, target.scope);
    if (print) {
      if (context.io.output === 'json')
        return printJson(context.io, { files: files.map(({ path, text: content }) => ({ path, text: content })) });
      const main = files.filter(({ path }) => path === target.manager.path(target.scope));
      return context.io.out(main.map((file) => file.text).join(''));
    }
    requireRights(target, choice);
    await writeFiles(files, target);
    if (target.isHere) {
      if (!user) await prepareAccount(target, account);
      await runAll(target.manager.makeDirectories?.(service) ?? []);
      await endLoaded(context, target);
      await runAll(target.manager.start(target.scope));
    }
    return messageView(sentence(target, service), {
      file: target.file,
      kind: target.name,
      started: target.isHere,
      data_dir: service.data,
    });
  },
});

async function writeFiles(files: readonly ServiceFile[], target: Target): Promise<void> {
  const placed = files.map((file) => ({ ...file, path: target.place(file.path) }));
  // Before any is written.
  for (const { path } of placed) await readOwnFile(path);
  for (const { path, text: content, mode } of placed) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, { mode });
    // A file that was there keeps its rights, and the process may have a mask.
    await chmod(path, mode);
  }
}

/** CONFIGURATION if the account is missing and the manager cannot create it. */
async function prepareAccount({ manager, name }: Target, account: string): Promise<void> {
  if (account === defaultAccount) await runAll(manager.prepare);
  if (await succeeds(['id', account])) return;
  throw new AppError('CONFIGURATION', {
    message: `The file is written, but there is no account ${account}, as which the service would run.`,
    hint:
      name === 'openrc'
        ? `Create it with: adduser -S -D -H -h /var/lib/laudio ${account}, and repeat the command.`
        : 'Create it, or name another with --account, and repeat the command.',
  });
}

/** Ends a service that is loaded, where it cannot be started over that; it takes a moment after its command. */
async function endLoaded({ clock, signal }: Context, { manager, scope }: Target): Promise<void> {
  const isLoaded = async (): Promise<boolean> => manager.isLoaded !== undefined && succeeds(manager.isLoaded(scope));
  if (!(await isLoaded())) return;
  await runAll(manager.stop(scope));
  const end = clock.elapsed() + endingMs;
  while (clock.elapsed() < end && (await isLoaded())) await pause(clock, 200, signal);
}

/** Milliseconds: longer than the server may take to stop. */
const endingMs = 70_000;

function sentence({ file, isHere, manager, scope, name }: Target, service: Service): string {
  if (isHere)
    return `Wrote ${file}, and started the service. See laudio service status; its log: ${manager.log(scope)}.`;
  const commands = [
    ...(scope.isUser ? [] : manager.prepare),
    ...(manager.makeDirectories?.(service) ?? []),
    ...manager.start(scope),
  ];
  return `Wrote ${file}. ${name} isn’t running there, so nothing was started; later: ${commands.map(shellLine).join(' && ')}`;
}
