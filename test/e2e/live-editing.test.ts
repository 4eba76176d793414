/** Words that a person corrects by hand while speaking, with a model on this computer that hears the microphone's tones. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addPerson,
  anna,
  ask,
  bruno,
  fillLogin,
  importSamples,
  openAs,
  openExam,
  openItem,
  pause,
  report,
  rows,
  speak,
  startApp,
  useOwnBrowser,
} from '../support/app.ts';
import { toneMicrophone } from '../support/tone-microphone.ts';

const { models, microphone } = await toneMicrophone();
const browser = useOwnBrowser(microphone);

const section = (page: Page): Locator => report(page).locator('[data-section=findings]');
const field = (page: Page): Locator => section(page).getByRole('textbox');

/** Somebody at an exam, who goes on speaking, and of whose words some stay. */
async function speakAtExam() {
  const app = await startApp({ recogniser: { use: 'local:tone-live', options: { models } } });
  await Promise.all([addPerson(app, anna), addPerson(app, bruno)]);
  const page = await openAs(browser(), app.url, anna);
  await importSamples(page);
  await openExam(page);
  await speak(page, 1);
  const layer = section(page).locator('.live-words');
  await expect.poll(() => layer.evaluate((each) => each.firstChild?.textContent ?? '')).toMatch(/rim/i);
  return { app, page };
}

test('the caret stays in place while words arrive, undo removes typed text, and the report has it as an edit', async () => {
  const { page } = await speakAtExam();
  const words = field(page);
  await words.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+ArrowRight');
  await page.keyboard.type(' (seen)');
  const { length } = await words.inputValue();
  await expect.poll(async () => (await words.inputValue()).length).toBeGreaterThan(length + 20);
  const before = await words.evaluate((each) => {
    const { value, selectionStart, selectionEnd } = each as HTMLTextAreaElement;
    return selectionStart === selectionEnd ? value.slice(0, selectionStart) : undefined;
  });
  expect(before).toMatch(/^\p{L}+ \(seen\)$/u);
  await page.keyboard.type(' twice');
  await expect.poll(() => words.inputValue()).toMatch(/^\p{L}+ \(seen\) twice \p{L}/u);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => words.inputValue()).toMatch(/^\p{L}+ \(seen\) \p{L}/u);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(() => words.inputValue()).toContain('twice');
  await page.keyboard.press('ControlOrMeta+z');
  await pause(page);
  // A reload loses none of it.
  await page.reload();
  await expect.poll(() => words.inputValue()).toMatch(/^\p{L}+ \(seen\) \p{L}/u);
  await page.getByRole('button', { name: /Generate report/ }).click();
  await report(page).getByText('Draft, version 2').waitFor();
  const { output: listed } = await ask(page, 'record.for_item', { id: openItem(page) });
  const [record] = listed!.items;
  const section = record!.sections.find(({ text }) => text.includes('(seen)'))!;
  // The history knows what was said, and that the rest is by hand.
  const { output: background } = await ask(page, 'record.background', { id: record!.id, version: 2 });
  const originOf = (text: string): string | undefined => {
    const at = section.text.indexOf(text);
    const runs = background!.provenance!.words.filter((run) => run.section === section.key);
    return runs.find(({ start, end }) => start <= at && at < end)?.origin;
  };
  expect([originOf('seen'), originOf('rim')]).toEqual(['edited', 'said']);
  const { output: versions } = await ask(page, 'record.versions', { id: record!.id });
  expect(versions!.items.map(({ change }) => change).toSorted()).toEqual(['edited', 'generated']);
});

test('what is said over selected words replaces them, and undo brings them back', async () => {
  const { page } = await speakAtExam();
  const words = field(page);
  await words.press('ControlOrMeta+Home');
  await page.keyboard.press('ControlOrMeta+ArrowRight');
  await page.keyboard.type(' wrongly');
  for (let letter = 0; letter < 'wrongly'.length; letter += 1) await page.keyboard.press('Shift+ArrowLeft');
  // The words around them stay, those that follow the pause come in their place.
  await expect.poll(() => words.inputValue()).toMatch(/^\p{L}+ (?!wrongly)\p{L}+ \p{L}+ \p{L}+/u);
  expect(await words.inputValue()).not.toContain('wrongly');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => words.inputValue()).toContain('wrongly');
});

test('a lock in mid-dictation hides typed text from others, and its owner continues with it', async () => {
  const { app, page } = await speakAtExam();
  const words = field(page);
  await words.press('ControlOrMeta+Home');
  await page.keyboard.type('Checked: ');
  await expect.poll(() => words.inputValue()).toMatch(/^Checked: \p{L}+/u);
  await page.getByRole('button', { name: /Account and settings/ }).click();
  await page.getByRole('menuitem', { name: 'Lock' }).click();
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await expect.poll(() => page.content()).not.toMatch(/Checked|pulmão/i);
  const other = await openAs(browser(), app.url, bruno);
  expect(await ask(other, 'typed.list', {})).toEqual({ output: { items: [] } });
  expect(await ask(other, 'dictation.list', {})).toMatchObject({ output: { items: [] } });
  await page.getByRole('button', { name: 'Log in and go on' }).click();
  await fillLogin(page, anna);
  await rows(page).first().waitFor();
  if (!(await report(page).isVisible())) await openExam(page);
  await expect.poll(() => words.inputValue()).toMatch(/^Checked: \p{L}+/u);
});
