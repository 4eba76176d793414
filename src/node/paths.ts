/** The places of Laudio's files, by the rules of each platform. */
import { isAbsolute, join } from 'node:path';
import { AppError } from '../contract/errors.ts';

export interface UserPaths {
  /** Directory of the user's choices: settings and profiles. */
  readonly config: string;
  /** Directory of this machine's state: tokens, locks, running servers. */
  readonly state: string;
  /** Directory of the embedded server's data. CONFIGURATION at the first use if it is unknown. */
  readonly data: string;
  /** Directory of data that can be recreated. CONFIGURATION at the first use if it is unknown. */
  readonly cache: string;
  /** State directory of the computer's service (cli/serving/service). `undefined`: none is asked, or there can be none. */
  readonly service?: string | undefined;
}

type Kind = Exclude<keyof UserPaths, 'service'>;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home directory, according to the system. */
  readonly home: string | undefined;
}

const name = 'laudio';

/** Overrides. The data directory has none here: it is a setting (settings.ts), whose default this is. */
const variables: Readonly<Partial<Record<Kind, string>>> = {
  config: 'LAUDIO_CONFIG_DIR',
  state: 'LAUDIO_STATE_DIR',
};

/**
 * CONFIGURATION when an override is not an absolute path, or when a required home is missing: tokens must never be
 * written to the current directory.
 */
export function userPaths(machine: Machine): UserPaths {
  const resolvePath = (kind: Kind): string => {
    const variable = variables[kind];
    const override = variable === undefined ? undefined : machine.env[variable];
    if (override === undefined || override === '') return standardPath(machine, kind);
    if (isAbsolute(override)) return override;
    throw new AppError('CONFIGURATION', { message: `${variable} must be an absolute path.` });
  };
  return {
    config: resolvePath('config'),
    state: resolvePath('state'),
    // A chosen state directory has all the servers that are meant.
    service: machine.env['LAUDIO_STATE_DIR'] ? undefined : systemDirectories(machine.platform)?.state,
    get data() {
      return resolvePath('data');
    },
    get cache() {
      return resolvePath('cache');
    },
  };
}

export interface SystemDirectories {
  readonly home: string;
  readonly data: string;
  readonly state: string;
  readonly config: string;
  readonly log: string;
}

/** The places of a service of the whole computer. `undefined`: the system has none. */
export function systemDirectories(platform: NodeJS.Platform): SystemDirectories | undefined {
  if (platform === 'win32') return undefined;
  const [home, config, log] =
    platform === 'darwin'
      ? ['/Library/Application Support/laudio', '/Library/Application Support/laudio/config', '/Library/Logs/laudio']
      : ['/var/lib/laudio', '/etc/laudio', '/var/log/laudio'];
  return { home, config, log, data: join(home, 'data'), state: join(home, 'state') };
}

/** XDG Base Directory Specification 0.8. */
const xdg: Readonly<Record<Kind, readonly [variable: string, ...fallback: string[]]>> = {
  config: ['XDG_CONFIG_HOME', '.config'],
  data: ['XDG_DATA_HOME', '.local', 'share'],
  state: ['XDG_STATE_HOME', '.local', 'state'],
  cache: ['XDG_CACHE_HOME', '.cache'],
};

function standardPath(machine: Machine, kind: Kind): string {
  const { platform, env } = machine;
  const inHome = (...steps: string[]): string => join(resolveHome(machine), ...steps);
  // A relative path in any of these variables is invalid and ignored.
  const given = (variable: string): string | undefined => {
    const value = env[variable];
    return value !== undefined && isAbsolute(value) ? value : undefined;
  };
  if (platform === 'darwin') {
    return kind === 'cache' ? inHome('Library', 'Caches', name) : inHome('Library', 'Application Support', name, kind);
  }
  if (platform === 'win32') {
    return kind === 'config'
      ? join(given('APPDATA') ?? inHome('AppData', 'Roaming'), name)
      : join(given('LOCALAPPDATA') ?? inHome('AppData', 'Local'), name, kind);
  }
  const [variable, ...fallback] = xdg[kind];
  return join(given(variable) ?? inHome(...fallback), name);
}

function resolveHome({ platform, home }: Machine): string {
  if (home !== undefined && isAbsolute(home)) return home;
  const variable = platform === 'win32' ? 'USERPROFILE' : 'HOME';
  throw new AppError('CONFIGURATION', {
    message: home
      ? `${variable} must be an absolute path.`
      : 'There is no home directory to keep settings and logins in.',
    hint: `Set ${variable} to your home directory; or LAUDIO_CONFIG_DIR and LAUDIO_STATE_DIR, and LAUDIO_DATA_DIR for the server, to directories of your own.`,
  });
}

/** In the state directory: logins that wait for revocation. Absent if there are none. */
export const revocationsFile = 'revocations.json';
