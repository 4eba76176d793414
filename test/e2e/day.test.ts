/** A physician's day by keyboard alone: exams as a day brings them, and how many keys each took. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { defaultSpace } from '../../src/contract/admin.ts';
import { contract } from '../../src/contract/index.ts';
import { oauth } from '../../src/contract/oauth.ts';
import type { TokenResponse } from '../../src/contract/oauth.ts';
import {
  addPerson,
  anna,
  answerSign,
  bruno,
  graceOf,
  ask,
  openAs,
  openItem,
  openSamples,
  recorder,
  report,
  rows,
  shownSeconds,
  startApp,
  useOwnBrowser,
  writeReport,
} from '../support/app.ts';
import type { RunningApp } from '../support/app.ts';
import { exploringTest } from '../support/exploring-test.ts';
import { toneMicrophone } from '../support/tone-microphone.ts';
import { sampled } from '../support/explored.ts';
import { measured, openStudy, reportOf, startViewer } from '../support/viewer-of-page.ts';

// Whenever somebody begins to speak, there are words, and in the language of the reports: of others Laudio asks before it signs.
const { models, microphone } = await toneMicrophone({
  pause: 1,
  tokens: ['▁the', 'rapy', '▁kid', 'ney', '▁li', 'ver', '▁with', '▁', '<blk>'],
});
const browser = useOwnBrowser(microphone);

/** Exams in the order of the list: urgent ones first, then by time. */
const exams = {
  stroke: { description: 'TC de crânio sem contraste', modality: 'CT', priority: 'STAT' },
  embolism: { description: 'Angiotomografia de tórax com contraste', modality: 'CT', priority: 'STAT' },
  fracture: { description: 'Radiografia de punho esquerdo', modality: 'CR', priority: 'HIGH' },
  first: { description: 'Radiografia de tórax PA e perfil', modality: 'CR' },
  critical: { description: 'Radiografia de tórax no leito AP', modality: 'CR' },
  residents: { description: 'US de abdome total', modality: 'US' },
  prior: { description: 'TC de tórax sem contraste', modality: 'CT' },
  offline: { description: 'RM de crânio com contraste', modality: 'MR' },
  conflict: { description: 'US de tireoide', modality: 'US' },
  second: { description: 'Mamografia digital bilateral', modality: 'MG' },
  third: { description: 'TC de abdome e pelve', modality: 'CT' },
  last: { description: 'RM de joelho direito', modality: 'MR' },
} as const;
type Exam = keyof typeof exams;
const order = Object.keys(exams) as Exam[];
const accession = (exam: Exam): string => `SL-DAY-${order.indexOf(exam) + 10}`;

/** A RIS with a login of its own: sends the department's template, a former report and the day's exams. */
async function sendDay({ url, operator }: RunningApp, day: readonly Exam[]): Promise<void> {
  const { data: ris } = await operator.clients.create({
    body: {
      name: 'RIS',
      kind: 'server',
      scopes: ['worklists:write', 'priors:write', 'templates:write'],
      space: defaultSpace,
    },
  });
  const token = await fetch(url + oauth.endpoints.token.path, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: ris.id,
      client_secret: ris.secret!,
    }),
  });
  const { access_token } = (await token.json()) as TokenResponse;
  const send = async ({ path }: { path: string }, body: unknown): Promise<void> => {
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.ok, await answer.text()).toBe(true);
  };
  const dawn = Date.now() - 3_600_000;
  const patient = (exam: Exam) => ({
    patient_id: `00458${order.indexOf(exam)}`,
    patient_name: `PEREIRA^${exam.toUpperCase()}`,
    patient_birth_date: '1971-06-14',
  });
  await send(contract.templates.endpoints.create, {
    id: 'our_short_report',
    name: 'Short report of our department',
    language: 'en-US',
    sections: [{ key: 'findings', title: 'Findings', required: true }],
    exams: { modalities: ['CR', 'CT', 'MG', 'MR', 'US'] },
  });
  await send(contract.worklists.endpoints.ingest, {
    items: day.map((exam, at) => {
      const { description, modality, ...rest } = exams[exam];
      return {
        ...patient(exam),
        accession_number: accession(exam),
        modality,
        exam_datetime: new Date(dawn + at * 60_000).toISOString(),
        exam_description: description,
        hospital_name: 'Hospital São Lucas',
        referring_physician: 'NUNES^CAIO^^DR',
        metadata: rest,
      };
    }),
  });
  await send(contract.priors.endpoints.import, {
    items: [
      {
        ...patient('prior'),
        report_id: 'R-2024-0113',
        modality: 'CT',
        exam_datetime: '2024-01-13T08:00:00-03:00',
        exam_description: 'TC de tórax',
        language: 'en-US',
        text: 'FINDINGS: Nodule of 4 mm in the right upper lobe.\n\nIMPRESSION: Nodule.',
      },
    ],
  });
}

