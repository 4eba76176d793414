/** Puts measurements of the viewer into the open report: at the caret, where the words of the dictation go, or in the findings. */
import { effect } from '@preact/signals';
import type { BroughtText } from '../../../../src/contract/inserted-text.ts';
import type { Measurement } from '../../../../src/contract/measurement.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { createOrder } from '../../../../src/domain/in-order.ts';
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { measurementText } from '../../../../src/reporting/measurement-text.ts';
import { t } from '../../i18n/index.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { onMeasurement } from '../../state/hub.ts';
import type { MeasurementNews } from '../../state/hub.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { moveCaret } from '../../state/report/caret.ts';
import { insertWords } from '../../state/report/insert-words.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import {
  decidePlacing,
  findMeasurement,
  findWords,
  withoutLost,
  withoutSaved,
} from '../../state/report/place-measurement.ts';
import type { KnownMeasurements, MeasurementPlace, OpenText } from '../../state/report/place-measurement.ts';
import { go } from '../../state/route.ts';
import { isReportVisible } from '../../state/visible-pane.ts';
import { newAddendum } from './addendum.tsx';
import { replaceText } from './fill-fields.ts';
import { fieldId, showIn } from './keyboard-navigation.ts';

interface ReportOfExam {
  readonly itemId: string;
  readonly language: Language;
}

/** A measurement that is not in the report yet, or one that was deleted. */
type Waiting = Pick<MeasurementNews, 'measurement' | 'deleted' | 'again'>;

/** Where the caret was last. */
interface LastCaret {
  readonly id: string;
  readonly at: number;
}

const report = (thrown: unknown): unknown => notifyError(asBridgeError(thrown));

/** Nothing is lost: what can't be put in now waits, here and at the app, until the report can take it. */
export function followMeasurements(pane: HTMLElement, { itemId, language }: ReportOfExam): () => void {
  const waiting = new Map<string, Waiting>();
  /** Measurements in words that are not saved yet; `undefined` until the app has said. */
  let unsaved: readonly BroughtText[] | undefined;
  const caret = followCaret(pane);
  const mention = createMentions(pane, language);
  /** The selection of the viewer, until it is known where its words are. */
  let selected: { readonly id: string; readonly ids: readonly string[] } | undefined;
  const inOrder = createOrder();
  let isOver = false;
  const fields = (): HTMLTextAreaElement[] =>
    [...pane.querySelectorAll<HTMLTextAreaElement>('.document-section textarea')].filter(({ readOnly }) => !readOnly);

  const findKnown = (): KnownMeasurements | undefined => {
    const opened = openedReport.value;
    const document = opened?.itemId === itemId ? opened.document : undefined;
    const phase = document?.phase.value ?? 'loading';
    const saved = phase === 'ready' ? document?.measured.value : [];
    if (!unsaved || !saved || phase === 'loading') return undefined;
    unsaved = withoutSaved({ unsaved, saved });
    return { unsaved, saved };
  };
  const decide = (measurement: Measurement, again = false) => {
    const known = findKnown();
    const texts = fields().map(readField);
    return known && decidePlacing(measurement, again ? withoutLost(known, texts) : known, texts);
  };
  /** Resolves once the app has the words; `undefined`: they can't be put in now. */
  const carryOut = (measurement: Measurement, again?: boolean): Promise<void> | undefined => {
    const placing = decide(measurement, again);
    if (!placing || placing.kind === 'wait') return undefined;
    const text = measurementText(measurement, language);
    if (placing.kind === 'changed')
      notify({ tone: 'error', text: t('viewer.not_corrected', { text, previous: placing.previous }) });
    if (placing.kind !== 'correct' && placing.kind !== 'insert') return Promise.resolve();
    const present = fields();
    const field = placing.kind === 'correct' ? findField(present, placing.at) : chooseField(present, caret.last());
    if (!field) return undefined;
    const brought: BroughtText = { section: readField(field).section, text, viewer: measurement };
    unsaved = [...(unsaved ?? []), brought];
    // Saved at once, so that the origin of the words is visible.
    const save = () => openedReport.peek()?.document.save();
    const saved = bridge().call('hub.placed', { item_id: itemId, brought }).then(save);
    const before = field.value;
    if (placing.kind === 'correct') correctText(field, placing.at, text);
    else insertText(field, placeIn(field, caret.last()), text);
    caret.move(field, before);
    if (!isReportVisible.peek()) notify({ tone: 'info', text: t('viewer.inserted', { text }) });
    return saved;
  };
  /** A person decides whether the words go, too. */
  const noteDeletion = (id: string): Promise<void> | undefined => {
    const known = findKnown();
    const text = known && findWords(id, known, fields().map(readField));
    if (text !== undefined) notify({ tone: 'error', text: t('viewer.deleted', { text }) });
    return known && Promise.resolve();
  };
  /** Reads what other pages have put in, and gives what waits. */
  const read = async () => {
    const { placed, waiting: others } = await bridge().call('hub.measurements', { item_id: itemId });
    const own = (unsaved ?? []).filter(({ viewer }) => placed.every((each) => each.viewer?.id !== viewer?.id));
    unsaved = [...own, ...placed];
    return others;
  };
  /** Claims it once it can be put in, so that another page takes it otherwise. */
  const attempt = async (id: string): Promise<void> => {
    const news = waiting.get(id);
    if (!news || !findKnown()) return;
    const { measurement, deleted, again } = news;
    if (measurement && decide(measurement, again)?.kind === 'wait') return mention(id, measurement);
    waiting.delete(id);
    if (!(await bridge().call('hub.answer', { id })).is_first) return;
    await read();
    const settle = (isDone: boolean) => bridge().call('hub.settle', { id, is_done: isDone });
    const saved = isOver ? undefined : measurement ? carryOut(measurement, again) : noteDeletion(deleted ?? '');
    if (!saved) return void (await settle(false));
    // The next one need not wait for it.
    saved.then(() => settle(true)).catch(report);
  };
  /** Shows the words that the viewer selected last. */
  const select = async (): Promise<void> => {
    const known = findKnown();
    if (!selected || !known) return;
    const { id, ids } = selected;
    const find = () => {
      const texts = fields().map(readField);
      return ids.map((each) => findMeasurement(each, known, texts)).find((place) => place !== undefined);
    };
    selected = undefined;
    if (!find() || !(await bridge().call('hub.answer', { id })).is_first) return;
    const place = find();
    const field = place && findField(fields(), place);
    if (!field) return;
    go({ pane: 'document' });
    showIn(field, place.start, place.end);
  };
  const attemptAll = (): void => {
    for (const id of waiting.keys()) inOrder(() => attempt(id)).catch(report);
    if (selected) inOrder(select).catch(report);
  };
  const takeWaiting = async (): Promise<void> => {
    for (const news of await read()) if (!waiting.has(news.id)) waiting.set(news.id, news);
    attemptAll();
  };
  // It is read again once the app answers.
  const begin = (): void => void inOrder(takeWaiting).catch(() => undefined);

  const observer = new MutationObserver(attemptAll);
  observer.observe(pane, { childList: true, subtree: true, attributeFilter: ['readonly'] });
  const endings = [
    onMeasurement((news) => {
      if (news.itemId !== itemId) return;
      if (news.selected) selected = { id: news.id, ids: news.selected };
      else waiting.set(news.id, news);
      attemptAll();
    }),
    effect(() => {
      findKnown();
      attemptAll();
    }),
    bridge().onGap(begin),
    () => observer.disconnect(),
    caret.close,
    // The app keeps those that are not settled.
    () => {
      isOver = true;
      waiting.clear();
    },
  ];
  begin();
  return () => endings.forEach((end) => end());
}

