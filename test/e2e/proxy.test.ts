/** The app in a browser behind a proxy that ends TLS, with a certificate that the browser is told to take. */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  drop,
  logIn,
  openExam,
  openPage,
  pause,
  rows,
  speak,
  startApp,
  useBrowser,
  worklistFile,
} from '../support/app.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';

const browser = useBrowser();

test('a person logs in, hears of exams and dictates; the cookie never travels without TLS', async () => {
  const proxy = await startTlsProxy();
  const app = await startApp({ publicUrl: proxy.url });
  proxy.forwardTo(app.url);
  await addPerson(app, anna);
  const [page, beside] = [
    await openPage(browser(), proxy.url, { ignoreHTTPSErrors: true }),
    await openPage(browser(), proxy.url, { ignoreHTTPSErrors: true }),
  ];
  for (const each of [page, beside]) await logIn(each, anna);
  expect(
    (await page.context().cookies()).map(({ name, secure, sameSite }) => [name.slice(0, 18), secure, sameSite]),
  ).toEqual([['__Host-laudio_app_', true, 'Strict']]);
  await drop(page, 'worklist.json', await worklistFile());
  await page.getByRole('dialog', { name: 'Worklist file imported' }).waitFor();
  // The other page was told by the stream of events.
  await rows(beside).first().waitFor();
  await page.keyboard.press('Escape');
  await openExam(page);
  await speak(page, 1);
  await pause(page);
});
