/** Who sees the speech models of this computer in a browser, and who changes them. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { setupCodeNeeded } from '../../../desktop/bridge/session.ts';
import type { ModelsState } from '../../../desktop/bridge/models.ts';
import { setupCode, startWebServer } from '../../support/app-host.ts';
import { installToneModel } from '../../support/tone-model.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { webBrowser } from '../../support/web-browser.ts';

test('any logged-in person sees them, and only one with the setup code changes them; every page is notified', async () => {
  const dataDir = await temporaryDirectory();
  await installToneModel(join(dataDir, 'models'));
  const { server } = await startWebServer({ dataDir });
  const browser = webBrowser(server.url);
  onTestFinished(() => browser.close());
  const { bridge } = browser;
  await expect(bridge.call('models.state', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  const removal = { id: 'tone', code: setupCode };
  await expect(bridge.call('models.remove', removal)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await bridge.call('session.start', { place: 'test' });
  const state = await bridge.call('models.state', {});
  expect(state).toMatchObject({ recogniser: 'local:tone', fixed: true });
  expect(state.items[0]?.id).toBe('nemotron-3.5-streaming-1120');
  for (const call of ['models.install', 'models.cancel', 'models.remove', 'models.use'] as const) {
    for (const code of [{}, { code: 'XXXXX-XXXXX' }]) {
      await expect(bridge.call(call, { id: 'tone', ...code })).rejects.toMatchObject({
        code: 'FORBIDDEN',
        details: { reason: setupCodeNeeded },
      });
    }
  }
  await expect(bridge.call('models.install', { id: '../../etc', code: setupCode })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  // Whoever started this server has chosen what hears.
  await expect(bridge.call('models.remove', removal)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  const told: ModelsState[] = [];
  browser.openTab().on('models', (data) => void told.push(data));
  await installToneModel(join(dataDir, 'models'), { id: 'spare' });
  // The tab may not follow yet.
  await expect
    .poll(async () => {
      await bridge.call('models.remove', { id: 'spare', code: setupCode }).catch(() => undefined);
      return told.at(-1)?.items.map(({ id }) => id);
    })
    .toEqual(['nemotron-3.5-streaming-1120', 'tone', 'parakeet-tdt-0.6b-v3']);
});

test('a server that keeps nothing on the disk has none', async () => {
  const { server } = await startWebServer();
  const browser = webBrowser(server.url);
  onTestFinished(() => browser.close());
  await browser.bridge.call('session.start', { place: 'test' });
  await expect(browser.bridge.call('models.state', {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
