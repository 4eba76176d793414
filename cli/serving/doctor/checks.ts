/** The checks of `laudio doctor`. They change nothing and print no secrets. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { readDiskSpace, findSpaceProblem } from '../../../src/node/disk-space.ts';
import { isMissing } from '../../../src/node/files/private-file.ts';
import { findServers } from '../../../src/node/running-server.ts';
import { lostFile } from '../../../src/node/settings-text.ts';
import { readSettingsFiles } from '../../../src/node/settings.ts';
import type { Context } from '../../context.ts';

/** `note`: nothing is wrong, but it may be surprising. */
export type State = 'ok' | 'note' | 'bad';

export interface CheckResult {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  /** The next step, if there is one. */
  readonly hint: string | null;
}

type Finding = Omit<CheckResult, 'check' | 'hint'> & { readonly hint?: string | undefined };

const ok = (message: string): Finding => ({ state: 'ok', message });
const note = (message: string, hint?: string): Finding => ({ state: 'note', message, hint });

/** Tolerated clock difference in seconds: webhook signatures allow minutes, people notice a minute. */
const clockTolerance = 60;

/** In the order of the output; the checks are independent. An AppError is a failed check. */
const checks: Readonly<Record<string, (context: Context) => Promise<Finding | readonly Finding[]>>> = {
  Program: async ({ version, platform }) =>
    ok(`laudio ${version}, Node.js ${process.versions.node}, ${platform} ${process.arch}`),

  async Settings({ misconfigured, lost, cwd, paths }) {
    if (misconfigured) throw misconfigured;
    if (lost !== undefined) throw lostFile(lost);
    const files = await readSettingsFiles(cwd, paths.config);
    return ok(files.length === 0 ? 'no file; defaults apply' : files.map(({ path }) => path).join(', '));
  },

  async Directories({ paths, settings }) {
    const directories = [paths.config, paths.state, settings.data_dir ?? paths.data];
    return Promise.all(directories.map(checkDirectory));
  },

  async Disk({ paths, settings }) {
    const servers = await findServers(paths.state);
    const directories = [settings.data_dir ?? paths.data, paths.state, ...servers.map(({ data_dir: path }) => path)];
    const found = await Promise.all([...new Set(directories)].map(checkDisk));
    const problems = found.filter((each) => each !== undefined);
    return problems.length > 0 ? problems : ok('has room');
  },

  async Keychain({ settings, deps }) {
    if (settings.credential_store === 'file')
      return note('not used: tokens are stored unencrypted, in a file that only you can read');
    await (await deps()).keychain.get('laudio doctor');
    return ok('answers');
  },

  async Proxy({ env }) {
    const { readProxies, proxyName } = await import('../../../src/node/http/proxies.ts');
    const proxies = readProxies(env);
    if (!proxies) return ok('none');
    const names = ['http:', 'https:'].map((scheme) => proxyName(proxies, new URL(`${scheme}//x`)));
    const exceptions = [proxies.loopback ? '' : 'this computer', proxies.options.noProxy].filter(Boolean).join(',');
    return ok(`${[...new Set(names.filter(Boolean))].join(', ')}; not for ${exceptions || 'nobody'}`);
  },

  async 'Server here'(context) {
    const servers = await findServers(context.paths.state);
    if (servers.length === 0) return note('none runs', 'Start one with "laudio serve".');
    const found = servers.map(({ url, data_dir: directory }) => ok(`${url} (${directory})`));
    return [...found, ...(await checkStoredData(context))];
  },

  async Connection(context) {
    const server = await findServer(context);
    if (server === undefined) return note('there is no server to call', 'Log in with "laudio login".');
    const { transport } = await context.deps();
    const begun = context.clock.elapsed();
    const answer = await transport({ method: 'GET', url: `${server}/healthz`, headers: {}, signal: context.signal });
    const took = Math.round(context.clock.elapsed() - begun);
    // The rest of the answer is not needed, and ends with the loop.
    for await (const _ of answer.body) break;
    const apart = Math.round((context.clock.now() - Date.parse(answer.headers['date'] ?? '')) / 1000);
    const reached = `${server} answers in ${took} ms`;
    return Math.abs(apart) > clockTolerance
      ? note(
          `${reached}; its clock is ${Math.abs(apart)} s ${apart > 0 ? 'behind' : 'ahead'}`,
          'Synchronise both clocks with NTP: tokens and signatures depend on the time.',
        )
      : ok(reached);
  },

  async Login(context) {
    try {
      const { client, profile } = await context.session();
      const { data } = await client.oauth.validate({}, { signal: context.signal, retries: 0 });
      return ok(`${data.user?.display_name ?? data.client_id}${profile ? `, as ${profile.name}` : ''}: ${data.scope}`);
    } catch (error) {
      if (error instanceof AppError && error.code === 'LOGIN_REQUIRED') return note(error.message, error.hint);
      throw error;
    }
  },
};