/** A resident signs a report as preliminary, at another computer, before the day of the attending begins. */
async function signAsResident(app: RunningApp): Promise<Page> {
  const page = await openAs(browser(), app.url, bruno);
  await graceOf(page, 0);
  await rows(page).filter({ hasText: exams.residents.description }).click();
  await writeReport(page, 'Findings: the liver is normal, a normal examination.');
  await report(page).getByRole('button', { name: 'Sign as preliminary' }).click();
  await answerSign(page, report(page).getByRole('region', { name: `Preliminary by ${bruno.display_name}` }));
  return page;
}

/** Exams that take a way of their own; the others of the day are dictated and signed. */
const special: readonly Exam[] = ['stroke', 'critical', 'residents', 'prior', 'offline', 'conflict'];

test.each(
  sampled(
    [
      ['on a desk', { width: 1440, height: 900 }, order],
      ['on a narrow screen', { width: 390, height: 844 }, special],
    ] as const,
    1,
  ),
)('a whole day by keyboard %s', async (_where, viewport, day) => {
  const app = await startApp({ recogniser: { use: 'local:tone-live', options: { models } } });
  await addPerson(app, { ...anna, role: 'attending' });
  await addPerson(app, { ...bruno, role: 'resident' });
  await sendDay(app, day);
  const page = await openAs(browser(), app.url, anna, { viewport });
  await expect.poll(() => rows(page).count()).toBe(day.length);
  const resident = await signAsResident(app);

  /** Keys that each exam took; the letters of words are not among them. */
  const keys = new Map<Exam, number>();
  let present: Exam = 'stroke';
  const press = async (...pressed: string[]): Promise<void> => {
    for (const key of pressed) {
      keys.set(present, (keys.get(present) ?? 0) + 1);
      await page.keyboard.press(key);
    }
  };
  const isAt = async (exam: Exam): Promise<void> => {
    present = exam;
    await page.getByText(accession(exam)).first().waitFor();
  };
  const talk = async (): Promise<void> => {
    await recorder(page).getByRole('heading', { name: 'Ready' }).waitFor();
    await press('Space');
    await expect.poll(() => shownSeconds(page)).toBeGreaterThanOrEqual(1);
  };
  const draft = report(page).getByText('Draft, version 1');
  const signedBy = report(page).getByText(/^Signed by .+, \d\d:\d\d$/);

  const isNarrow = viewport.width < 1181;
  const field = (title: string) => report(page).getByRole('textbox', { name: `Text of ${title}` });
  /** One key; but the sound begins and ends as chance has it here: where Laudio asks about it, Enter signs, and is not counted. */
  const sign = async (): Promise<void> => {
    await press('Control+Shift+Enter');
    const asked = page
      .getByRole('dialog')
      .getByText(/The audio ends in the middle of a word\.|“.+” was discarded: there is no speech in that place/)
      .first();
    await asked.or(signedBy).first().waitFor();
    if (await asked.isVisible()) {
      await page.locator('dialog[open] button:focus').waitFor();
      await page.keyboard.press('Enter');
    }
    await signedBy.waitFor();
  };
  /** To a report that is there already. Nobody signs what is not on the screen: on a narrow one the key shows the report first. */
  const comeToReport = async (name: 'Sign' | 'Co-sign'): Promise<void> => {
    await page.getByRole('button', { name, exact: true, includeHidden: true }).waitFor({ state: 'attached' });
    if (isNarrow) await press('Control+Shift+Enter');
  };
  const next = () => press('Alt+ArrowDown');
  const enterFindings = async (): Promise<void> => {
    const findings = page.locator('[data-section=findings] textarea');
    // On a narrow screen it is there before it is seen, and the key shows it.
    await findings.waitFor({ state: 'attached' });
    await press('F2');
    await findings.and(page.locator(':focus')).waitFor();
  };
  /** Writes the findings instead of speaking. */
  const write = async (text: string): Promise<void> => {
    await enterFindings();
    await page.keyboard.type(text);
    await press('Control+Enter');
    await draft.waitFor();
  };
  const dictateAndSign = async (): Promise<void> => {
    await talk();
    await press('Control+Enter');
    await draft.waitFor();
    await sign();
  };
  const ways: Partial<Record<Exam, () => Promise<void>>> = {
    async critical() {
      await write('Large right tension pneumothorax.');
      await press('Alt+c');
      await page.locator('dialog[open] :focus').waitFor();
      await press('Enter');
      await report(page)
        .getByText(/communicated to Dr Caio Nunes/)
        .waitFor();
      // An open dialog has the keys, and may close a moment after the words have come.
      await page.locator('dialog[open]').waitFor({ state: 'detached' });
      await sign();
    },
    async residents() {
      await comeToReport('Co-sign');
      await report(page)
        .getByRole('region', { name: `Preliminary by ${bruno.display_name}` })
        .waitFor();
      await sign();
    },
    async prior() {
      await write('Nodule of 6 mm in the right upper lobe.');
      await press('Control+Shift+l');
      await page.getByRole('region', { name: 'Prior reports of this patient' }).waitFor();
      await page.getByRole('button', { name: '6 mm: previously 4 mm' }).waitFor();
      await press('Control+Shift+m');
      await page.getByText('Inserted: previously 4 mm').waitFor();
      await press('Escape');
      await expect.poll(() => field('Findings').inputValue()).toContain('(previously 4 mm)');
      await sign();
    },
    async offline() {
      app.network.isUp = false;
      await talk();
      await press('Control+Enter');
      await page.getByRole('heading', { name: 'Waiting to be sent' }).waitFor();
    },
    async conflict() {
      app.network.isUp = true;
      await write('Nodule of 6 mm in the left lobe.');
      await rows(resident).filter({ hasText: exams.conflict.description }).click();
      const theirs = report(resident).getByRole('textbox', { name: 'Text of Findings' });
      await theirs.waitFor();
      await page.route('**/app/call/record.save', async (route) => {
        await report(resident).getByText('Draft, version 2').waitFor();
        await route.continue();
      });
      await enterFindings();
      await page.keyboard.type(' Seen by Anna.');
      await theirs.fill('Nodule of 7 mm in the left lobe.');
      await report(page)
        .getByRole('alert')
        .filter({ hasText: / changed this report/ })
        .waitFor();
      await page.unroute('**/app/call/record.save');
      // Before the sections stand the title and the choice.
      await press('Escape', 'Shift+Tab', 'Shift+Tab');
      await page.getByRole('button', { name: 'Keep mine: Findings' }).and(page.locator(':focus')).waitFor();
      await press('Enter');
      await report(page).getByText('Draft, version 3').waitFor();
      await sign();
    },
  };

  await press('j', 'Enter');
  for (const exam of day) {
    await isAt(exam);
    await (ways[exam] ?? dictateAndSign)();
    await next();
  }
  // The report that was asked for without a network is there meanwhile.
  await isAt('offline');
  await comeToReport('Sign');
  await draft.waitFor();
  await sign();
  await next();
  await page.getByText('Nothing left to report').waitFor();
  const usual = 4;
  expect(Object.fromEntries(keys)).toEqual({
    ...Object.fromEntries(day.map((exam) => [exam, usual])),
    // The first is found and opened.
    stroke: usual + 2,
    // To the findings, done, whom it was told, and that it was told.
    critical: usual + 2,
    // Nobody dictates what the resident wrote.
    residents: isNarrow ? 3 : 2,
    // To the findings, done; the prior is opened, compared with and closed.
    prior: usual + 3,
    // And back to the exam.
    offline: usual + (isNarrow ? 2 : 1),
    // To the findings, done, and into them again; out, to the choice, and the choice.
    conflict: usual + 5,
  });
});

