/** Where Laudio keeps its files, by the rules of each platform. */
import { isAbsolute, join } from 'node:path';
import { AppError } from '../contract/errors.ts';

export interface UserPaths {
  /** Directory of the user's choices: settings and profiles. */
  readonly config: string;
  /** Directory of the embedded server's data. */
  readonly data: string;
  /** Directory of this machine's state: tokens, locks, running servers. */
  readonly state: string;
}

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory. */
  readonly home: string;
}

const name = 'laudio';

/** Overrides. The data directory has none here: it is a setting (settings.ts), of which this is the default. */
const variables = { config: 'LAUDIO_CONFIG_DIR', state: 'LAUDIO_STATE_DIR' } as const;

/** CONFIGURATION when an override is not an absolute path. */
export function userPaths(machine: Machine): UserPaths {
  const standard = standardPaths(machine);
  const pathFor = (kind: keyof typeof variables): string => {
    const override = machine.env[variables[kind]];
    if (override === undefined || override === '') return standard[kind];
    if (isAbsolute(override)) return override;
    throw new AppError('CONFIGURATION', { message: `${variables[kind]} must be an absolute path.` });
  };
  return { config: pathFor('config'), data: standard.data, state: pathFor('state') };
}

function standardPaths({ platform, env, home }: Machine): UserPaths {
  if (platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support', name);
    return { config: join(support, 'config'), data: join(support, 'data'), state: join(support, 'state') };
  }
  if (platform === 'win32') {
    const roaming = env['APPDATA'] || join(home, 'AppData', 'Roaming');
    const local = env['LOCALAPPDATA'] || join(home, 'AppData', 'Local');
    return { config: join(roaming, name), data: join(local, name, 'data'), state: join(local, name, 'state') };
  }
  // XDG Base Directory Specification 0.8: a relative path in these variables is invalid and ignored.
  const xdg = (variable: string, ...fallback: string[]): string => {
    const value = env[variable];
    return join(value !== undefined && isAbsolute(value) ? value : join(home, ...fallback), name);
  };
  return {
    config: xdg('XDG_CONFIG_HOME', '.config'),
    data: xdg('XDG_DATA_HOME', '.local', 'share'),
    state: xdg('XDG_STATE_HOME', '.local', 'state'),
  };
}

/** In the state directory: logins that are yet to be revoked. Absent where none is. */
export const revocationsFile = 'revocations.json';
