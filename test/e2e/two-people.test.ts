/** Two people in two browsers on one list. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  bruno,
  importSamples,
  openAs,
  openExam,
  pause,
  recorder,
  report,
  rows,
  signReport,
  speak,
  startApp,
  useBrowser,
  writeReport,
} from '../support/app.ts';
import { exploringTest } from '../support/exploring-test.ts';

const browser = useBrowser();

async function openBoth(): Promise<[Page, Page]> {
  const app = await startApp();
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const pages = await Promise.all([openAs(browser(), app.url, anna), openAs(browser(), app.url, bruno)]);
  await importSamples(pages[0]);
  await rows(pages[1]).first().waitFor();
  return pages;
}

test('one person’s take is seen by the other at once, who can take over; the first is notified, and keeps the dictation', async () => {
  const [a, b] = await openBoth();
  await openExam(a);
  await openExam(b);
  await speak(a, 1);
  await pause(a);
  await rows(b).first().getByText(`with ${anna.display_name}`).waitFor();
  await b.getByText(`${anna.display_name} has this exam`).waitFor();
  await b.getByRole('button', { name: 'Take over' }).click();

  await a.getByText(`${bruno.display_name} took this exam`).first().waitFor();
  await rows(a).first().getByText(`with ${bruno.display_name}`).waitFor();
  await expect.poll(() => recorder(a).getByRole('timer').innerText()).not.toBe('0:00');
  await expect.poll(() => recorder(a).getByRole('button', { name: 'Continue recording' }).isDisabled()).toBe(true);
  await rows(b).first().getByText('yours').waitFor();
});

const clear = 'Findings: lungs are clear. Impression: normal examination.';
const impression = (page: Page) => report(page).getByRole('textbox', { name: 'Text of Impression' });

test('one person’s text is seen by the other at once, and the caret stays among its words', async () => {
  const [a, b] = await openBoth();
  await openExam(a);
  await openExam(b);
  await writeReport(a, clear);
  // The other one had nothing open but the exam.
  await report(b).waitFor();
  const common = await impression(a).inputValue();
  await impression(b).focus();
  await impression(b).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(3, 3));

  await impression(a).fill(`${common} Seen by Anna.`);
  await expect.poll(() => impression(b).inputValue()).toBe(`${common} Seen by Anna.`);
  expect(await impression(b).evaluate((area: HTMLTextAreaElement) => area.selectionStart)).toBe(3);
  await report(b).getByText('Draft, version 2').waitFor();
  await b.getByText(`${anna.display_name} changed this report. This is version 2.`).waitFor();
  expect(await a.getByText('changed this report').count()).toBe(0);

  await signReport(a);
  await report(b).getByText('Signed, version 3').waitFor();
});

// In the gate: conflicts.test.ts.
exploringTest('both change one report: the second sees both versions side by side, and decides', async () => {
  const [a, b] = await openBoth();
  await openExam(a);
  await writeReport(a, clear);
  await rows(b).first().click();
  await report(b).waitFor();
  const common = await impression(a).inputValue();

  // Anna's is saved while Bruno's is on its way.
  await b.route('**/app/call/record.save', async (route) => {
    await report(a).getByText('Draft, version 2').waitFor();
    await route.continue();
  });
  await impression(b).fill(`${common} Seen by Bruno.`);
  await impression(a).fill(`${common} Seen by Anna.`);
  const conflict = report(b)
    .getByRole('alert')
    .filter({ hasText: `${anna.display_name} changed this report` });
  await conflict.waitFor();
  await expect.poll(() => conflict.innerText()).toMatch(/Seen by Bruno\.[\s\S]*Seen by Anna\./);
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await conflict.waitFor({ state: 'hidden' });
  await report(b).getByText('Draft, version 3').waitFor();
  await report(a).getByText('Draft, version 3').waitFor();
  await expect.poll(() => impression(a).inputValue()).toBe(`${common} Seen by Bruno.`);
});

test('a person who types while another saves sees both versions at once', async () => {
  const [a, b] = await openBoth();
  await openExam(a);
  await writeReport(a, clear);
  await rows(b).first().click();
  await report(b).waitFor();
  const common = await impression(a).inputValue();
  let saves = 0;
  await b.route('**/app/call/record.save', async (route) => {
    saves += 1;
    await route.continue();
  });
  await impression(a).fill(`${common} Seen by Anna.`);
  // Somebody who types without a pause saves nothing meanwhile.
  const conflict = report(b)
    .getByRole('alert')
    .filter({ hasText: `${anna.display_name} changed this report` });
  await impression(b).focus();
  while (!(await conflict.isVisible())) await b.keyboard.type('x');
  expect(saves).toBe(0);
  await conflict.getByRole('button', { name: 'Use the other' }).click();
  await expect.poll(() => impression(b).inputValue()).toBe(`${common} Seen by Anna.`);
  await report(b).getByText('Draft, version 2').waitFor();
});
