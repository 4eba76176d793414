import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSettings } from '../../../desktop/app/desk/settings.ts';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('settings of an app that knew fewer keys are kept, and the new keys are there', async () => {
  const directory = await temporaryDirectory();
  const former = await createSettings({ directory });
  const settings = await former.handlers['settings.get']({});
  const { macros: _later, ...keys } = { ...defaultKeys, play: 'x' };
  await writeFile(join(directory, 'settings.json'), JSON.stringify({ ...settings, theme: 'dark', keys }));
  const now = await createSettings({ directory });
  expect(await now.handlers['settings.get']({})).toEqual({
    ...settings,
    theme: 'dark',
    keys: { ...defaultKeys, play: 'x' },
  });
});