/** What the tones of another microphone say: words of a report, and commands between pauses. */
const tokens = {
  nodule: '▁nodule',
  calcified: '▁calcified',
  next: '▁next▁field',
  select: '▁select▁nodule▁through▁calcified',
  delete: '▁delete▁that',
  undo: '▁undo▁that',
  sign: '▁sign▁report',
} as const;
type Saying = keyof typeof tokens;
const sayings = Object.keys(tokens) as Saying[];
const phrases: readonly (readonly Saying[])[] = [
  ['nodule', 'calcified'],
  ['select'],
  ['delete'],
  ['undo'],
  ['undo'],
  // Behind the words that were selected.
  ['calcified'],
  ['next'],
  ['nodule'],
  ['sign'],
];
const silence = (tones: number): null[] => Array<null>(tones).fill(null);
const voice = await toneMicrophone({
  tokens: [...Object.values(tokens), '▁', '<blk>'],
  // The recording begins again, but not before the report is signed.
  says: [
    ...silence(3),
    ...phrases.flatMap((phrase) => [...phrase.map((saying) => sayings.indexOf(saying)), ...silence(5)]),
    ...silence(100),
  ],
});
const listener = useOwnBrowser(voice.microphone);

async function openReportWindow(page: Page): Promise<Page> {
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Report in its own window' }).click();
  return popup;
}

