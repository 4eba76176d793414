/**
 * Every screen and its main states, dark and light, looked at by axe (WCAG 2.2 AA). With LAUDIO_PICTURES=1 those that the
 * documents show are kept in docs/pictures/app/.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { CallOutput } from '../../desktop/bridge/calls.ts';
import { web } from '../../desktop/bridge/carriers.ts';
import {
  addPerson,
  anna,
  drop,
  enterTestMode,
  findings,
  graceOf,
  importSamples,
  logIn,
  openExam,
  openPage,
  pause,
  report,
  rows,
  speak,
  startApp,
  useBrowser,
  worklistFile,
} from '../support/app.ts';
import { explored } from '../support/explored.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const browser = useBrowser();
const pictures = fileURLToPath(new URL('../../docs/pictures/app/', import.meta.url));
const sizes = {
  large: { width: 1440, height: 900 },
  small: { width: 1024, height: 700 },
  narrow: { width: 390, height: 844 },
} as const;
type Size = keyof typeof sizes;

/** The pictures that the documents show. */
const kept = new Set([
  'login-small-dark',
  'recording-large-dark',
  'recording-narrow-dark',
  'list-narrow-dark',
  'offline-large-dark',
  'versions-large-dark',
  'warning-large-light',
  'writing-large-light',
  'signed-small-light',
  'settings-small-light',
  'shortcuts-large-light',
  'pt-BR-small-light',
  'es-ES-small-light',
  'lock-small-dark',
  'macros-large-light',
]);

/** What somebody keeps ready. */
const autotexts = [
  {
    name: 'normal chest',
    text: 'The lungs are clear. No pleural effusion. The heart is of normal size.',
    owner: 'Mine',
  },
  { name: 'normal abdomen', text: 'Liver, spleen, pancreas and kidneys are unremarkable.', owner: 'Mine' },
  { name: 'follow-up in six months', text: 'Follow-up in six months is suggested.', owner: 'Department' },
  { name: 'simple cyst', text: 'Simple cyst in the [side: right|left] kidney, [__ mm].', owner: 'Department' },
];

const themes = ['dark', 'light'] as const;

/** What a theme can change of what axe finds; all else is found in the first one. */
const colours = ['color-contrast', 'link-in-text-block'];
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Screens whose colours have been looked at. */
const coloured = new Set<string>();

/** What axe finds in each theme, and the page must not be wider than the screen. */
async function look(page: Page, name: string, size: Size = 'large'): Promise<void> {
  await page.setViewportSize(sizes[size]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect.soft(overflow, `${name} ${size} is wider than the screen`).toBeLessThanOrEqual(0);
  const squeezed = await page
    .locator('.banner p:visible')
    .evaluateAll((all) => all.filter(({ clientWidth }) => clientWidth < 180).map(({ textContent }) => textContent));
  expect.soft(squeezed, `${name} ${size} squeezes words`).toEqual([]);
  // A size changes no colours, whose rules take most of the time.
  const hasNewColours = explored.isOn || !coloured.has(name);
  coloured.add(name);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    await rest(page);
    if (theme === themes[0] || hasNewColours)
      await lookIn(page, `${name} ${size} ${theme}`, theme === themes[0] ? standards : colours, hasNewColours);
    const picture = `${name}-${size}-${theme}`;
    if (process.env['LAUDIO_PICTURES'] !== undefined && (kept.has(picture) || process.env['LAUDIO_PICTURES'] === 'all'))
      await page.screenshot({ path: join(pictures, `${picture}.png`) });
  }
}

/** What moves is looked at where it comes to rest. */
const rest = (page: Page): Promise<unknown> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each.effect?.getTiming().iterations !== Infinity)
        .map((each) => each.finished),
    ),
  );

