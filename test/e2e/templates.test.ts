/** A template of the department's own: a file in the settings, what was understood, and the choice of templates. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Template } from '../../src/contract/template.ts';
import { ask, openExam, openSamples, startApp, useBrowser } from '../support/app.ts';

const browser = useBrowser();
const file = fileURLToPath(new URL('../../samples/templates/chest-ct.html', import.meta.url));

test('a file is shown as it was understood, becomes a template to choose, is replaced, and removed', async () => {
  const page = await openSamples(browser(), (await startApp()).url);
  const settings = page.getByRole('dialog', { name: 'Settings' });
  const openTemplates = async (): Promise<void> => {
    await page.getByRole('button', { name: /Account and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await settings.getByRole('button', { name: 'Templates' }).click();
  };
  await openTemplates();
  await settings.getByText('There are none yet.').waitFor();
  const choose = () => settings.locator('input[type=file]').setInputFiles(file);
  await choose();
  await settings.getByText('When you say “standard findings”', { exact: true }).waitFor();
  await settings.getByText('Line 42').waitFor();
  await settings.getByRole('button', { name: 'Add the template' }).click();
  const entry = settings.getByRole('button', { name: /^Chest CT, our department/ });
  await entry.getByText('version 1').waitFor();

  await choose();
  await settings.getByText('There is already a template with this ID.').waitFor();
  await settings.getByRole('combobox', { name: 'Language of its texts' }).selectOption('pt-BR');
  await settings.getByText('When you say “findings padrão”', { exact: true }).waitFor();
  await settings.getByRole('button', { name: 'Replace the template' }).click();
  await entry.getByText('version 2').waitFor();
  await choose();
  await settings.getByRole('button', { name: 'Replace the template' }).click();
  await entry.getByText('version 3').waitFor();
  await settings.getByRole('button', { name: 'Close' }).click();

  await openExam(page);
  const template = page.getByRole('combobox', { name: 'Template', exact: true });
  const language = page.getByLabel('Language', { exact: true });
  const found = page.getByRole('listbox', { name: 'Template' }).getByRole('option');
  const search = async (words: string): Promise<void> => {
    await template.click();
    await template.fill(words);
  };
  await language.selectOption('en-US');
  await search('DEPART chest');
  await expect.poll(() => found.allInnerTexts()).toEqual(['Chest CT, our department']);
  await template.press('Enter');
  await expect.poll(() => template.inputValue()).toBe('Chest CT, our department');
  await language.selectOption('pt-BR');
  await search('depart');
  await page.getByText('No template found').waitFor();
  await template.press('Escape');

  await openTemplates();
  await entry.click();
  await settings.getByRole('button', { name: 'Remove Chest CT, our department' }).click();
  await settings.getByRole('button', { name: 'Remove', exact: true }).click();
  await settings.getByText('There are none yet.').waitFor();

  // One that comes with Laudio is tried, copied, changed and bound to a code.
  await settings.getByRole('searchbox', { name: 'Search templates' }).fill('cardio');
  await settings.getByRole('region', { name: 'Come with Laudio' }).getByRole('listitem').getByRole('button').click();
  await settings.getByRole('button', { name: 'Copy' }).click();
  await settings.getByLabel('Name', { exact: true }).fill('Our heart');
  await settings.getByRole('button', { name: 'Add a normal text' }).click();
  await settings.getByLabel('What you say').fill('our normal heart');
  await settings.getByLabel('Section', { exact: true }).selectOption('findings');
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Write the text.').waitFor();
  await settings.getByLabel('Text', { exact: true }).fill('The heart is normal.');
  await settings.getByText('For which exams', { exact: true }).click();
  await settings.getByLabel('Procedure codes').fill('HEART-1');
  await settings.getByText('Try it', { exact: true }).click();
  await settings.getByLabel('Words to try it with').fill('Our normal heart. Impression: fine.');
  await settings.getByLabel('Modality of an exam').fill('us');
  await settings.getByLabel('Its procedure code').fill('heart-1');
  await settings.getByRole('button', { name: 'Generate report' }).click();
  const tried = settings.getByRole('region', { name: 'The report' });
  await tried.getByText('The heart is normal.').waitFor();
  const isInSight = (node: Element): boolean => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === node;
  };
  expect(await tried.getByText('The heart is normal.').evaluate(isInSight)).toBe(true);
  await tried.getByText('Such an exam gets this template.').waitFor();
  await settings.getByRole('button', { name: 'Save' }).click();

  // Closed and opened again, the edit is still there; another person saved in the meantime.
  await settings.getByRole('button', { name: /^Our heart/ }).click();
  await settings.getByRole('button', { name: 'Edit' }).click();
  await settings.getByText(/^Section 1/).click();
  await settings.getByRole('textbox', { name: 'Text if nothing is dictated' }).fill('Asked: {indication}');
  const { output } = await ask(page, 'templates.own', {});
  const [{ version, origin: _origin, ...stored }] = output!.items as [Template];
  await ask(page, 'templates.add', { definition: { ...stored, name: 'Their heart' }, replaces: version });
  await settings.getByRole('button', { name: 'Close' }).click();
  await openTemplates();
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Somebody else changed this template').waitFor();
  await settings.getByRole('button', { name: 'Keep mine' }).click();
  await settings.getByRole('button', { name: 'Save' }).click();
  await settings.getByText('Saved. Reports made with the earlier version keep it.').waitFor();
  const [kept] = (await ask(page, 'templates.own', {})).output!.items;
  expect(kept).toMatchObject({ name: 'Our heart', version: 3, exams: { codes: ['HEART-1'] } });
  expect(kept!.sections[0]).toMatchObject({ text: 'Asked: {indication}' });
});
