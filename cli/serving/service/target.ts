/** Finds the manager of this computer, and acts on it. */
import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '../../../src/contract/errors.ts';
import { choice, flag, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { managerNames, managers } from './managers.ts';
import type { CommandWords, Manager, ManagerName, Scope } from './managers.ts';
import { mark } from './service.ts';

export const targetOptions = {
  user: flag('The service of this user alone'),
  kind: choice(managerNames, 'Manager of services; default: that of this computer'),
  root: text('Directory of another system, such as an image: write below it, and start nothing', {
    placeholder: 'DIR',
  }),
};

export interface TargetChoice {
  readonly user: boolean;
  readonly kind: ManagerName | undefined;
  readonly root: string | undefined;
}

export interface Target {
  readonly name: ManagerName;
  readonly manager: Manager;
  readonly scope: Scope;
  /** Path of the service's file. */
  readonly file: string;
  /** Whether the manager runs this computer, so that it can be asked. */
  readonly isHere: boolean;
  /** A path of the service, on the system that is written to. */
  place(path: string): string;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** CONFIGURATION if no manager is known. */
export async function findTarget({ platform, env }: Context, chosen: TargetChoice): Promise<Target> {
  const { user: isUser, root } = chosen;
  const running = await Promise.all(
    managerNames.map(async (each) => ((await exists(managers[each].sign)) ? each : undefined)),
  );
  const name = chosen.kind ?? running.find((each) => each !== undefined) ?? defaultManagers[platform];
  if (name === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'This system has no manager of services that Laudio knows.',
      hint: `It knows ${managerNames.join(', ')}: choose one with --kind, or start "laudio serve" by the system’s own means.`,
    });
  }
  const manager: Manager = managers[name];
  if (isUser && !manager.isForUsers)
    throw new AppError('USAGE', { message: `${name} has no services of a user.`, hint: 'Leave out --user.' });
  const scope = { isUser, home: env['HOME'] ?? homedir(), uid: userInfo().uid };
  const place = (path: string): string => (root === undefined ? path : join(root, path));
  return {
    name,
    manager,
    scope,
    file: place(manager.path(scope)),
    isHere: root === undefined && running.includes(name),
    place,
  };
}

/** The manager of a system that isn't running, such as in a container. */
const defaultManagers: Readonly<Partial<Record<NodeJS.Platform, ManagerName>>> = {
  linux: 'systemd',
  darwin: 'launchd',
};

/** FORBIDDEN without the rights to change the service. */
export function requireRights(target: Target, { root }: TargetChoice): void {
  if (target.scope.isUser || root !== undefined || target.scope.uid === 0) return;
  throw new AppError('FORBIDDEN', {
    message: 'The service of the whole computer is changed by root alone.',
    hint: 'Repeat the command with sudo, or add --user for a service of your own.',
  });
}

/** Text of the service's file; `undefined`: there is none. FORBIDDEN if Laudio did not write it. */
export async function readOwnFile(path: string): Promise<string | undefined> {
  if (!(await exists(path))) return undefined;
  const content = await readFile(path, 'utf8');
  if (content.includes(mark)) return content;
  throw new AppError('FORBIDDEN', {
    message: `${path} was written by somebody else, and stays as it is.`,
    hint: 'Move it away first, or use --print and merge by hand.',
  });
}

const execute = promisify(execFile);

/** CONFIGURATION with the program's own words if it fails. */
export async function runAll(commands: readonly CommandWords[]): Promise<void> {
  for (const [program, ...words] of commands) {
    await execute(program, words).catch((error: unknown) => {
      const { stderr = '' } = error as { stderr?: string };
      throw new AppError('CONFIGURATION', {
        message: `${[program, ...words].join(' ')} failed${stderr.trim() === '' ? '' : `: ${stderr.trim()}`}.`.replace(
          /\.\.$/,
          '.',
        ),
        cause: error,
      });
    });
  }
}

export const succeeds = ([program, ...words]: CommandWords): Promise<boolean> =>
  execute(program, words).then(
    () => true,
    () => false,
  );
