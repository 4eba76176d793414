/** Changes the user's settings file, and preserves everything else in it. */
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
    // The file may be a link into a dotfiles collection.
    const path = await realpath(name).catch((error: unknown) => {
      if (isMissing(error)) return name;
      throw error;
    });
    const content = await readPrivateFile(path);
    // The caller decides what to do about lost settings.
    const isLost = content !== undefined && isBlank(content);
    if (isLost) await writePrivateFile(`${path}.lost`, content);
    const values = content === undefined || isLost ? {} : parseObject(content, name);
    await writePrivateFile(path, `${JSON.stringify({ ...values, ...changes }, null, 2)}\n`);
    return name;
  });
}

/**
 * Stores the recogniser that was chosen in the app; `undefined` if the choice came from elsewhere than the user's
 * settings, which would not apply then.
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
