/** A day at the page by keys: the page as a person sees it, what the service has, and a model of what must stand on both. */
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { MedicalRecord } from '../../src/contract/document.ts';
import type { Client } from '../../src/client/client.ts';
import { openInTestMode, rows } from './app.ts';
import type { RunningApp } from './app.ts';
import { outsider, sendExam } from './app-host.ts';
import { webBrowser } from './web-browser.ts';

/** What a person sees, read at one moment. */
export interface PageView {
  /** Id of the open exam. */
  readonly exam: string | null;
  /** State of the report: `Draft, version 2`; empty: there is none on the screen. */
  readonly state: string;
  readonly title: string;
  /** The line below the report: `Saved`. */
  readonly foot: string;
  /** Text of each section, by key, in order. */
  readonly texts: readonly (readonly [key: string, text: string])[];
  /** What has the keyboard; `null`: nothing has. */
  readonly focus: {
    readonly name: string;
    readonly section: string | null;
    readonly start: number;
    readonly end: number;
  } | null;
  readonly dialog: string | null;
}

export const viewOf = (page: Page): Promise<PageView> =>
  page.evaluate(() => {
    const textOf = (selector: string): string => document.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
    const focused = document.activeElement === document.body ? null : document.activeElement;
    const field = focused instanceof HTMLTextAreaElement ? focused : null;
    // The service composes letters and their accents, which the page gets with its answer.
    const composed = (text: string): string => text.normalize('NFC');
    const placeIn = (area: HTMLTextAreaElement | null, at = 0): number =>
      area ? composed(area.value.slice(0, at)).length : 0;
    return {
      exam: /exam\/([\w-]+)/.exec(location.hash)?.[1] ?? null,
      state: textOf('.document-head .chip'),
      title: composed(
        document.querySelector<HTMLTextAreaElement>('textarea.document-title')?.value ?? textOf('.document-title'),
      ),
      foot: textOf('.document-foot .document-saving'),
      texts: [...document.querySelectorAll<HTMLElement>('[data-section]')].map((section) => {
        const area = section.querySelector('textarea');
        const text = area ? area.value : (section.querySelector('.document-text')?.textContent ?? '');
        return [section.dataset['section']!, composed(text)] as const;
      }),
      focus: focused && {
        name: (focused.getAttribute('aria-label') ?? (focused as HTMLElement).innerText ?? focused.tagName).trim(),
        section: field?.closest<HTMLElement>('[data-section]')?.dataset['section'] ?? null,
        start: placeIn(field, field?.selectionStart),
        end: placeIn(field, field?.selectionEnd),
      },
      dialog: document.querySelector('dialog[open] h2')?.textContent ?? null,
    };
  });

/**
 * `begun`: words that are no report yet; `written`: they become one when the service is back; `signing`: signed, and can be
 * taken back.
 */
export type Phase = 'begun' | 'written' | 'draft' | 'signing' | 'final';

/** What must stand in an exam's report. */
export interface ExamModel {
  readonly id: string;
  readonly accession: string;
  phase: Phase;
  /** By key of the section. */
  texts: Map<string, string>;
  /** Of the report; `null` while there is none. */
  title: string | null;
  /** Every text that a section had on the screen: undo leads back to one of them. */
  readonly former: Set<string>;
}

export interface PageDay {
  page: Page;
  /** Of the person's browser, without the page. */
  readonly app: ReturnType<typeof webBrowser>['bridge'];
  /** Another program at the same service, whether the person's app reaches the service or not. */
  readonly service: Client;
  readonly network: RunningApp['network'];
  exams: readonly ExamModel[];
  /** The exam that is open. */
  exam: ExamModel;
  /** What the page or the app reported as an error. */
  readonly errors: string[];
  /** Whether the service was away since all was at rest: the app says so with 502. */
  wasAway: boolean;
}

/** Ms until somebody who waits for the page has waited too long. */
const patienceMs = 30_000;

/** Waits until `look` gives something, and gives that; fails with what was seen last. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false | null>, seen?: () => unknown) {
  const end = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false && found !== null) return found;
    if (Date.now() > end) throw new Error(`Not seen: ${what}. ${JSON.stringify(await seen?.())}`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Waits until the page looks so. */