/** `isApart`: the report has a window of its own. */
async function reportByVoice(isApart: boolean): Promise<void> {
  const app = await startApp({
    recogniser: { use: 'local:tone-live', options: { models: voice.models } },
    testReal: true,
  });
  const page = await openSamples(listener(), app.url);
  const { output: chosen } = await ask(page, 'settings.get', {});
  await ask(page, 'settings.set', { ...chosen!, follow_viewer: true });
  await page.reload();
  await rows(page).first().waitFor();
  const hub = await startViewer(app);
  await openStudy(hub, 'SL-2026-004416');
  const { id, version } = await reportOf(hub.viewer, 'SL-2026-004416');
  await hub.send('DiagnosticReport-update', measured(id, 'obs-1', 12.4, 8.1), { version });
  const findings = report(page).locator('[data-section=findings] textarea');
  await expect.poll(() => findings.inputValue()).toContain('12.4 x 8.1 mm');
  const shown = isApart ? await openReportWindow(page) : page;
  await report(shown).locator('[data-section=findings] textarea').waitFor();
  /** Each notice, with the findings and the selection when it appeared. */
  await shown.evaluate(() => {
    const seen: (readonly string[])[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const notice = [...document.querySelectorAll('.notice p')].at(-1)?.firstChild?.textContent ?? '';
      const field = document.querySelector<HTMLTextAreaElement>('[data-section=findings] textarea');
      if (notice === '' || notice === seen.at(-1)?.[0] || !field) return;
      seen.push([notice, field.value.trim(), field.value.slice(field.selectionStart, field.selectionEnd)]);
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  let keys = 0;
  for (const key of ['Escape', 'Space']) {
    keys += 1;
    await page.keyboard.press(key);
  }
  await report(shown)
    .getByText(/^Signed by .+, \d\d:\d\d$/)
    .waitFor();
  const seen = await shown.evaluate(() => (window as unknown as { seen: string[][] }).seen);
  // This one acts where the recorder is.
  const signing = [
    'Generate the report and sign it; open questions come first',
    expect.stringContaining('Nodule calcified'),
    '',
  ];
  expect(seen).toEqual([
    ['Select these words', '12.4 x 8.1 mm Nodule calcified.', 'Nodule calcified'],
    ['Delete the selection, or the last sentence', expect.not.stringContaining('Nodule'), ''],
    ['Undone: Delete the selection, or the last sentence', expect.stringContaining('Nodule calcified'), ''],
    ['Undone: Select these words', expect.stringContaining('Nodule calcified'), ''],
    ['Next field', expect.stringContaining('Nodule calcified calcified'), ''],
    ...(isApart ? [] : [signing]),
  ]);
  const { output: listed } = await ask(page, 'record.for_item', { id: openItem(page) });
  const [signed] = listed!.items;
  const texts = Object.fromEntries(signed!.sections.map(({ key, text }) => [key, text]));
  expect(texts).toMatchObject({ findings: '12.4 x 8.1 mm Nodule calcified calcified', impression: 'Nodule.' });
  // Nobody hears a command in the sound of the report, either.
  expect(signed!.transcript).toBe('nodule calcified calcified nodule');
  const words = phrases.flat().flatMap((saying) => tokens[saying].match(/[a-z]+/g) ?? []);
  expect({ keys, words: words.length }).toEqual({ keys: 2, words: 18 });
}

test('a report by voice alone: the viewer opens the exam and measures in it, and the rest is said', () =>
  reportByVoice(false));

// "a report by voice alone", where the recorder is in another window than the words.
exploringTest('the same with the report in its own window', () => reportByVoice(true));
