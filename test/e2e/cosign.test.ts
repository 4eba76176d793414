/** A resident and an attending at two pages: signed as preliminary, sent back, changed, co-signed. */
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  answerSign,
  ask,
  bruno,
  graceOf,
  importSamples,
  openAs,
  openExam,
  openItem,
  report,
  rows,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';
import type { Page } from 'playwright-core';

const browser = useBrowser();
const impression = (page: Page) => report(page).getByRole('textbox', { name: 'Text of Impression' });

test('a resident signs as preliminary; an attending sends it back, sees the changes, and co-signs', async () => {
  const app = await startApp();
  await Promise.all([
    addPerson(app, { ...bruno, role: 'resident', licence: 'CRM-SP 22' }),
    addPerson(app, { ...anna, role: 'attending', licence: 'CRM-SP 1' }),
  ]);
  const [resident, attending] = await Promise.all([
    openAs(browser(), app.url, bruno),
    openAs(browser(), app.url, anna),
  ]);
  await Promise.all([graceOf(resident, 0), graceOf(attending, 0)]);
  await importSamples(resident);
  await openExam(resident);
  await writeReport(resident, 'Findings: a nodule of 4 mm. Impression: follow-up.');

  const signAsPreliminary = async (): Promise<void> => {
    await report(resident).getByRole('button', { name: 'Sign as preliminary' }).click();
    await answerSign(resident, report(resident).getByRole('region', { name: 'Preliminary by Dr. Bruno Reis' }));
  };
  await signAsPreliminary();
  // What is signed is read, not typed over by accident.
  await expect.poll(() => impression(resident).count()).toBe(0);

  // Whoever has it, the row goes on saying which exam it is.
  await rows(attending)
    .first()
    .getByText(/^preliminary/)
    .waitFor();
  await attending.setViewportSize({ width: 1024, height: 700 });
  const exam = rows(attending).first().locator('.row-exam');
  expect(await exam.evaluate(({ clientWidth }) => clientWidth)).toBeGreaterThan(40);
  await attending.setViewportSize({ width: 1440, height: 900 });
  await rows(attending).first().click();
  const review = report(attending).getByRole('region', { name: 'Preliminary by Dr. Bruno Reis' });
  await review.getByText('Nothing has changed since the resident signed.').waitFor();
  await review.getByRole('button', { name: 'Send back' }).click();
  await attending.getByRole('dialog').getByLabel('What should be changed').fill('Measure the nodule again.');
  await attending.getByRole('dialog').getByRole('button', { name: 'Send back' }).click();

  const asked = report(resident).getByRole('region', { name: 'Sent back by Dr. Anna Lima' });
  await asked.getByText('Measure the nodule again.').waitFor();
  const common = await impression(resident).inputValue();
  await impression(resident).fill(`${common} Nodule of 5 mm.`);
  await signAsPreliminary();

  await review.waitFor();
  await expect.poll(() => impression(attending).inputValue()).toBe(`${common} Nodule of 5 mm.`);
  await impression(attending).fill(`${common} Nodule of 6 mm.`);
  await expect.poll(() => review.locator('del').allInnerTexts()).toContain('5');
  await expect.poll(() => review.locator('ins').allInnerTexts()).toContain('6');
  await report(attending).getByText('Saved', { exact: true }).waitFor();
  await report(attending).getByRole('button', { name: 'Co-sign' }).click();
  await answerSign(attending, report(attending).getByText(/^Signed, version/));
  await report(resident)
    .getByText(/^Signed, version/)
    .waitFor();
  // A resident adds nothing to what is final.
  await expect.poll(() => report(resident).getByRole('button', { name: 'Add addendum' }).count()).toBe(0);

  const { output: reports } = await ask(attending, 'record.for_item', { id: openItem(attending) });
  const { output: signatures } = await ask(attending, 'record.signature', { id: reports!.items[0]!.id });
  expect(signatures).toMatchObject({
    signature: { who: 'Dr. Anna Lima', role: 'attending', licence: 'CRM-SP 1' },
    preliminary: { who: 'Dr. Bruno Reis', role: 'resident', licence: 'CRM-SP 22' },
  });
});
