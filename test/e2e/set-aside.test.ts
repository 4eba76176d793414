/** The service fails at one report each time: everything else goes on, nothing is shown as signed, and no word is lost. */
import { expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { answerSign, ask, findings, graceOf, openReport, report, rows, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();
const { update } = contract.records.endpoints;

test('a change at which the service fails each time is set aside, and its signature is never shown as one', async () => {
  const { url, faults, network } = await startApp();
  const page = await openReport(browser(), url);
  faults.add({ name: 'defect', method: update.method, path: update.path, status: 500 });
  await findings(page).fill('Written where the service fails.');
  await report(page).getByText('Saved here', { exact: false }).waitFor();
  await graceOf(page, 0);
  await report(page).getByRole('button', { name: 'Sign', exact: true }).click();
  await answerSign(page, report(page).getByText('Not signed yet', { exact: true }));
  await report(page).getByText('Your signature has not reached the server').waitFor();
  expect(
    await report(page)
      .getByText(/^Signed/)
      .count(),
  ).toBe(0);
  expect(await findings(page).count(), 'nobody changes what they have signed').toBe(0);

  // Each return of the service is another try.
  const banner = page.getByText(/\d changes made offline were not accepted/);
  await expect
    .poll(async () => {
      for (const isUp of [false, true]) {
        network.isUp = isUp;
        await ask(page, 'worklist.list', { refresh: true });
      }
      return banner.count();
    })
    .toBe(1);
  expect(
    await report(page)
      .getByText(/^Signed/)
      .count(),
  ).toBe(0);
  await page.getByRole('button', { name: 'See details' }).click();
  const dialog = page.getByRole('dialog', { name: 'Changes not accepted' });
  await dialog.getByText('Written where the service fails.').waitFor();

  faults.remove('defect');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  // The signature was for words that the service did not have.
  await dialog.getByText('Your signature').waitFor();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(() => banner.count()).toBe(0);
  await report(page).getByText('Draft, version 2').waitFor();
  await expect.poll(() => findings(page).inputValue()).toBe('Written where the service fails.');
  expect(await rows(page).count()).toBeGreaterThan(1);
});
