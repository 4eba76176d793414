/**
 * The way through a report by keyboard: Tab goes from field to field (the texts of its sections, and what is open in them),
 * keys jump to a section, and Escape leaves the texts, after which Tab goes to every control again (WCAG 2.1.2).
 */
import { fieldsIn } from '../../../../src/domain/report/macros.ts';
import type { Span } from '../../../../src/domain/report/token.ts';
import { onKey } from '../../state/keys.ts';
import { go } from '../../state/route.ts';

/** Id of the field with the text of a section. */
export const fieldId = (key: string): string => `section-${key}`;

const fieldsOf = (report: HTMLElement): HTMLTextAreaElement[] => [
  ...report.querySelectorAll<HTMLTextAreaElement>('.document-section textarea'),
];

/** Selects from `start` to `end` in the text of a section. */
export function showIn(field: HTMLTextAreaElement, start: number, end: number): void {
  field.focus();
  field.setSelectionRange(start, end);
  field.scrollIntoView({ block: 'center' });
}

/** Selects words of a section, where the reader can change them. */
export function showWords({ key }: { readonly key: string }, { start, end }: Span): void {
  const field = document.getElementById(fieldId(key));
  if (field instanceof HTMLTextAreaElement) showIn(field, start, end);
}

/** The next stop of a text after, or before, what is selected. */
function openFieldIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement, isBack: boolean) {
  const fields = fieldsIn(value);
  return isBack
    ? fields.findLast(({ end }) => end <= selectionStart)
    : fields.find(({ start, end }) => start >= selectionEnd && end > selectionStart);
}

/** `false`: there is no further field that way, so Tab goes on as everywhere. */
function walk(report: HTMLElement, from: HTMLTextAreaElement, isBack: boolean): boolean {
  const own = openFieldIn(from, isBack);
  if (own) {
    showIn(from, own.start, own.end);
    return true;
  }
  const fields = fieldsOf(report);
  const next = fields[fields.indexOf(from) + (isBack ? -1 : 1)];
  if (!next) return false;
  const open = isBack ? fieldsIn(next.value).at(-1) : fieldsIn(next.value)[0];
  if (open) showIn(next, open.start, open.end);
  else showIn(next, next.value.length, next.value.length);
  return true;
}

/** The event at a field whose section somebody chose by its key. */
export const sectionChosen = 'sectionchosen';

/** The sections that somebody means who names one of them. */
const alike: Readonly<Record<'to_findings' | 'to_impression', readonly string[]>> = {
  to_findings: ['findings', 'examination'],
  to_impression: ['impression', 'diagnosis'],
};

/** `false`: the report does not show such a section. */
function enter(report: HTMLElement, action: keyof typeof alike): boolean {
  const sections = alike[action].map((key) => report.querySelector<HTMLElement>(`[data-section="${key}"]`));
  const section = sections.find((each) => each?.checkVisibility());
  if (!section) return false;
  const field = section.querySelector('textarea');
  if (field) {
    showIn(field, field.value.length, field.value.length);
    field.dispatchEvent(new Event(sectionChosen, { bubbles: true }));
  } else section.focus();
  section.scrollIntoView({ block: 'nearest' });
  return true;
}

/**
 * Shows the report and goes to a section of it, at once or as soon as the report shows one: the template of an exam that was
 * just opened is still on its way. The returned function ends the waiting.
 */
function jump(report: HTMLElement, action: keyof typeof alike): () => void {
  if (enter(report, action)) return () => undefined;
  const tryAgain = (): void => {
    if (enter(report, action)) stop();
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

/** Follows the keys in a report until the returned function is called. `onLeave`: somebody left the texts by Escape. */
export function followWalk(report: HTMLElement, onLeave: (hasLeft: boolean) => void): () => void {
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
    if (!section || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      note(true);
      section.focus();
    } else if (event.key === 'Tab' && !hasLeft) {
      if (walk(report, field, event.shiftKey)) event.preventDefault();
    }
  };
  const goBack = (): void => note(false);
  let stopJump = (): void => {};
  // Whoever goes elsewhere meanwhile, or types, stays there. The key that starts the way is heard here first.
  const goElsewhere = (): void => stopJump();
  report.addEventListener('keydown', onKeyDown);
  report.addEventListener('input', goBack);
  report.addEventListener('pointerdown', goBack);
  document.addEventListener('pointerdown', goElsewhere);
  document.addEventListener('focusin', goElsewhere);
  document.addEventListener('keydown', goElsewhere, true);
  const endings = (Object.keys(alike) as (keyof typeof alike)[]).map((action) =>
    onKey(action, () => {
      goBack();
      stopJump();
      stopJump = jump(report, action);
    }),
  );
  return () => {
    report.removeEventListener('keydown', onKeyDown);
    report.removeEventListener('input', goBack);
    report.removeEventListener('pointerdown', goBack);
    document.removeEventListener('pointerdown', goElsewhere);
    document.removeEventListener('focusin', goElsewhere);
    document.removeEventListener('keydown', goElsewhere, true);
    stopJump();
    for (const end of endings) end();
  };
}
