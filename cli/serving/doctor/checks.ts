/** The checks of `laudio doctor`. They change nothing and print no secrets. */
import { AppError } from '../../../src/contract/errors.ts';
import { lostFile } from '../../../src/node/settings-text.ts';
import { describeMissingParts } from '../../../src/node/optional-packages.ts';
import { readSettingsFiles } from '../../../src/node/settings.ts';
import type { Context } from '../../context.ts';
import { checkDirectory, checkDisks, checkKeychain, checkProxy, checkTokens } from './computer.ts';
import { checkClock, checkConnection, checkServerCertificate } from './connection.ts';
import { note, ok, toFinding, toResult } from './finding.ts';
import type { CheckResult, Finding } from './finding.ts';
import { createLook, within } from './look.ts';
import type { Look } from './look.ts';
import { checkBackups, checkChannelCertificates, checkServers, checkSnapshots } from './servers.ts';
import { checkStoredData } from './stored-data.ts';

/** In the order of the output; the checks are independent. An AppError is a failed check, no finding is none. */
const checks: Readonly<Record<string, (look: Look) => Promise<Finding | readonly Finding[]>>> = {
  Program: async ({ context: { version, platform } }) =>
    ok(`laudio ${version}, Node.js ${process.versions.node}, ${platform} ${process.arch}`),

  async Packages() {
    const missing = describeMissingParts();
    return missing ? note(missing.message, missing.hint) : ok('all');
  },

  async Settings({ context: { misconfigured, lost, cwd, paths } }) {
    if (misconfigured) throw misconfigured;
    if (lost !== undefined) throw lostFile(lost);
    const files = await readSettingsFiles(cwd, paths.config);
    return ok(files.length === 0 ? 'no file; defaults apply' : files.map(({ path }) => path).join(', '));
  },

  async Directories({ context: { paths, settings }, chosen }) {
    const directories = [paths.config, paths.state, chosen ?? settings.data_dir ?? paths.data];
    const found = await Promise.all([...new Set(directories)].map((each) => checkDirectory(each, chosen)));
    const others = found.filter(({ state }) => state !== 'ok');
    return others.length > 0 ? others : ok(found.map(({ message }) => message).join(', '));
  },

  Disk: checkDisks,
  Data: checkStoredData,
  Keychain: ({ context }) => checkKeychain(context),
  Tokens: ({ context }) => checkTokens(context),
  Proxy: ({ context }) => checkProxy(context),
  'Server here': checkServers,
  Snapshot: checkSnapshots,
  Backup: checkBackups,
  Certificates: async (look) => [...(await checkChannelCertificates(look)), ...(await checkServerCertificate(look))],
  Connection: checkConnection,
  Clock: checkClock,

  async Login({ context }) {
    try {
      const { client, profile, server } = await context.session();
      const { data } = await within(context, server, (signal) => client.oauth.validate({}, { signal, retries: 0 }));
      return ok(`${data.user?.display_name ?? data.client_id}${profile ? `, as ${profile.name}` : ''}: ${data.scope}`);
    } catch (error) {
      if (error instanceof AppError && error.code === 'LOGIN_REQUIRED') return note(error.message, error.hint);
      throw error;
    }
  },
};

/** Yields each finding; calls `tell` with the name of each check that starts. */
export async function* examine(context: Context, tell: (check: string) => void): AsyncGenerator<CheckResult, void> {
  const look = createLook(context);
  for (const [check, run] of Object.entries(checks)) {
    tell(check);
    const found = await run(look).catch(toFinding);
    for (const finding of [found].flat()) yield toResult(check, finding);
  }
}
