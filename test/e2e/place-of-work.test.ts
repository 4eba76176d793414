/** The report as the place of work: by keyboard alone, without sound, at two sizes. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, openExam, openReport, openSamples, pause, report, speak, startApp, useBrowser } from '../support/app.ts';
import { hearMore, hearNobody, speakOn } from '../support/quick-ear.ts';
import { sampled } from '../support/explored.ts';

const browser = useBrowser();
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

/** The section that has the caret, and what is selected there. */
const caret = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement;
    const section = field?.closest('[data-section]')?.getAttribute('data-section') ?? null;
    const isText = field instanceof HTMLTextAreaElement;
    return { section, isText, selected: isText ? field.value.slice(field.selectionStart, field.selectionEnd) : '' };
  });
const whose = (page: Page) => page.getByLabel('Whose report this is');

test.each(sampled(sizes, 1))(
  'keys reach every part of a report, and Escape leaves every part, at $width px',
  async (size) => {
    const page = await openReport(browser(), (await startApp()).url);
    await page.setViewportSize(size);
    await page.keyboard.press('F4');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: true });
    await page.keyboard.press('F2');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', isText: true });
    await page.keyboard.type(' Cyst in the [side: right|left] kidney, [__ mm].');
    // Back over what is open, and on from there.
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', selected: '[__ mm]' });
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', selected: '[side: right|left]' });
    await page.keyboard.type('left');
    await page.keyboard.press('Tab');
    await expect.poll(() => caret(page)).toMatchObject({ selected: '[__ mm]' });
    await page.keyboard.type('12 mm');
    await page.keyboard.press('Tab');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: true, selected: '' });
    expect(await report(page).getByRole('textbox', { name: 'Text of Findings' }).inputValue()).toMatch(
      /Cyst in the left kidney, 12 mm\.$/,
    );
    await page.keyboard.press('F4');
    await page.keyboard.press('Escape');
    await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: false });
    await page.getByText('You left the text: Tab goes to every control.').waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect((await caret(page)).isText).toBe(false);
    await page.keyboard.press('F8');
    await page.getByRole('dialog', { name: 'What should be changed?' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'What should be changed?' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('F9');
    await page.getByRole('dialog', { name: 'Versions' }).waitFor();
    await page.keyboard.press('Escape');
  },
);

test.each(sampled(sizes, 1))(
  'the owner of the report stays visible above it while scrolling, at $width px',
  async (size) => {
    const page = await openReport(browser(), (await startApp()).url);
    await page.setViewportSize({ ...size, height: 500 });
    await page.keyboard.press('F4');
    const first = await whose(page).innerText();
    const isInSight = () =>
      whose(page).evaluate((line) => {
        const { left, top } = line.getBoundingClientRect();
        return line.contains(document.elementFromPoint(left + 20, top + 12));
      });
    await report(page)
      .locator('.document-page')
      .evaluate((each) => each.scrollTo({ top: each.scrollHeight }));
    expect(await isInSight()).toBe(true);
    expect(await whose(page).locator('dt').allTextContents()).toEqual(
      expect.arrayContaining(['Patient', 'Exam', 'Accession no.']),
    );
    // The same window keeps the place.
    await page.reload();
    await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: true });
    expect(await whose(page).innerText()).toBe(first);
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await expect.poll(() => whose(page).textContent()).not.toBe(first);
    await expect
      .poll(() =>
        page
          .locator('.document-page')
          .evaluateAll((all) => all.map((each) => each.scrollTop))
          .then((tops) => tops.every((top) => top === 0)),
      )
      .toBe(true);
  },
);

