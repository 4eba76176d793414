/**
 * Guards the defaults when the user's settings are lost: they must neither open another data directory than was set,
 * nor send anything to another server.
 */
import { readdir } from 'node:fs/promises';
import { lostFile } from './settings-text.ts';
import type { ResolvedSettings } from './settings.ts';

/** The named data directory, or the default. CONFIGURATION if the name is lost and the default holds no data. */
export async function dataDirectoryFor(
  { values, lost }: Pick<ResolvedSettings, 'values' | 'lost'>,
  paths: { readonly data: string },
): Promise<string> {
  const directory = values.data_dir ?? paths.data;
  if (lost !== undefined && values.data_dir === undefined && !(await holdsData(directory)))
    throw lostFile(lost, `Name the data directory (--data-dir): ${directory} holds no data`);
  return directory;
}

const holdsData = async (directory: string): Promise<boolean> =>
  (await readdir(directory).catch(() => [])).some((name) => name.endsWith('.laudio'));

/** CONFIGURATION if several logins exist and the setting that chose one is lost. */
export function checkLogin({ lost, origins }: ResolvedSettings, logins: number): void {
  const isNamed = [origins.profile, origins.server].some(({ from }) => from !== 'default');
  if (lost !== undefined && !isNamed && logins > 1)
    throw lostFile(lost, 'Name the login (--profile) or the server (--server)');
}
