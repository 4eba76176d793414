/** What a person does at the page in a day, by keys, and what must come of it. */
import { expect } from 'vitest';
import { graceOf } from './app.ts';
import {
  dieAndReturn,
  expectRest,
  leaveText,
  openByKeys,
  recordOf,
  tabTo,
  textsOf,
  until,
  untilPage,
  viewOf,
} from './page-day.ts';
import type { PageDay, PageView } from './page-day.ts';
import { hearMore } from './quick-ear.ts';

export const phrases = [
  ' No effusion.',
  ' Cyst of 5 mm in the left kidney.',
  ' Área de 1,5 cm — não há derrame.',
  ' -10 HU\nNew line in the right jugular vein.',
  ' e\u0301',
  ' Scratch that itch; undo that.',
  ' 😀',
  '  two  blanks ',
] as const;
export const pastes = {
  lines: 'First line.\nSecond line.\n\nFourth line.',
  signs: 'Nodule, 4 × 5 mm,\tin the right upper lobe',
  much: 'long '.repeat(600),
} as const;
export const instructions = [
  'Replace nodule with cyst.',
  'Add to the findings: the spleen is normal.',
  'In the impression, delete the last sentence.',
  'something that nobody understands',
] as const;
export const macro = { name: 'simple cyst', text: 'Cyst in the [side: right|left] kidney, [__ mm].' } as const;

/** What a step takes of what was drawn. */
export interface Drawn {
  readonly phrase: string;
  readonly paste: keyof typeof pastes;
  readonly instruction: string;
  readonly nth: number;
  /** Whether somebody goes on without waiting until all is saved. */
  readonly hurries: boolean;
}
type Step = (day: PageDay, drawn: Drawn) => Promise<void>;

const mayType = ({ exam: { phase } }: PageDay): boolean => phase === 'begun' || phase === 'draft';

/** Into a section, by the keys for it or by Tab, with the caret at an end of its text. Gives what is there then. */
async function enterSection(day: PageDay, nth: number): Promise<PageView & { focus: NonNullable<PageView['focus']> }> {
  const { page } = day;
  await page.keyboard.press(nth % 2 === 0 ? 'F2' : 'F4');
  const wanted = nth % 2 === 0 ? 'findings' : 'impression';
  await untilPage(day, `the caret is in ${wanted}`, ({ focus }) => focus?.section === wanted);
  if (nth % 5 === 4) await page.keyboard.press('Shift+Tab');
  await page.keyboard.press(nth % 3 === 0 ? 'Control+Home' : 'Control+End');
  const view = await viewOf(page);
  expect(view.focus?.section).not.toBeNull();
  return view as PageView & { focus: NonNullable<PageView['focus']> };
}

/** What is between the caret's ends becomes `text`. */
function replace(day: PageDay, { focus }: Pick<PageView, 'focus'>, raw: string): void {
  const text = raw.normalize('NFC');
  const { texts, former } = day.exam;
  const { section, start, end } = focus!;
  const before = texts.get(section!) ?? '';
  former.add(before);
  for (let at = 1; at <= text.length; at++) former.add(before.slice(0, start) + text.slice(0, at) + before.slice(end));
  texts.set(section!, before.slice(0, start) + text + before.slice(end));
}

/** The model takes over the report as the service has it, which was asked to change it. */
async function adopt(day: PageDay): Promise<void> {
  const record = await recordOf(day, day.exam);
  for (const text of day.exam.texts.values()) day.exam.former.add(text);
  Object.assign(day.exam, { texts: textsOf(record!), title: record!.title.normalize('NFC') });
}

/** The page shows what the service has. */
async function adoptShown(day: PageDay): Promise<void> {
  await adopt(day);
  await until(
    'the page shows what the service has',
    async () => {
      await adopt(day);
      const { texts } = await viewOf(day.page);
      return JSON.stringify(texts) === JSON.stringify([...day.exam.texts]);
    },
    () => viewOf(day.page),
  );
}

/** The service is there again, and makes the report that was asked for meanwhile. */
export async function comeBack(day: PageDay): Promise<void> {
  const { exam, network } = day;
  network.isUp = true;
  if (exam.phase !== 'written') return;
  const typed = exam.texts;
  await untilPage(day, 'the report that was written', ({ state }) => state.startsWith('Draft'));
  exam.phase = 'draft';
  await adopt(day);
  for (const [key, text] of typed) if (text.trim() !== '') expect(exam.texts.get(key)).toBe(text);
}

const rest = (day: PageDay): Promise<void> => expectRest(day);

const untilShown = (day: PageDay): Promise<PageView> =>
  untilPage(day, 'the exam with its words', ({ exam, state, texts }) => {
    if (exam !== day.exam.id) return false;
    if (day.exam.phase === 'written') return state !== '';
    const shown = Object.fromEntries(texts);
    return texts.length > 0 && [...day.exam.texts].every(([key, text]) => shown[key] === text);
  });