/** Says once of each measurement that the report can't take it now. */
function createMentions(pane: HTMLElement, language: Language) {
  const mentioned = new Set<string>();
  return (id: string, measurement: Measurement): void => {
    if (mentioned.has(id) || pane.querySelector('.skeleton')) return;
    mentioned.add(id);
    const key = openedReport.peek()?.document.record.peek()?.status === 'final' ? 'not_inserted' : 'waits';
    notify({ tone: 'error', text: t(`viewer.${key}`, { text: measurementText(measurement, language) }) });
  };
}

/** Follows where the caret was before the focus left the texts. */
function followCaret(pane: HTMLElement) {
  let last: LastCaret | undefined;
  const note = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLTextAreaElement && pane.contains(target) && target.closest('.document-section'))
      last = { id: target.id, at: target.selectionEnd };
  };
  pane.addEventListener('focusout', note);
  return {
    last: () => last,
    /** The text of the field has changed around it. */
    move({ id, value }: HTMLTextAreaElement, before: string): void {
      if (last?.id === id) last = { id, at: moveCaret(before, value, last.at) };
    },
    close: () => pane.removeEventListener('focusout', note),
  };
}

const sectionOf = (field: HTMLTextAreaElement): string =>
  field.closest('[data-section]')?.getAttribute('data-section') ?? '';
function readField(field: HTMLTextAreaElement): OpenText {
  const section = sectionOf(field);
  return { section: section === newAddendum ? addendumKey : section, text: field.value };
}

const findField = (fields: readonly HTMLTextAreaElement[], { section }: MeasurementPlace) =>
  fields.find((field) => readField(field).section === section);

const defaultSections = ['findings', 'examination'].map(fieldId);

function chooseField(
  fields: readonly HTMLTextAreaElement[],
  last: LastCaret | undefined,
): HTMLTextAreaElement | undefined {
  return (
    fields.find((field) => field === document.activeElement) ??
    fields.find(isSpoken) ??
    fields.find(({ id }) => id === last?.id) ??
    fields.find(({ id }) => defaultSections.includes(id)) ??
    fields.at(-1)
  );
}

const isSpoken = (field: HTMLTextAreaElement): boolean =>
  field.closest('.document-section')?.querySelector('.live-here') !== null;

/** The caret, or where it was last; elsewhere, and where words arrive, the end. */
function placeIn(field: HTMLTextAreaElement, last: LastCaret | undefined): number {
  const end = field.value.length;
  if (field === document.activeElement) return field.selectionEnd;
  return field.id === last?.id && !isSpoken(field) ? Math.min(last.at, end) : end;
}

function insertText(field: HTMLTextAreaElement, at: number, text: string): void {
  const { added, end } = insertWords(field.value, at, text);
  const isFocused = field === document.activeElement;
  replaceText(field, at, at, added);
  if (isFocused) field.setSelectionRange(end, end);
}

/** The person goes on where they are. */
function correctText(field: HTMLTextAreaElement, { start, end }: MeasurementPlace, text: string): void {
  const { value: before, selectionStart, selectionEnd, selectionDirection } = field;
  const isFocused = field === document.activeElement;
  replaceText(field, start, end, text);
  if (!isFocused) return;
  const [from, to] = [selectionStart, selectionEnd].map((at) => moveCaret(before, field.value, at));
  field.setSelectionRange(from ?? null, to ?? null, selectionDirection);
}