async function lookIn(page: Page, place: string, runOnly: readonly string[], withColours: boolean): Promise<void> {
  const violations = await page.evaluate(
    async ([runOnly, unasked]) => {
      const found = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
        runOnly: [...runOnly],
        rules: Object.fromEntries(unasked.map((rule) => [rule, { enabled: false }])),
        resultTypes: ['violations'],
      });
      return found.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)}: ${failureSummary}`),
      }));
    },
    [runOnly, withColours ? [] : colours] as const,
  );
  expect.soft(violations, place).toEqual([]);
}

/** The recogniser of test mode is sure of all words: from now on the page is told that it was not of some. */
const doubtSomeWords = (page: Page): Promise<unknown> =>
  page.route(`**${web.calls}record.background`, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { output?: CallOutput<'record.background'> };
    for (const [at, word] of (answer.output?.provenance?.heard_words ?? []).entries())
      if (at % 8 === 4) word.confidence = 0.2;
    await route.fulfill({ response, json: answer });
  });

const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();
const account = async (page: Page, item: string) => {
  await press(page, /Account and settings/);
  await page.getByRole('menuitem', { name: item }).click();
};
const escape = (page: Page) => page.keyboard.press('Escape');

const open = async (url: string, locale = 'en-US') => {
  const page = await openPage(browser(), 'about:blank', { locale, reducedMotion: 'reduce' });
  await page.addInitScript({ content: axe.source });
  await page.goto(url);
  return page;
};

test('the ways in', async () => {
  const app = await startApp({ dataDir: await temporaryDirectory() });
  const page = await open(app.url);
  const see = (name: string, size?: Size) => look(page, name, size);
  await page.getByRole('heading', { name: 'Where do you want to work?' }).waitFor();
  for (const size of ['small', 'narrow'] as const) await see('login', size);
  await press(page, /On my institution’s server/);
  await press(page, 'Log in');
  await see('service', 'small');
  await press(page, 'Back');
  await press(page, /On this computer/);
  await press(page, 'Begin');
  await see('first-user', 'small');
  await addPerson(app, anna);
  await page.reload();
  await logIn(page, anna);
  await page.getByRole('heading', { name: 'No exams yet' }).waitFor();
  await see('empty');
  await importSamples(page);
  await openExam(page);
  await page.getByText('No speech recognition').waitFor();
  for (const size of ['large', 'small', 'narrow'] as const) await see('unheard', size);
  await press(page, /Speech models/);
  await page.getByRole('listitem', { name: 'nemotron-3.5-streaming-1120' }).waitFor();
  for (const size of ['small', 'narrow'] as const) await see('speech-models', size);
  await escape(page);
  await page.setViewportSize(sizes.large);
  await page.getByRole('button', { name: 'Write the report' }).first().click();
  await findings(page).fill('Findings: lungs are clear, no effusion.\n\nImpression: normal examination.');
  await rows(page).first().getByText('yours').waitFor();
  for (const size of ['small', 'large'] as const) await see('writing', size);
  await account(page, 'Lock');
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
  await see('lock', 'small');
});

test('the list and what opens over it', async () => {
  const page = await open((await startApp()).url);
  const see = (name: string, size?: Size) => look(page, name, size);
  await enterTestMode(page);
  await importSamples(page);
  await see('list');
  // However late an exam is, most of its row has its name.
  expect(
    await page
      .locator('.row-exam')
      .first()
      .evaluate(({ clientWidth }) => clientWidth),
  ).toBeGreaterThan(140);
  await see('list', 'narrow');
  await press(page, 'Filters and order');
  await see('filters', 'small');
  await press(page, 'Filters and order');
  await press(page, /Account and settings/);
  await see('menu', 'small');
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Settings' });
  for (const section of [
    'Microphone',
    'Reports',
    'Report times',
    'Shortcuts',
    'Appearance and language',
    'Privacy and storage',
    'Profile',
  ]) {
    await settings.getByRole('navigation').getByText(section, { exact: true }).click();
    await see(section === 'Appearance and language' ? 'settings' : `settings-${section}`, 'small');
  }
  await escape(page);
  await account(page, 'Keyboard shortcuts');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await see('shortcuts');
  await page.getByRole('button', { name: 'What can I say?' }).click();
  await page.getByRole('dialog', { name: 'What can I say?' }).waitFor();
  await see('voice');
  await escape(page);
  await account(page, 'Autotexts');
  const sheet = page.getByRole('dialog', { name: 'Autotexts' });
  await sheet.getByRole('heading', { name: 'No autotexts yet' }).waitFor();
  await see('macros-none', 'small');
  for (const { name, text, owner } of autotexts) {
    await sheet.getByRole('button', { name: 'New autotext' }).first().click();
    await sheet.getByLabel('Name', { exact: true }).fill(name);
    await sheet.getByRole('radio', { name: owner }).last().check({ force: true });
    await sheet.getByLabel('Text', { exact: true }).fill(text);
    await sheet.getByRole('button', { name: 'Save', exact: true }).click();
    await sheet.getByText('Saved, version 1').waitFor();
  }
  for (const size of ['small', 'narrow', 'large'] as const) await see('macros', size);
  await escape(page);
  await account(page, 'Vocabulary');
  const vocabulary = page.getByRole('dialog', { name: 'Vocabulary' });
  await vocabulary.getByRole('button', { name: 'New word' }).first().click();
  await vocabulary.getByLabel('Always write').fill('McBurney');
  await vocabulary.getByLabel('For', { exact: true }).fill('mac burney');
  await page.keyboard.press('Control+Enter');
  await vocabulary.getByText('Saved, version 1').waitFor();
  await see('vocabulary', 'small');
  await vocabulary.getByRole('button', { name: 'Delete' }).click();
  await vocabulary.getByText('“McBurney” is deleted.').waitFor();
  await see('vocabulary-deleted', 'narrow');
  await page.setViewportSize(sizes.large);
  await escape(page);
  await account(page, 'Reports in progress');
  await page.getByRole('dialog', { name: 'Reports in progress' }).waitFor();
  await see('jobs', 'small');
});

test('dictation and report', async () => {
  const { url, network } = await startApp();
  const page = await open(url);
  const see = (name: string, size?: Size) => look(page, name, size);
  await doubtSomeWords(page);
  await enterTestMode(page);
  await importSamples(page);
  await openExam(page, 1);
  await see('exam', 'small');
  await page.setViewportSize(sizes.large);
  await speak(page, 3);
  for (const size of ['narrow', 'large'] as const) await see('recording', size);
  await pause(page);
  await see('paused');
  await press(page, /Generate report/);
  await report(page).getByText('Draft, version 1').waitFor();
  const text = (title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
  await text('Findings').fill(`${await text('Findings').inputValue()} Nodule of [__ mm] in the left lobe.`);
  await report(page).locator('.document-noted').first().waitFor();
  await press(page, 'Show the first');
  await report(page).locator('.word-note').waitFor();
  await report(page).getByText('Saved', { exact: true }).waitFor();
  await see('warning');
  await report(page).getByText('What was dictated').click();
  await report(page).getByText('Uncertain words:').waitFor();
  await see('doubted');
  await report(page)
    .getByRole('button', { name: /^Listen/ })
    .first()
    .click();
  await report(page)
    .getByRole('button', { name: /^Pause/ })
    .waitFor();
  await see('listening');
  // On a busy machine the dictation may have ended meanwhile.
  await report(page)
    .getByRole('button', { name: /^Listen/ })
    .first()
    .waitFor();
  await report(page).getByText('What was dictated').click();
  await press(page, 'Correct by voice');
  await see('correct');
  await page.getByLabel('Instruction').fill('replace left with right');
  await press(page, 'Apply');
  await page.getByRole('region', { name: 'Corrected' }).waitFor();
  await see('corrected');
  await press(page, 'Keep');
  await press(page, 'Versions');
  const versions = page.getByRole('dialog', { name: 'Versions' });
  await versions.getByRole('button', { name: /Version 1/ }).click();
  await versions.locator('ins').first().waitFor();
  await see('versions');
  await escape(page);

  network.isUp = false;
  await text('Impression').fill('Written without the service.');
  await report(page).getByText('Saved here; sent when the connection is back').waitFor();
  await page.getByText(/^Offline/).waitFor();
  await see('offline');
  network.isUp = true;
  // Two fields that are filled slowly are two versions.
  await report(page)
    .getByText(/^Draft, version [45]$/)
    .waitFor({ timeout: 40_000 });
  await report(page).getByText('Saved', { exact: true }).waitFor();
  await press(page, 'Sign');
  await see('sign-fields');
  await page.getByRole('dialog').getByRole('button', { name: 'Fill in' }).click();
  const isFocused = (element: Element): boolean => element === document.activeElement;
  await expect.poll(() => text('Findings').evaluate(isFocused)).toBe(true);
  await page.keyboard.type('6 mm');
  await report(page).locator('.mark-field').waitFor({ state: 'detached' });
  await graceOf(page, 0);
  await press(page, 'Sign');
  await see('sign');
  await page.getByRole('dialog').getByRole('button', { name: /^Sign/ }).click();
  await report(page)
    .getByText(/^Signed, version/)
    .waitFor();
  await page.keyboard.press('Space');
  await see('covered');
  await page.setViewportSize(sizes.small);
  const panes = page
    .getByRole('navigation', { name: 'Parts of the page' })
    .getByRole('button', { name: 'Report' })
    .filter({ visible: true });
  await panes.first().click();
  await see('signed', 'small');
  await see('signed', 'narrow');
});

test.each([
  ['pt-BR', /dados de teste/, 'Exames'],
  ['es-ES', /datos de prueba/, 'Estudios'],
] as const)('%s', async (locale, test_, heading) => {
  const page = await open((await startApp()).url, locale);
  await press(page, test_);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(locale);

  await drop(page, 'worklist.json', await worklistFile());
  await page.getByRole('dialog').getByRole('definition').first().waitFor();
  await escape(page);
  await page.getByRole('listbox').getByRole('option').nth(1).click();
  await page.getByRole('timer').waitFor();
  await look(page, locale, 'small');
});
