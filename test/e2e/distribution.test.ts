/** Where a report went: one line at its foot, by itself as the other systems answer, in the language of the reader. */
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { startHttpServer } from '../support/http-server.ts';
import { ask, openExam, openSamples, startApp, useBrowser, writeReport } from '../support/app.ts';
import type { RunningApp } from '../support/app.ts';

const browser = useBrowser();

/** A system that is sent the reports of test data, and answers with its status. */
async function system({ operator }: RunningApp, name: string, status: number): Promise<{ status: number }> {
  const answer = { status };
  const { url, close } = await startHttpServer(() => answer);
  onTestFinished(close);
  const settings = { url: `${url}/in`, format: 'txt' };
  await operator.channels.add({ body: { name, kind: 'http-out', space: 'test_tc_local', settings } });
  return answer;
}

const line = (page: Page) => page.locator('.document-distribution');
const shown = (page: Page): Promise<string> => line(page).innerText();

test('the report says by itself to whom it was sent, for whom it waits and who refused it', async () => {
  const app = await startApp();
  const ris = await system(app, 'ris', 400);
  await system(app, 'archive', 503);
  await system(app, 'portal', 201);
  const page = await openSamples(browser(), app.url);
  const { output: settings } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...settings!, grace_seconds: 0 });
  await openExam(page);
  await writeReport(page, 'Findings: lungs are clear. Impression: normal examination.');
  // A draft has gone nowhere.
  expect(await line(page).count()).toBe(0);
  await page.keyboard.press('Control+Shift+Enter');
  await expect
    .poll(() => shown(page))
    .toMatch(
      /^Refused by ris, \d\d:\d\d\. The administrator sees why\. · Waiting for archive since \d\d:\d\d · Sent to portal, \d\d:\d\d$/,
    );
  ris.status = 201;
  await app.operator.channels.retryAll({ params: { channel: 'ris' } });
  await expect
    .poll(() => shown(page))
    .toMatch(/^Waiting for archive since \d\d:\d\d · Sent to portal, ris, \d\d:\d\d$/);
  const { data } = await app.operator.channels.queue({ params: { channel: 'archive' }, query: {} });
  await app.operator.channels.drop({ params: { id: data.items[0]!.id } });
  await expect
    .poll(() => shown(page))
    .toMatch(/^Not sent to archive: discarded by the administrator, \d\d:\d\d · Sent to/);
  await page.reload();
  await expect.poll(() => shown(page)).toMatch(/^Not sent to archive/);
  for (const [locale, words] of [
    ['pt-BR', /^Envio a archive descartado pelo administrador, \d\d:\d\d · Enviado a portal, ris, \d\d:\d\d$/],
    ['es-ES', /^Envío a archive descartado por el administrador, \d\d:\d\d · Enviado a portal, ris, \d\d:\d\d$/],
  ] as const) {
    await ask(page, 'settings.set', { ...settings!, grace_seconds: 0, locale });
    await page.reload();
    await expect.poll(() => shown(page)).toMatch(words);
  }
  // On a phone it is not cut off.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /^Informe/ }).click();
  await expect.poll(() => line(page).evaluate((found) => found.getBoundingClientRect().right)).toBeLessThanOrEqual(390);
});
