/**
 * Keyboard navigation in a report: Tab goes between text fields (the sections and their open fields), shortcuts go to a
 * section or the next open field, and Escape leaves the text fields, after which Tab visits every control again (WCAG
 * 2.1.2).
 */
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import type { Span } from '../../../../src/reporting/words/token.ts';
import type { Action } from '../../../bridge/keys.ts';
import { t } from '../../i18n/index.ts';
import { onKey } from '../../state/keys.ts';
import { notify } from '../../state/notices.ts';
import { go } from '../../state/route.ts';
import { followFields } from './fill-fields.ts';

/** Id of the text area of a section. */
export const fieldId = (key: string): string => `section-${key}`;

const fieldsOf = (report: HTMLElement): HTMLTextAreaElement[] => [
  ...report.querySelectorAll<HTMLTextAreaElement>('.document-section textarea'),
];

/** Selects the range in the text of a section. */
export function showIn(field: HTMLTextAreaElement, start: number, end: number): void {
  field.focus();
  field.setSelectionRange(start, end);
  field.scrollIntoView({ block: 'center' });
}

/** Selects words of a section, if the reader can edit them. */
export function showWords({ key }: { readonly key: string }, { start, end }: Span): void {
  const field = document.getElementById(fieldId(key));
  if (field instanceof HTMLTextAreaElement) showIn(field, start, end);
}

/** The next open field of a text after, or before, the selection. */
function openFieldIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, isBack: boolean) {
  const fields = fieldsIn(value);
  return isBack
    ? fields.findLast(({ end }) => end <= selectionStart)
    : fields.find(({ start, end }) => start >= selectionEnd && end > selectionStart);
}

/** Selects the next open field after, or before, the position, wrapping around. `false`: there is none. */
function showOpenField(report: HTMLElement, from: HTMLTextAreaElement | null, isBack: boolean): boolean {
  const own = from && openFieldIn(from, isBack);
  if (own) {
    showIn(from, own.start, own.end);
    return true;
  }
  const fields = isBack ? fieldsOf(report).toReversed() : fieldsOf(report);
  const next = from ? fields.indexOf(from) + 1 : 0;
  for (const field of [...fields.slice(next), ...fields.slice(0, next)]) {
    const open = fieldsIn(field.value).at(isBack ? -1 : 0);
    if (!open) continue;
    showIn(field, open.start, open.end);
    return true;
  }
  return false;
}

/** `false`: there is no field in that direction, so Tab has its usual effect. */
function moveToField(report: HTMLElement, from: HTMLTextAreaElement, isBack: boolean): boolean {
  const fields = fieldsOf(report);
  const next = fields[fields.indexOf(from) + (isBack ? -1 : 1)];
  if (openFieldIn(from, isBack) || !next) return showOpenField(report, from, isBack);
  const open = fieldsIn(next.value).at(isBack ? -1 : 0);
  if (open) showIn(next, open.start, open.end);
  else showIn(next, next.value.length, next.value.length);
  return true;
}

/** The event at a text area whose section was chosen by its key, or aloud: the next words go there. */
export const sectionChosen = 'sectionchosen';

/** The event of a field in which words are to be spoken again, behind the last ones. */
export const speechReturned = 'speechreturned';

/** The text field that receives the spoken words. */
export const findSpokenField = (report: HTMLElement): HTMLTextAreaElement | null =>
  report.querySelector<HTMLTextAreaElement>('.document-section:has(.live-here) textarea');

/** The text field that the person works in: the one with the caret, or the one that receives the spoken words. */
export function findCurrentField(report: HTMLElement): HTMLTextAreaElement | null {
  const fields = fieldsOf(report).filter((field) => !field.readOnly && field.checkVisibility());
  return (
    fields.find((field) => field === document.activeElement) ??
    fields.find((field) => field === findSpokenField(report)) ??
    fields[0] ??
    null
  );
}

/** Goes to the next or previous text field or open field, as Tab does, and has words spoken there. `false`: there is none. */
export function goToField(report: HTMLElement, isBack: boolean): boolean {
  const from = findCurrentField(report);
  if (!from || !moveToField(report, from, isBack)) return false;
  document.activeElement?.dispatchEvent(new Event(sectionChosen, { bubbles: true }));
  return true;
}