test('a begun report continues after a reload, also before the list of exams is there, and is not a command', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  await page.keyboard.press('F2');
  await page.keyboard.type('Period of apnea, .5 cm.');
  await report(page).getByText('Saved automatically').waitFor();
  const { promise: isAsked, resolve: comes } = Promise.withResolvers<void>();
  await page.route('**/app/call/worklist.list', async (route) => {
    await isAsked;
    await route.continue();
  });
  await page.reload();
  await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', isText: true });
  await page.keyboard.type(' New line scratch that.');
  await page.keyboard.press('Control+Enter');
  await report(page).getByText('Draft, version 1').waitFor();
  comes();
  await expect
    .poll(() => report(page).getByRole('textbox', { name: 'Text of Findings' }).inputValue())
    .toBe('Period of apnea, .5 cm. New line scratch that.');
});

test.each(sampled(sizes, 1))('a report is begun by keyboard alone, without a sound, at $width px', async (size) => {
  const page = await openSamples(browser(), (await startApp()).url);
  await page.setViewportSize(size);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('.document-begun').waitFor({ state: 'attached' });
  await page.keyboard.press('F2');
  await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', isText: true });
  await page.keyboard.type('Liver is normal.');
  await page.keyboard.press('Tab');
  await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: true });
  await page.keyboard.type('Normal examination.');
  await report(page).getByText('Saved automatically').waitFor();
  // The same window keeps the words and the place.
  await page.reload();
  await expect.poll(() => caret(page)).toMatchObject({ section: 'impression', isText: true });
  await page.keyboard.press('Control+Enter');
  await report(page).getByText('Draft, version 1').waitFor();
  const textOf = (title: string) =>
    report(page)
      .getByRole('textbox', { name: `Text of ${title}` })
      .inputValue();
  expect([await textOf('Findings'), await textOf('Impression')]).toEqual(['Liver is normal.', 'Normal examination.']);
});

test('text typed earlier stays in its section during dictation, and in the report', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  await page.keyboard.press('F4');
  await page.keyboard.type('Typed before.');
  await speak(page, 1);
  const words = report(page).getByRole('textbox', { name: 'Words of Impression' });
  await expect.poll(() => words.inputValue()).toContain('Typed before.');
  await pause(page);
  await page.getByRole('button', { name: /Generate report/ }).click();
  const impression = report(page).getByRole('textbox', { name: 'Text of Impression' });
  await expect.poll(() => impression.inputValue()).toContain('Typed before.');
});

test('speech goes into the section with the caret, and stays there in the report', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  await speak(page, 1);
  await page.keyboard.press('F4');
  const impression = report(page).locator('[data-section=impression]');
  await impression.getByText('your dictation goes here').waitFor();
  await hearMore(page, 15);
  const words = impression.getByRole('textbox');
  await expect.poll(() => words.inputValue()).not.toBe('');
  await pause(page);
  await expect.poll(() => report(page).locator('.live-partial').count()).toBe(0);
  const said = (await words.inputValue()).split(' ').slice(0, 2).join(' ');
  await page.getByRole('button', { name: /Generate report/ }).click();
  const written = report(page).getByRole('textbox', { name: 'Text of Impression' });
  await expect.poll(() => written.inputValue()).toContain(said);
});

test('correcting a word elsewhere while speaking moves no words in mid-sentence, but at a pause', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  const section = (key: string) => report(page).locator(`[data-section=${key}]`);
  const valueOf = (key: string) => section(key).getByRole('textbox').inputValue();
  const words = () =>
    report(page)
      .getByRole('textbox')
      .evaluateAll((fields) => fields.map((each) => (each as HTMLTextAreaElement).value).join());
  const goHere = (key: string) => section(key).getByText('your dictation goes here', { exact: true }).waitFor();
  const soon = (key: string) => section(key).getByText('after a pause your dictation goes here');
  await speak(page, 1);
  await speakOn(page);
  await hearMore(page, 1);
  await page.keyboard.press('F2');
  await goHere('findings');
  await section('technique').getByRole('textbox').click();
  await soon('technique').waitFor();
  await page.keyboard.type('Corrected.');
  const { length } = await words();
  await hearMore(page, 3);
  await expect.poll(async () => (await words()).length).toBeGreaterThan(length);
  expect(await valueOf('technique')).toBe('Corrected.');
  await soon('technique').waitFor();
  await hearNobody(page, 3);
  await goHere('technique');
  await hearMore(page, 1);
  // A key that chooses a section waits for no pause, and going back takes the way there back.
  await section('comparison').getByRole('textbox').click();
  await soon('comparison').waitFor();
  await section('technique').getByRole('textbox').click();
  await soon('comparison').waitFor({ state: 'detached' });
  await page.keyboard.press('F2');
  await goHere('findings');
  await pause(page);
});