/** What somebody does at the page, by name. A step that cannot be done now does nothing. */
export const steps: Readonly<Record<string, Step>> = {
  async type(day, { phrase, nth }) {
    if (!mayType(day)) return;
    const view = await enterSection(day, nth);
    await day.page.keyboard.type(phrase);
    replace(day, view, phrase);
  },
  async 'delete a word'(day, { nth }) {
    if (!mayType(day)) return;
    const { page } = day;
    await enterSection(day, nth);
    await page.keyboard.press('Control+Shift+ArrowLeft');
    const view = await viewOf(page);
    await page.keyboard.press('Backspace');
    replace(day, { focus: { ...view.focus!, start: Math.max(0, view.focus!.start) } }, '');
  },
  async paste(day, { paste, nth }) {
    if (!mayType(day)) return;
    const view = await enterSection(day, nth);
    await day.page.keyboard.insertText(pastes[paste]);
    replace(day, view, pastes[paste]);
  },
  async 'copy and paste a section'(day, { nth }) {
    if (!mayType(day)) return;
    const { page } = day;
    await enterSection(day, nth);
    await page.keyboard.press('Control+a');
    const { focus } = await viewOf(page);
    const text = (day.exam.texts.get(focus!.section!) ?? '').slice(focus!.start, focus!.end);
    if (text === '') return;
    await page.keyboard.press(nth % 4 < 2 ? 'Control+c' : 'Control+x');
    if (nth % 4 >= 2) replace(day, { focus }, '');
    await page.keyboard.press('Control+End');
    const view = await viewOf(page);
    await page.keyboard.press('Control+v');
    await until('the paste', async () => (await viewOf(page)).focus?.end === view.focus!.end + text.length);
    replace(day, view, text);
  },
  async 'undo and redo'(day) {
    if (!mayType(day)) return;
    const { page, exam } = day;
    const before = await viewOf(page);
    if (!before.focus?.section) return;
    await page.keyboard.press('Control+z');
    const undone = await viewOf(page);
    for (const [key, text] of undone.texts) if (text !== exam.texts.get(key)) expect(exam.former).toContain(text);
    await page.keyboard.press('Control+Shift+z');
    const redone = await viewOf(page);
    if (JSON.stringify(undone.texts) !== JSON.stringify(before.texts))
      expect(Object.fromEntries(redone.texts)).toEqual(Object.fromEntries(before.texts));
  },
  async 'take an autotext'(day, { nth }) {
    if (!mayType(day)) return;
    const { page } = day;
    await enterSection(day, 1 + nth * 3);
    await page.keyboard.press('Control+End');
    const view = await viewOf(page);
    await page.keyboard.type('\n/simp');
    await page.getByRole('listbox', { name: 'Autotexts' }).waitFor();
    await page.keyboard.press('Enter');
    const { section, start } = view.focus!;
    const before = day.exam.texts.get(section!)!;
    replace(day, view, '\n/simp');
    day.exam.texts.set(section!, before);
    replace(day, view, `\n${macro.text}`);
    await untilPage(
      day,
      'its first field is selected',
      ({ focus }) => focus!.start === start + 1 + macro.text.indexOf('['),
    );
  },
  async 'fill in a field'(day, { nth }) {
    if (!mayType(day)) return;
    const { page } = day;
    if (![...day.exam.texts.values()].some((text) => /\[(side:|__)/.test(text))) return;
    await page.keyboard.press('F3');
    const view = await untilPage(day, 'a field is selected', ({ focus }) => focus !== null && focus.end > focus.start);
    const { section, start, end } = view.focus!;
    const field = day.exam.texts.get(section!)!.slice(start, end);
    if (field === '[__ mm]') {
      await page.keyboard.type(`${nth + 1}`);
      replace(day, view, `${nth + 1} mm`);
    } else if (field === '[side: right|left]') {
      await page.keyboard.type(nth % 2 === 0 ? 'l' : 'RI');
      await page.keyboard.press('Tab');
      replace(day, view, nth % 2 === 0 ? 'left' : 'right');
    }
  },
  async 'write the title'(day, { phrase }) {
    const { exam, page } = day;
    if (exam.phase !== 'draft') return;
    await enterSection(day, 0);
    await page.keyboard.press('Escape');
    for (let tries = 0; (await viewOf(page)).focus?.name !== 'Title of the report'; tries++) {
      expect(tries).toBeLessThan(9);
      await page.keyboard.press('Shift+Tab');
    }
    await page.keyboard.press('End');
    await page.keyboard.type(phrase.trim().split('\n')[0]!);
    exam.title = (exam.title! + phrase.trim().split('\n')[0]!).normalize('NFC');
  },
  async 'make the report'(day) {
    const { exam, page, network } = day;
    if (exam.phase !== 'begun' || [...exam.texts.values()].every((text) => text.trim() === '')) return;
    await page.keyboard.press('Control+Enter');
    exam.phase = 'written';
    if (network.isUp) return comeBack(day);
    await untilPage(day, 'the text waits', ({ state }) => state === 'Waiting to be sent');
  },
  async dictate(day, { nth }) {
    const { exam, page, network } = day;
    if (exam.phase !== 'begun' || !network.isUp) return;
    const typed = new Map(exam.texts);
    await leaveText(day);
    await page.keyboard.press('Space');
    await page.locator('.recorder h2', { hasText: /^Recording$/ }).waitFor();
    await hearMore(page, 2 + nth);
    await page.keyboard.press('Space');
    await page.locator('.recorder h2', { hasText: /^Paused$/ }).waitFor();
    await page.keyboard.press('Control+Enter');
    await untilPage(day, 'the report', ({ state }) => state.startsWith('Draft'));
    exam.phase = 'draft';
    // What was typed before comes into the report that was heard.
    await untilPage(day, 'what was typed and said', ({ texts }) => {
      const shown = new Map(texts);
      return [...typed].every(([key, text]) => shown.get(key)?.includes(text) ?? text === '');
    });
    await adoptShown(day);
  },
  async instruct(day, { instruction, nth }) {
    const { exam, page, network } = day;
    if (exam.phase !== 'draft' || !network.isUp) return;
    await rest(day);
    const before = new Map(exam.texts);
    await page.keyboard.press('F8');
    await page.locator('dialog[open] input:focus').waitFor();
    await page.keyboard.type(instruction);
    await page.keyboard.press('Enter');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Corrected' }).waitFor();
    await adopt(day);
    const isUndone = nth % 2 === 0 && JSON.stringify([...before]) !== JSON.stringify([...exam.texts]);
    await tabTo(day, isUndone ? /^Undo$/ : /^(Keep it|Close)$/, '.document-corrected');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Corrected' }).waitFor({ state: 'detached' });
    if (isUndone) exam.texts = before;
  },
  async 'look at a mark'(day, { nth }) {
    const { exam, page, network } = day;
    if (exam.phase !== 'draft' || !network.isUp) return;
    await rest(day);
    await page.keyboard.press('F7');
    await page.keyboard.press('Control+.');
    if (nth % 2 === 0) await page.keyboard.press('Escape');
    else {
      const stand = page.locator('.word-notes').getByRole('button', { name: 'Keep as is' });
      if ((await stand.count()) === 0) return void (await page.keyboard.press('Escape'));
      await page.locator('.word-notes :focus').waitFor();
      await tabTo(day, /^Keep as is$/);
      const dismissed = async (): Promise<number> =>
        ((await recordOf(day, exam))!.findings_to_review ?? []).filter(({ status }) => status === 'dismissed').length;
      const before = await dismissed();
      await page.keyboard.press('Enter');
      await until('it stands', async () => (await dismissed()) === before + 1);
    }
  },
  async restore(day, { nth }) {
    const { exam, page, network } = day;
    if (exam.phase !== 'draft' || !network.isUp) return;
    await rest(day);
    const record = (await recordOf(day, exam))!;
    await page.keyboard.press('F9');
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog
      .getByRole('button', { name: /^Version/ })
      .first()
      .waitFor();
    const n = 1 + (nth % record.version);
    const isListed = await dialog.getByRole('button', { name: new RegExp(`^Version ${n}\\b`) }).isVisible();
    if (!isListed || n === record.version) return void (await page.keyboard.press('Escape'));
    await tabTo(day, new RegExp(`^Version ${n}\\b`));
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Restore this version' }).waitFor();
    await tabTo(day, /^Restore this version$/);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { data } = await day.service.records.version({ params: { id: record.id, n } });
    for (const text of exam.texts.values()) exam.former.add(text);
    exam.texts = textsOf(data);
    exam.title = data.title.normalize('NFC');
    await untilPage(day, 'the version', ({ texts }) => JSON.stringify(texts) === JSON.stringify([...exam.texts]));
  },
  async sign(day) {
    const { exam, page, network } = day;
    if (exam.phase !== 'draft') return;
    const isSigned = ({ state }: PageView): boolean => (network.isUp ? /^Signed/ : /^Not signed yet$/).test(state);
    await page.keyboard.press('Control+Shift+Enter');
    const asked = await untilPage(day, 'signed, or a question', (view) => view.dialog !== null || isSigned(view));
    if (asked.dialog !== null) {
      const hasFields = (await page.getByRole('button', { name: 'Fill in' }).count()) > 0;
      await page.locator('dialog[open] .button-primary:focus').waitFor();
      await page.keyboard.press('Enter');
      if (hasFields) return void (await untilPage(day, 'the open field', ({ focus }) => focus?.section !== null));
      await untilPage(day, 'signed', isSigned);
    }
    exam.phase = 'signing';
  },
  async 'take back'(day) {
    const { exam, page } = day;
    if (exam.phase !== 'signing') return;
    await tabTo(day, /^Undo signature$/);
    await page.keyboard.press('Enter');
    await untilPage(day, 'a draft again', ({ state }) => state.startsWith('Draft'));
    exam.phase = 'draft';
  },
  async 'the grace ends'(day) {
    const { exam, network } = day;
    if (exam.phase !== 'signing' || !network.isUp) return;
    await rest(day);
    const { id } = (await recordOf(day, exam))!;
    await day.service.records.update({ params: { id }, body: { status: 'final' } });
    exam.phase = 'final';
    await untilPage(day, 'final', ({ state }) => state.startsWith('Signed, version'));
  },
  async addendum(day, { phrase }) {
    const { exam, page, network } = day;
    if (exam.phase !== 'final' || !network.isUp) return;
    const before = (await recordOf(day, exam))!.sections.length;
    // Otherwise it would wait for the minute in which it can be taken back.
    await graceOf(page, 0);
    await tabTo(day, /^Add addendum$/);
    await page.keyboard.press('Enter');
    await page.locator('.addendum textarea:focus').waitFor();
    await page.keyboard.type(`Addendum.${phrase}`);
    await page.keyboard.press('Control+Enter');
    await page.locator('.addendum').waitFor({ state: 'detached' });
    await until('the addendum', async () => (await recordOf(day, exam))!.sections.length === before + 1);
    await graceOf(page, 60);
    await adopt(day);
    expect([...exam.texts.values()].at(-1)).toContain(`Addendum.${phrase}`.trim().normalize('NFC'));
  },
  async 'load the page again'(day) {
    await day.page.reload();
    await untilShown(day);
  },
  async 'the page dies'(day) {
    const { app, exam } = day;
    if (!mayType(day)) return;
    // A page that dies takes along the letters that are on their way to the app.
    await until('the app has the words', async () => {
      const { items } = await app.call('typed.list', {});
      const record = exam.phase === 'begun' ? undefined : await recordOf(day, exam);
      const kept = items.find(({ subject }) => subject === exam.id || subject === record?.id) ?? record;
      return kept === undefined
        ? [...exam.texts.values()].every((text) => text === '')
        : (kept.sections ?? []).every(({ key, text }) => exam.texts.get(key) === text.normalize('NFC'));
    });
    await dieAndReturn(day);
    await untilShown(day);
  },
  async 'the service goes'(day) {
    if (day.exam.phase === 'final') return;
    Object.assign(day, { wasAway: true });
    day.network.isUp = false;
  },
  'the service returns': comeBack,
  async 'a colleague writes in another section'(day, { nth }) {
    const { exam, network } = day;
    if (exam.phase !== 'draft' || !network.isUp) return;
    await rest(day);
    const { id, sections } = (await recordOf(day, exam))!;
    const other = sections.find(({ key }) => !['findings', 'impression'].includes(key));
    if (!other) return;
    const text = `${other.text} Colleague ${nth}.`;
    const changed = sections.map((each) => (each === other ? { ...each, text } : each));
    const [view] = await Promise.all([
      enterSection(day, nth % 2),
      day.service.records.update({ params: { id }, body: { sections: changed } }),
    ]);
    await day.page.keyboard.type(' Mine.');
    const { section } = view.focus;
    if (section !== null && ['findings', 'impression'].includes(section)) replace(day, view, ' Mine.');
    else throw new Error(`In ${section}`);
    exam.texts.set(other.key, text);
    await untilPage(day, 'the words of both', ({ texts }) => texts.some(([, each]) => each === text));
  },
  async 'look through the list'(day, { nth }) {
    const { page } = day;
    await leaveText(day);
    for (let at = 0; at < 1 + (nth % 3); at++) await page.keyboard.press(nth % 2 === 0 ? 'j' : 'k');
    await page.keyboard.press('/');
    await page.keyboard.type('nobody has this name');
    await page.getByRole('listbox', { name: 'Exams' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('listbox', { name: 'Exams' }).waitFor();
  },
  async 'go elsewhere and back'(day, { nth }) {
    const { exam, exams } = day;
    const other = exams[nth % exams.length]!;
    if (exam === other || !day.network.isUp) return;
    await openByKeys(day, other);
    if (nth % 2 === 0) await openByKeys(day, exam);
  },
  async 'read the keys'({ page }) {
    await leaveText({ page } as PageDay);
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  },
};