/** The sections that each shortcut covers. */
const alike: Readonly<Record<'to_findings' | 'to_impression', readonly string[]>> = {
  to_findings: ['findings', 'examination'],
  to_impression: ['impression', 'diagnosis'],
};

/** `false`: the report has no such section. */
function enterSection(report: HTMLElement, action: keyof typeof alike): boolean {
  const sections = alike[action].map((key) => report.querySelector<HTMLElement>(`[data-section="${key}"]`));
  const section = sections.find((each) => each?.checkVisibility());
  if (!section) return false;
  const field = section.querySelector('textarea');
  if (field) {
    // Starts at the first open field: Tab would skip it otherwise.
    const { start, end } = fieldsIn(field.value)[0] ?? { start: field.value.length, end: field.value.length };
    showIn(field, start, end);
    field.dispatchEvent(new Event(sectionChosen, { bubbles: true }));
  } else section.focus();
  section.scrollIntoView({ block: 'nearest' });
  return true;
}

/** `false`: the report has no text area. */
function enterField(report: HTMLElement): boolean {
  if (!fieldsOf(report).some((field) => field.checkVisibility())) return false;
  const field = document.activeElement;
  const from = field instanceof HTMLTextAreaElement && report.contains(field) ? field : null;
  if (!showOpenField(report, from, false)) notify({ tone: 'info', text: t('document.no_fields') });
  return true;
}

/**
 * Shows the report and enters it, at once or as soon as it is there: the template of an exam that was just opened is
 * still loading. The returned function stops waiting.
 */
function jump(report: HTMLElement, enter: () => boolean): () => void {
  if (enter()) return () => undefined;
  const tryAgain = (): void => {
    if (enter()) stop();
  };
  const added = new MutationObserver(tryAgain);
  const shown = new ResizeObserver(tryAgain);
  const stop = (): void => {
    added.disconnect();
    shown.disconnect();
  };
  added.observe(report, { childList: true, subtree: true });
  shown.observe(report);
  go({ pane: 'document' });
  return stop;
}

/**
 * Handles the keys in a report until the returned function is called. `onLeave`: the person left the texts by Escape.
 */
export function followNavigation(report: HTMLElement, onLeave: (hasLeft: boolean) => void): () => void {
  let hasLeft = false;
  const note = (next: boolean): void => {
    if (next === hasLeft) return;
    hasLeft = next;
    onLeave(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const field = event.target;
    if (event.defaultPrevented || event.isComposing || !(field instanceof HTMLTextAreaElement)) return;
    const section = field.closest<HTMLElement>('.document-section');
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      note(true);
      // The title is in no section.
      (section ?? field.closest<HTMLElement>('.pane'))?.focus();
    } else if (section && event.key === 'Tab' && !hasLeft) {
      fields.take(field);
      if (moveToField(report, field, event.shiftKey)) event.preventDefault();
    }
  };
  const fields = followFields(report);
  const goBack = (): void => note(false);
  let stopJump = (): void => {};
  // If the person moves or types meanwhile, the jump is cancelled. The key that started it arrives here first.
  const goElsewhere = (): void => stopJump();
  report.addEventListener('keydown', onKeyDown);
  report.addEventListener('input', goBack);
  report.addEventListener('pointerdown', goBack);
  document.addEventListener('pointerdown', goElsewhere);
  document.addEventListener('focusin', goElsewhere);
  document.addEventListener('keydown', goElsewhere, true);
  const follow = (action: Action, enter: () => boolean): (() => void) =>
    onKey(action, () => {
      goBack();
      stopJump();
      stopJump = jump(report, enter);
    });
  const endings = [
    ...(Object.keys(alike) as (keyof typeof alike)[]).map((action) =>
      follow(action, () => enterSection(report, action)),
    ),
    follow('next_field', () => enterField(report)),
  ];
  return () => {
    report.removeEventListener('keydown', onKeyDown);
    report.removeEventListener('input', goBack);
    report.removeEventListener('pointerdown', goBack);
    document.removeEventListener('pointerdown', goElsewhere);
    document.removeEventListener('focusin', goElsewhere);
    document.removeEventListener('keydown', goElsewhere, true);
    stopJump();
    fields.close();
    for (const end of endings) end();
  };
}