test('keys lead to each open field, a blank keeps its unit, and a choice takes none but its choices', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  const findings = report(page).getByRole('textbox', { name: 'Text of Findings' });
  const selected = (text: string) => expect.poll(() => caret(page)).toMatchObject({ selected: text });
  await findings.fill('Cyst in the [side: right|left] kidney, [__ mm] in [__] and [EF: __ %].');
  // The key of the section comes before what is open in it, not behind it.
  await page.keyboard.press('F4');
  await page.keyboard.press('F2');
  await selected('[side: right|left]');
  await page.keyboard.type('both');
  await selected('[side: right|left]');
  // A letter of several keys is no way around.
  const keys = await page.context().newCDPSession(page);
  await keys.send('Input.imeSetComposition', { text: 'é', selectionStart: 1, selectionEnd: 1 });
  await keys.send('Input.insertText', { text: 'é' });
  await selected('[side: right|left]');
  await page.keyboard.type('l');
  const chosen = page.getByRole('listbox', { name: 'Choices' }).getByRole('option', { selected: true });
  await expect.poll(() => chosen.innerText()).toBe('left');
  await page.keyboard.press('Tab');
  await selected('[__ mm]');
  await page.keyboard.type('12');
  // From anywhere in the page, and over the end of the report.
  await page.keyboard.press('F4');
  await page.keyboard.press('F3');
  await selected('[__]');
  await page.keyboard.press('F3');
  await selected('[EF: __ %]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /Account and settings/ }).focus();
  await page.keyboard.press('F3');
  await selected('[__]');
  await page.keyboard.type('length');
  await page.keyboard.press('Tab');
  await selected('[EF: __ %]');
  await page.keyboard.type('62');
  await expect.poll(() => findings.inputValue()).toBe('Cyst in the left kidney, 12 mm in length and 62%.');
  // The browser's own undo goes back over it.
  for (const _ of '62') await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => findings.inputValue()).toContain('[EF: __ %]');
  for (const _ of '62') await page.keyboard.press('ControlOrMeta+Shift+z');
  await page.keyboard.press('F3');
  await page.getByText('There is no blank field in this report.').waitFor();
});

test('a slash brings an autotext, Tab its choices, and Escape closes the list before it leaves the text', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  const words = {
    text: 'Cyst in the [side: right|left] kidney.',
    section: null,
    language: null,
    owner: 'person',
  } as const;
  for (const name of ['simple cyst', 'normal chest']) await ask(page, 'macros.save', { words: { ...words, name } });
  await openExam(page);
  await page.locator('.document-begun').waitFor();
  await page.keyboard.press('F2');
  await page.keyboard.type('/');
  const list = page.getByRole('listbox', { name: 'Autotexts' });
  await list.getByRole('option', { name: /normal chest/ }).waitFor();
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  await expect.poll(() => caret(page)).toMatchObject({ section: 'findings', isText: true });
  await page.keyboard.type('cy');
  await expect.poll(() => list.getByRole('option').allInnerTexts()).toHaveLength(1);
  await page.keyboard.press('Enter');
  await expect.poll(() => caret(page)).toMatchObject({ selected: '[side: right|left]' });
  const choices = page.getByRole('listbox', { name: 'Choices' });
  await choices.getByRole('option', { name: 'left' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const findings = report(page).getByRole('textbox', { name: 'Text of Findings' });
  await expect.poll(() => findings.inputValue()).toBe('Cyst in the left kidney.');
});