/** Yields each finding; calls `tell` with the name of each check that starts. */
export async function* examine(context: Context, tell: (check: string) => void): AsyncGenerator<CheckResult, void> {
  for (const [check, look] of Object.entries(checks)) {
    tell(check);
    const found = await look(context).catch((error: unknown): Finding => {
      if (!(error instanceof AppError) || error.code === 'INTERRUPTED') throw error;
      return { state: 'bad', message: error.message, hint: error.hint };
    });
    for (const { state, message, hint = null } of [found].flat()) yield { check, state, message, hint };
  }
}

/** A missing directory is created on demand, so its parent is checked. */
async function checkDirectory(directory: string): Promise<Finding> {
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const { mode, uid } = await stat(directory);
    const isOthers = process.getuid !== undefined && uid !== process.getuid();
    return isOthers || (process.platform !== 'win32' && (mode & 0o077) !== 0)
      ? note(`${directory} is accessible to others`, 'You must own it, and its mode must be 0700.')
      : ok(directory);
  } catch (error) {
    if (isMissing(error) && dirname(directory) !== directory) {
      const above = await checkAbove(dirname(directory));
      return above ? ok(`${directory} (will be created when needed)`) : unusable(directory);
    }
    return unusable(directory);
  }
}

async function checkDisk(directory: string): Promise<Finding | undefined> {
  const space = await readDiskSpace(directory);
  const problem = space && findSpaceProblem(directory, space);
  return problem && { state: problem.isFull ? 'bad' : 'note', message: problem.message, hint: problem.hint };
}

/** The result of the local server's last integrity check. Empty if several servers run, or none answers. */
async function checkStoredData({ operator, signal }: Context): Promise<readonly Finding[]> {
  const status = await operator()
    .then(({ system }) => system.status({}, { signal, retries: 0 }))
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'INTERRUPTED') throw error;
      return undefined;
    });
  const { faults = 0, completed_at: at } = status?.data.scrub ?? {};
  if (faults === 0) return [];
  return [
    {
      state: 'bad',
      message: `${counted(faults, 'fault')} on the disk of its data, found at ${at}`,
      hint: 'It has rewritten everything to new files. Have the disk checked and keep a backup ready; the log names the files.',
    },
  ];
}

async function checkAbove(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return isMissing(error) && dirname(directory) !== directory && checkAbove(dirname(directory));
  }
}

const unusable = (directory: string): Finding => ({
  state: 'bad',
  message: `${directory} cannot be used`,
  hint: 'You need read and write permission.',
});

/** The server of the settings, of the login, or the only one on this computer. */
async function findServer({ settings, paths, clock }: Context): Promise<string | undefined> {
  if (settings.server !== undefined) return settings.server;
  const { createProfiles } = await import('../../../src/node/login/profiles.ts');
  const profile = await createProfiles(paths.config, clock).get(settings.profile);
  if (profile) return profile.server;
  const [only, ...others] = await findServers(paths.state);
  return others.length === 0 ? only?.url : undefined;
}
