/** Changes the user's file of settings, and leaves all else in it as it is. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.ts';
import { lockPatience, withFileLock } from './files/file-lock.ts';
import { isMissing, readPrivateFile, writePrivateFile } from './files/private-file.ts';
import { isBlank, parseObject } from './settings-text.ts';
import { userSettingsPath } from './settings.ts';
import type { Origin, SettingName } from './settings.ts';

/** Resolves to the file's path. AppError CONFIGURATION for a file that cannot be read; then nothing is changed. */
export function changeUserSettings(
  { config, clock }: { readonly config: string; readonly clock: Clock },
  changes: Readonly<Partial<Record<SettingName, unknown>>>,
): Promise<string> {
  return withFileLock(join(config, 'config.lock'), { clock, timeout: lockPatience }, async () => {
    const name = userSettingsPath(config);
    // The file may be a link into somebody's collection of settings.
    const path = await realpath(name).catch((error: unknown) => {
      if (isMissing(error)) return name;
      throw error;
    });
    const content = await readPrivateFile(path);
    // What is left of settings that are lost is somebody else's to judge.
    const isLost = content !== undefined && isBlank(content);
    if (isLost) await writePrivateFile(`${path}.lost`, content);
    const values = content === undefined || isLost ? {} : parseObject(content, name);
    await writePrivateFile(path, `${JSON.stringify({ ...values, ...changes }, null, 2)}\n`);
    return name;
  });
}

/**
 * Keeps the choice of recogniser that is made in the app; `undefined` where the choice has come from elsewhere than the user's
 * settings, which would not count then.
 */
export const recogniserKeeper = ({
  config,
  clock,
  origin,
}: {
  readonly config: string;
  readonly clock: Clock;
  readonly origin: Origin;
}): ((recogniser: string | undefined) => Promise<string>) | undefined =>
  origin.from === 'user' || origin.from === 'default'
    ? (recogniser) => changeUserSettings({ config, clock }, { recogniser })
    : undefined;
