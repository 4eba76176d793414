/** Puts measurements of the viewer into the open report: at the caret, where the words of the dictation go, or in the findings. */
import type { Measurement } from '../../../../src/contract/measurement.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { measurementText } from '../../../../src/reporting/measurement-text.ts';
import { t } from '../../i18n/index.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { onMeasurement } from '../../state/hub.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { isReady } from '../../state/report/document.ts';
import { insertWords } from '../../state/report/insert-words.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import { go } from '../../state/route.ts';
import { isReportVisible } from '../../state/visible-pane.ts';
import { replaceText } from './fill-fields.ts';
import { fieldId, showIn } from './keyboard-navigation.ts';

interface ReportOfExam {
  readonly itemId: string;
  readonly language: Language;
}

/** Where measurements were put, by exam and id, for the viewer's corrections and selections. */
const words = new Map<string, string>();

export function followMeasurements(pane: HTMLElement, { itemId, language }: ReportOfExam): () => void {
  /** The text that had the caret last. */
  let last: { readonly id: string; readonly at: number } | undefined;
  const note = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLTextAreaElement && pane.contains(target) && target.closest('.document-section'))
      last = { id: target.id, at: target.selectionEnd };
  };
  const fields = (): HTMLTextAreaElement[] =>
    [...pane.querySelectorAll<HTMLTextAreaElement>('.document-section textarea')].filter(({ readOnly }) => !readOnly);
  const find = (text: string) => {
    const field = text === '' ? undefined : fields().find(({ value }) => value.includes(text));
    return field && { field, start: field.value.indexOf(text), end: field.value.indexOf(text) + text.length };
  };
  const insert = (measurement: Measurement): void => {
    const key = `${itemId} ${measurement.id}`;
    const text = measurementText(measurement, language);
    const earlier = find(words.get(key) ?? '');
    const place = earlier ?? findPlace(fields(), last);
    if (!place) return void notify({ tone: 'error', text: t('viewer.not_inserted', { text }) });
    words.set(key, text);
    put(itemId, place, { measurement, text, isChanged: earlier !== undefined });
    if (!isReportVisible.peek()) notify({ tone: 'info', text: t('viewer.inserted', { text }) });
  };
  const select = (ids: readonly string[]): void => {
    const found = ids.map((id) => find(words.get(`${itemId} ${id}`) ?? '')).find((each) => each !== undefined);
    if (!found) return;
    go({ pane: 'document' });
    showIn(found.field, found.start, found.end);
  };
  const stop = onMeasurement((news) => {
    if (news.itemId !== itemId) return;
    if (news.measurement) insert(news.measurement);
    if (news.selected) select(news.selected);
  });
  pane.addEventListener('focusout', note);
  return () => {
    stop();
    pane.removeEventListener('focusout', note);
  };
}

interface Place {
  readonly field: HTMLTextAreaElement;
  readonly start: number;
  readonly end: number;
}

const defaultSections = ['findings', 'examination'].map(fieldId);

function findPlace(
  fields: readonly HTMLTextAreaElement[],
  last: { readonly id: string; readonly at: number } | undefined,
): Place | undefined {
  const focused = fields.find((field) => field === document.activeElement);
  if (focused) return { field: focused, start: focused.selectionEnd, end: focused.selectionEnd };
  const spoken = fields.find((field) => field.closest('.document-section')?.querySelector('.live-here'));
  const left = fields.find(({ id }) => id === last?.id);
  const field = spoken ?? left ?? fields.find(({ id }) => defaultSections.includes(id)) ?? fields.at(-1);
  if (!field) return undefined;
  const end = field.value.length;
  const at = field === left && !spoken ? Math.min(last?.at ?? end, end) : end;
  return { field, start: at, end: at };
}

function put(
  itemId: string,
  { field, start, end }: Place,
  { measurement, text, isChanged }: { measurement: Measurement; text: string; isChanged: boolean },
): void {
  const section = field.closest('[data-section]')?.getAttribute('data-section');
  if (section === null || section === undefined) return;
  const rest = field.value.slice(0, start) + field.value.slice(end);
  const next = isChanged
    ? { text: field.value.slice(0, start) + text + field.value.slice(end), added: text, end: start + text.length }
    : insertWords(rest, start, text);
  const brought = { section, text, viewer: measurement };
  const document = openedReport.peek()?.document;
  const isFocused = field === globalThis.document.activeElement;
  if (document && isReady(document) && !field.closest('.live-text')) {
    const { section: _, ...from } = brought;
    void document.bring(section, next.text, from);
    if (isFocused) requestAnimationFrame(() => field.setSelectionRange(next.end, next.end));
    return;
  }
  replaceText(field, start, end, next.added);
  if (isFocused) field.setSelectionRange(next.end, next.end);
  bridge()
    .call('hub.placed', { item_id: itemId, brought })
    .catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
}
