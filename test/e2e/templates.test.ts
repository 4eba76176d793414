/** A template of the department's own: a file in the settings, what was understood, and the choice of templates. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openExam, openSamples, startApp, useBrowser } from '../support/app.ts';

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
  const entry = settings.getByRole('listitem').filter({ hasText: 'Chest CT, our department' });
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
  const [template, language] = [
    page.getByLabel('Template', { exact: true }),
    page.getByLabel('Language', { exact: true }),
  ];
  await language.selectOption('en-US');
  await template.selectOption('chest_ct_our_department');
  await language.selectOption('pt-BR');
  await expect.poll(() => template.locator('option').allInnerTexts()).not.toContain('Chest CT, our department');

  await openTemplates();
  await settings.getByRole('button', { name: 'Remove Chest CT, our department' }).click();
  await settings.getByRole('button', { name: 'Remove', exact: true }).click();
  await settings.getByText('There are none yet.').waitFor();
});
