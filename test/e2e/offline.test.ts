/** The service out of reach: work goes on, is shown as waiting, and is sent once when it is back. */
import { expect, test } from 'vitest';
import {
  answerSign,
  graceOf,
  openExam,
  openReport,
  pause,
  recorder,
  report,
  rows,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();

test('take, dictate, edit and sign without the service: queued and shown, then sent once', async () => {
  const { url, network } = await startApp();
  const page = await openReport(browser(), url);

  network.isUp = false;
  const findings = report(page).getByRole('textbox', { name: 'Text of Findings' });
  await findings.fill('Written without the service.');
  await report(page).getByText('Saved here; sent when the connection is back').waitFor();
  await page.getByText('Offline', { exact: false }).first().waitFor();
  await graceOf(page, 0);
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await answerSign(page, report(page).getByText('Not signed yet', { exact: true }));
  expect(
    await report(page)
      .getByText(/^Signed/)
      .count(),
  ).toBe(0);

  await openExam(page, 1);
  await speak(page, 1);
  await pause(page);
  await page.getByRole('button', { name: /Generate report/ }).click();
  await recorder(page).getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
  await expect.poll(() => page.getByText(/changes waiting to be sent/).isVisible()).toBe(true);
  await page.reload();
  await recorder(page).getByRole('heading', { name: 'Waiting to be sent' }).waitFor();

  network.isUp = true;
  await report(page).waitFor({ timeout: 40_000 });
  await expect.poll(() => page.getByText(/to be sent|Sending \d/).count()).toBe(0);
  await page.getByRole('button', { name: /^Reported\s*1/ }).click();
  await rows(page).first().click();
  await report(page)
    .getByText(/^Signed, version 3/)
    .waitFor();
  await expect.poll(() => report(page).getByText('Written without the service.').count()).toBe(1);
  await page.getByRole('button', { name: 'Versions' }).click();
  const versions = page.getByRole('dialog', { name: 'Versions' }).getByRole('listitem');
  await versions.first().waitFor();
  await expect.poll(() => versions.count()).toBe(3);
});