export const untilPage = (day: PageDay, what: string, fits: (view: PageView) => boolean): Promise<PageView> =>
  until(
    what,
    async () => {
      const view = await viewOf(day.page);
      return fits(view) && view;
    },
    () => viewOf(day.page),
  );

/** Follows what goes wrong on a page. */
function follow(day: PageDay): void {
  const { page, errors } = day;
  const isOfOutage = (text: string): boolean => day.wasAway && text.includes('502');
  page.on('pageerror', (error) => errors.push(`page: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isOfOutage(message.text())) errors.push(`console: ${message.text()}`);
  });
  page.on('response', (answer) => {
    const said = `${answer.status()}: ${new URL(answer.url()).pathname}`;
    if (answer.status() >= 500 && !isOfOutage(said)) errors.push(said);
  });
  page.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
}

/** The page's process dies, and somebody opens the exam again in another tab. */
export async function dieAndReturn(day: PageDay): Promise<void> {
  const { page } = day;
  const url = page.url();
  const crashed = page.waitForEvent('crash');
  page.goto('chrome://crash').catch(() => undefined);
  await crashed;
  day.page = await page.context().newPage();
  follow(day);
  await day.page.goto(url);
  await page.close();
}

/** The page of a person who tries Laudio with test data, and has no exams yet. */
export async function startDay(browser: Browser, app: RunningApp): Promise<PageDay> {
  const page = await openInTestMode(browser, app.url);
  const visitor = webBrowser(app.url);
  for (const { name, value } of await page.context().cookies(app.url)) visitor.cookies.set(name, value);
  const day: PageDay = {
    page,
    app: visitor.bridge,
    service: await outsider({ transport: app.service }),
    network: app.network,
    exams: [],
    exam: undefined!,
    errors: [],
    wasAway: false,
  };
  follow(day);
  return day;
}

/** The exams of another day; the person is at the list. */
export async function beginDay(day: PageDay, count: number): Promise<void> {
  Object.assign(day, { wasAway: !day.network.isUp });
  day.network.isUp = true;
  day.errors.length = 0;
  const exams: ExamModel[] = [];
  for (let at = 0; at < count; at++) {
    const accession = `KEYS-${++accessions}`;
    const id = await sendExam(day.service, { accession_number: accession, exam_description: `CT chest ${accessions}` });
    exams.push({ id, accession, phase: 'begun', texts: new Map(), title: null, former: new Set(['']) });
  }
  day.exams = exams;
  await openByKeys(day, exams[0]!);
}
let accessions = 1000;

/** Finds an exam by its number and opens it, as somebody does by keyboard. */
export async function openByKeys(day: PageDay, exam: ExamModel): Promise<void> {
  const { page } = day;
  await leaveText(day);
  await page.keyboard.press('/');
  await untilPage(day, 'the search has the keyboard', ({ focus }) => /search|Name, ID/i.test(focus?.name ?? ''));
  await page.keyboard.press('Control+a');
  await page.keyboard.type(exam.accession);
  await until(
    'one exam',
    async () => (await rows(page).count()) === 1 && (await rows(page).first().innerText()) !== '',
  );
  await page.keyboard.press('Enter');
  day.exam = exam;
  await untilPage(day, 'the exam is open', (view) => view.exam === exam.id && view.texts.length > 0);
  const view = await untilPage(day, 'its words are there', ({ texts }) => holds(texts, exam));
  exam.texts = new Map(view.texts);
}

/** Out of a text, a menu or a dialog: the page's own keys work. */
export async function leaveText({ page }: PageDay): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    const isIn = await page.evaluate(
      () =>
        document.querySelector('dialog[open], .menu:popover-open') !== null ||
        document.activeElement instanceof HTMLTextAreaElement ||
        document.activeElement instanceof HTMLInputElement,
    );
    if (!isIn) return;
    await page.keyboard.press('Escape');
  }
}

/** Presses Tab until a control of a part of the page has the keyboard whose name fits; every control must be reached so. */
export async function tabTo(day: PageDay, name: RegExp, part = 'body'): Promise<void> {
  let hasLeft = false;
  for (let tries = 0; tries < 120; tries++) {
    const { focus } = await viewOf(day.page);
    if (focus && name.test(focus.name) && (await day.page.locator(`${part} :focus`).count()) > 0) return;
    // In a text Tab goes to the next text, until somebody leaves the texts.
    if (focus?.section && !hasLeft) {
      await leaveText(day);
      hasLeft = true;
    }
    await day.page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${String(name)}: ${JSON.stringify(await viewOf(day.page))}`);
}

/** Sections that nobody wrote are empty. */
const holds = (shown: PageView['texts'], { texts }: ExamModel): boolean =>
  shown.every(([key, text]) => text === (texts.get(key) ?? '')) &&
  [...texts.keys()].every((key) => shown.some(([each]) => each === key));

/** The words on the page are those of the model, at once and at any time, and nothing is shown as signed that is not. */
export async function expectWords(day: PageDay): Promise<PageView> {
  const { exam, errors } = day;
  const view = await viewOf(day.page);
  expect(errors).toEqual([]);
  expect(view.exam).toBe(exam.id);
  if (exam.phase !== 'written') expect(Object.fromEntries(view.texts)).toEqual(Object.fromEntries(exam.texts));
  if (exam.title !== null) expect(view.title).toBe(exam.title);
  if (view.state.startsWith('Signed') || view.foot.startsWith('Signed')) {
    const { status, signing } = (await recordOf(day, exam))!;
    expect(status === 'final' || signing !== undefined).toBe(true);
  }
  return view;
}

/** Its words as the model has them. */
export const textsOf = ({ sections }: Pick<MedicalRecord, 'sections'>): Map<string, string> =>
  new Map(sections.map(({ key, text }) => [key, text.normalize('NFC')]));

/** The report of an exam at the service. */
export async function recordOf(day: PageDay, { id }: ExamModel): Promise<MedicalRecord | undefined> {
  const { data } = await day.service.records.list({ query: { worklist_item_id: id } });
  const [first] = data.items;
  return first && (await day.service.records.get({ params: { id: first.id } })).data;
}

/** State of the report, and the line below it, once everything has settled. */
const resting: Readonly<Record<Exclude<Phase, 'written'>, readonly [state: RegExp, foot: RegExp]>> = {
  begun: [
    /^(Ready|Being edited)$/,
    /^(Saved automatically|Dictate, or type into a section\. Everything goes into the report\.)$/,
  ],
  draft: [/^Draft, version \d+$/, /^Saved$/],
  signing: [/^Signed, can be undone$/, /^Signed by/],
  final: [/^Signed, version \d+$/, /^(Signed by|Saved)/],
};

/** Once everything has settled, page, app and service agree with the model, and nothing waits. */
export async function expectRest(day: PageDay): Promise<void> {
  const { exam } = day;
  const { phase } = exam;
  if (!day.network.isUp || phase === 'written') return void (await expectWords(day));
  const [state, foot] = resting[phase];
  const view = await untilPage(day, `at rest as ${phase}`, (seen) => state.test(seen.state) && foot.test(seen.foot));
  await expectWords(day);
  expect(view.dialog).toBeNull();
  const { items: refused } = await day.app.call('changes.refused', {});
  expect(refused).toEqual([]);
  await until(
    'the outbox is empty',
    async () => (await day.app.call('session.state', {})).waiting === 0,
    () => day.app.call('session.state', {}),
  );
  day.wasAway = false;
  if (phase === 'begun') return;
  const record = (await recordOf(day, exam))!;
  expect(Object.fromEntries(textsOf(record))).toEqual(Object.fromEntries(exam.texts));
  expect({
    title: record.title.normalize('NFC'),
    status: record.status,
    isSigning: record.signing !== undefined,
  }).toEqual({
    title: exam.title,
    status: phase === 'final' ? 'final' : 'draft',
    isSigning: phase === 'signing',
  });
  const leftOver = async () => {
    const { items } = await day.app.call('typed.list', {});
    return items.filter(({ subject }) => subject === record.id || subject === exam.id);
  };
  await until('no typed words are left over', async () => (await leftOver()).length === 0, leftOver);
}
