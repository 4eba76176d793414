/** Two people in two browsers on one list. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  bruno,
  importSamples,
  logIn,
  makeReport,
  openExam,
  openPage,
  pause,
  recorder,
  report,
  rows,
  speak,
  startApp,
  useBrowser,
} from '../support/app.ts';

const browser = useBrowser();

async function openBoth(): Promise<[Page, Page]> {
  const app = await startApp();
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const pages = await Promise.all([openPage(browser(), app.url), openPage(browser(), app.url)]);
  await Promise.all([logIn(pages[0], anna), logIn(pages[1], bruno)]);
  await importSamples(pages[0]);
  await rows(pages[1]).first().waitFor();
  return pages;
}

test('what one takes the other sees at once, and can take over; the first is told, and keeps what was dictated', async () => {
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
  await expect.poll(() => recorder(a).getByRole('button', { name: 'Go on recording' }).isDisabled()).toBe(true);
  await rows(b).first().getByText('yours').waitFor();
});

test('both change one report: the second sees both versions side by side, and decides', async () => {
  const [a, b] = await openBoth();
  await openExam(a);
  await makeReport(a);
  await rows(b).first().click();
  await report(b).waitFor();
  const impression = (page: Page) => report(page).getByRole('textbox', { name: 'Text of Impression' });
  const common = await impression(a).inputValue();

  // The second one's page hears nothing of the first one's change until it saves its own.
  await b.route('**/app/call/record.save', async (route) => {
    await report(a).getByText('Draft, version 2').waitFor();
    await route.continue();
  });
  await impression(b).fill(`${common} Seen by Bruno.`);
  await impression(a).fill(`${common} Seen by Anna.`);
  const conflict = report(b).getByRole('alert').filter({ hasText: 'Somebody else changed this report' });
  await conflict.waitFor();
  await expect.poll(() => conflict.innerText()).toMatch(/Seen by Bruno\.[\s\S]*Seen by Anna\./);
  await conflict.getByRole('button', { name: 'Keep yours' }).click();
  await conflict.waitFor({ state: 'hidden' });
  await report(b).getByText('Draft, version 3').waitFor();
  await a.reload();
  await report(a).getByText('Draft, version 3').waitFor();
  await expect.poll(() => impression(a).inputValue()).toBe(`${common} Seen by Bruno.`);
});
