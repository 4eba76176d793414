/** The checks of this computer: directories, disks, keychain, tokens, proxy. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sizeText } from '../../../src/domain/size-text.ts';
import { findSpaceProblem, readDiskSpace } from '../../../src/node/disk-space.ts';
import { isMissing } from '../../../src/node/files/private-file.ts';
import type { Context } from '../../context.ts';
import type { Profile } from '../../../src/node/login/profiles.ts';
import { bad, note, ok, toFinding } from './finding.ts';
import type { Finding } from './finding.ts';
import type { Look } from './look.ts';

/** A missing directory is created on demand, so its parent is checked; but not one that was named on the command line. */
export async function checkDirectory(directory: string, chosen?: string): Promise<Finding> {
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const { mode, uid } = await stat(directory);
    const account = process.getuid?.() ?? uid;
    // Root judges the directory of a service, which has its own account.
    return (account !== 0 && uid !== account) || (process.platform !== 'win32' && (mode & 0o077) !== 0)
      ? note(`${directory} is accessible to others`, 'You must own it, and its mode must be 0700.')
      : ok(directory);
  } catch (error) {
    if (!isMissing(error) || dirname(directory) === directory) return unusable(directory);
    if (directory === chosen) {
      return bad('NOT_FOUND', `${directory} does not exist`, 'Check --data-dir, and that its disk is mounted.');
    }
    return (await isCreatable(dirname(directory)))
      ? ok(`${directory} (will be created when needed)`)
      : unusable(directory);
  }
}

async function isCreatable(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    return isMissing(error) && dirname(directory) !== directory && isCreatable(dirname(directory));
  }
}

const unusable = (directory: string): Finding =>
  bad('CONFIGURATION', `${directory} cannot be used`, 'You need read and write permission.');

/** The room on each disk, the fullest first. */
export async function checkDisks({ context: { paths }, directories }: Look): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen = new Set<string>();
  for (const directory of [...(await directories()), paths.state]) {
    const space = await readDiskSpace(directory);
    if (!space) continue;
    const problem = findSpaceProblem(directory, space);
    const room = `${sizeText(space.free)} of ${sizeText(space.total)} free (${directory})`;
    // Two directories on one disk say the same.
    const disk = `${space.total} ${sizeText(space.free)}`;
    if (seen.has(disk)) continue;
    seen.add(disk);
    if (!problem) found.push(ok(room));
    else if (problem.isFull) found.push(bad('STORAGE_UNAVAILABLE', problem.message, problem.hint));
    else found.push(note(problem.message, problem.hint));
  }
  return found;
}

export async function checkKeychain(context: Context): Promise<Finding> {
  if (context.settings.credential_store === 'file') return note('not used for tokens, by credential_store');
  try {
    await (await context.deps()).keychain.get('laudio doctor');
    return ok('answers');
  } catch (error) {
    const found = toFinding(error);
    // A computer that only serves has none, and needs none: a login says so then.
    return (await findProfile(context))?.credential_store === 'keychain' ? found : note(found.message, found.hint);
  }
}

async function findProfile({ settings, paths, clock }: Context): Promise<Profile | undefined> {
  const { createProfiles } = await import('../../../src/node/login/profiles.ts');
  return createProfiles(paths.config, clock).get(settings.profile);
}

/** Where the tokens of the login are: the choice was made when the person logged in. */
export async function checkTokens(context: Context): Promise<Finding> {
  const { env, paths, deps } = context;
  if (env['LAUDIO_TOKEN']) return ok('in the environment (LAUDIO_TOKEN)');
  if (env['LAUDIO_CLIENT_ID']) return ok('in memory only');
  const profile = await findProfile(context);
  if (!profile) return ok('none');
  const { createCredentialStore } = await import('../../../src/node/login/credential-store.ts');
  const kind = profile.credential_store;
  const { keychain, warn } = await deps();
  const store = createCredentialStore({ kind, stateDirectory: paths.state, keychain, warn });
  const place = store.describe(profile.name);
  return kind === 'keychain'
    ? ok(place)
    : note(
        `unencrypted, in ${place}`,
        'It was chosen at the login, and only you can read it. To use the keychain: laudio logout, then laudio login without --allow-insecure-storage and without credential_store.',
      );
}

export async function checkProxy({ env }: Context): Promise<Finding> {
  const { readProxies, proxyName } = await import('../../../src/node/http/proxies.ts');
  const proxies = readProxies(env);
  if (!proxies) return ok('none');
  const names = ['http:', 'https:'].map((scheme) => proxyName(proxies, new URL(`${scheme}//x`)));
  const exceptions = [proxies.loopback ? '' : 'this computer', proxies.options.noProxy].filter(Boolean).join(',');
  return ok(`${[...new Set(names.filter(Boolean))].join(', ')}; not for ${exceptions || 'nobody'}`);
}
