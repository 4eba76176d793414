/**
 * Notes at words of the report: a card below the mark at the caret or the pointer, with actions for the words. The
 * caret stays in the text; shortcuts go to the next mark and into the card.
 */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import { isOpenField } from '../../../../src/reporting/versions/review.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { keys, onKey } from '../../state/keys.ts';
import { notify } from '../../state/notices.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { noteAfter, notesAt, wordNotes } from '../../state/report/word-notes.ts';
import type { WordNote } from '../../state/report/word-notes.ts';
import { go } from '../../state/route.ts';
import { keyName } from '../app/key-name.ts';
import { decide, PlayFinding, DismissFinding } from './findings.tsx';
import { Misspelt } from './misspelt.tsx';
import { replaceText } from './fill-fields.ts';
import { fieldId, showWords } from './keyboard-navigation.ts';
import { findRange } from './text-ranges.ts';
import { keepPlaced, placeCard } from './place-card.ts';
import type { ReportSpelling } from './use-spelling.ts';
import { mounted } from '../../parts/mounted.ts';

/** How long the pointer may leave a mark on its way to the card, in ms. */
const onTheWay = 300;
/** Distance between the words and the card in px: the wavy underline stays visible. */
const gap = 9;
const textId = (note: WordNote): string => `note-${note.id}`;

type StateUpdaterOf<T> = (next: (present: T) => T) => void;

/** The place whose notes are shown. */
interface ShownNotes {
  readonly place: Place;
  readonly by: 'caret' | 'pointer';
}

export function WordNotes({
  document,
  spelling,
  page,
}: {
  document: ReadyReport;
  spelling: ReportSpelling;
  page: RefObject<HTMLElement | null>;
}) {
  const [shown, show] = useState<ShownNotes | null>(null);
  const card = useRef<HTMLDivElement>(null);
  const sections = document.sections.value;
  const all = wordNotes(document.findings.value, spelling.misspelt.value, sections);
  // The options of a selected field have their own list (offer-list.tsx).
  const isListed = ({ finding, ...note }: WordNote): boolean =>
    shown?.by === 'caret' &&
    finding !== null &&
    isOpenField(finding) &&
    findChoices(document, { ...note, finding }).length > 0;
  const notes = shown ? notesAt(all, shown.place).filter((note) => !isListed(note)) : [];
  const now = useRef({ all, sections });
  now.current = { all, sections };
  const first = notes[0];
  // At once, not in the next frame: a digit that is typed right after the shortcut would go into the text.
  const enterCard = (): void => card.current?.querySelector('button')?.focus();
  /** Whether the card takes the focus as soon as it is rendered. */
  const isEntered = useRef(false);

  useLayoutEffect(() => followCaret(mounted(page), show), []);
  useLayoutEffect(() => followPointer(mounted(page), card, () => now.current.all, show), []);
  useLayoutEffect(() => {
    const next = (): void => {
      const { all: every, sections: texts } = now.current;
      const note = noteAfter(every, caretIn(mounted(page)), texts);
      if (!note) return void notify({ tone: 'info', text: t('document.notes_none') });
      const enter = (): void => {
        showWords({ key: note.section }, note);
        show({ place: note, by: 'caret' });
      };
      if (mounted(page).checkVisibility()) return enter();
      go({ pane: 'document' });
      // The pane is rendered before it takes the focus.
      requestAnimationFrame(enter);
    };
    const into = (): void => {
      const place = caretIn(mounted(page));
      if (card.current) enterCard();
      else if (place && notesAt(now.current.all, place)[0]) {
        isEntered.current = true;
        show({ place, by: 'caret' });
      } else next();
    };
    const endings = [onKey('next_note', next), onKey('into_note', into)];
    return () => endings.forEach((end) => end());
  }, []);

  useLayoutEffect(() => {
    if (!first) return undefined;
    // Both elements may be replaced or removed before the listeners are.
    const [shownCard, scrolled] = [mounted(card), mounted(page)];
    // Marks that appear at the same time as this card are rendered after it.
    let isRendered = false;
    const stand = (): void => void (standAt(shownCard, scrolled, first) || (isRendered && show(null)));
    const leave = keepPlaced(shownCard, stand);
    isRendered = true;
    if (isEntered.current) enterCard();
    isEntered.current = false;
    const field = fieldOf(first);
    const tells = notes.map(textId).join(' ');
    if (shown?.by === 'caret') field?.setAttribute('aria-describedby', tells);
    scrolled.addEventListener('scroll', stand, { passive: true });
    return () => {
      field?.removeAttribute('aria-describedby');
      scrolled.removeEventListener('scroll', stand);
      leave();
    };
  });

  const goBack = (): void => {
    if (!shown || !card.current?.contains(globalThis.document.activeElement)) return;
    const { section, start, end } = shown.place;
    const field = fieldOf({ section });
    field?.focus();
    field?.setSelectionRange(start, end);
  };
  return (
    <>
      {first && (
        <div
          ref={card}
          class="word-notes"
          role="group"
          aria-label={t('document.note_group')}
          // Pressing a button leaves the caret where it is.
          onPointerDown={(event) => event.preventDefault()}
          onClick={goBack}
          onFocusOut={({ relatedTarget }) => {
            if (relatedTarget instanceof Node && !card.current?.contains(relatedTarget)) show(null);
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') {
              goBack();
              show(null);
            } else if (!chooseByDigit(event.currentTarget, event.key) && !walkButtons(event.currentTarget, event.key))
              return;
            event.preventDefault();
            event.stopPropagation();
          }}
        >
          {notes.map((note) => (
            <Note key={note.id} {...{ document, spelling, note }} />
          ))}
          {shown?.by === 'caret' && (
            <p class="word-notes-key" aria-hidden="true">
              <kbd>{keyName(keys.value.into_note)}</kbd> {t('document.note_key')}
            </p>
          )}
        </div>
      )}
      <p class="sr-only" role="status">
        {shown?.by === 'caret' &&
          first &&
          `${notes.map((note) => note.finding?.message ?? t('document.misspelt', { word: wordsAt(document, note) })).join(' ')} ${keyName(keys.value.into_note)}: ${t('document.note_key')}.`}
      </p>
    </>
  );
}

/** The note of one mark, with actions for its words. */
function Note({ document, spelling, note }: { document: ReadyReport; spelling: ReportSpelling; note: WordNote }) {
  const { finding, section, start, end } = note;
  const words = wordsAt(document, note);
  const fill = (choice: string): void => {
    const field = fieldOf({ section });
    if (field) replaceText(field, start, end, choice);
    // The caret goes after the inserted text, once that is rendered.
    const after = start + choice.length;
    requestAnimationFrame(() => showWords({ key: section }, { start: after, end: after }));
  };
  if (!finding) return <Misspelt id={textId(note)} word={words} spelling={spelling} onTake={fill} />;
  const isField = isOpenField(finding);
  const choices = findChoices(document, note);
  return (
    <div class="word-note" data-severity={finding.severity}>
      <p id={textId(note)} lang={document.record.value?.language}>
        <Icon name={isField ? 'edit' : 'warn'} size={15} />
        <span>{finding.message}</span>
      </p>
      <span class="document-warning-ways">
        {choices.map((choice, at) => (
          <Button
            key={choice}
            keyHint={String(at + 1)}
            aria-keyshortcuts={String(at + 1)}
            onClick={() => (choice === words ? decide(document, finding, 'dismissed') : fill(choice))}
          >
            {choice}
          </Button>
        ))}
        <Button kind="bare" icon="edit" onClick={() => showWords({ key: section }, note)}>
          {t('document.note_correct')}
        </Button>
        <PlayFinding listening={document.listening.value} finding={finding} />
        {/* The first of several readings keeps the words too. */}
        {!isField && <DismissFinding {...{ document, finding }} shortcut={choices.length === 0 ? '1' : undefined} />}
      </span>
    </div>
  );
}

/** The current text of the words. */
const wordsAt = (document: ReadyReport, { section, start, end }: Place): string =>
  (document.sections.value.find(({ key }) => key === section)?.text ?? '').slice(start, end);

/** The options of a field, or what may have been said; none while the checks run, since the words may have moved. */
function findChoices(document: ReadyReport, { section, start, end, finding }: WordNote): readonly string[] {
  if (!finding) return [];
  if (finding.readings?.[0] === wordsAt(document, { section, start, end })) return finding.readings;
  if (!isOpenField(finding)) return [];
  const text = document.sections.value.find(({ key }) => key === section)?.text ?? '';
  const field = fieldsIn(text).find((each) => each.start === start && each.end === end);
  return (field?.choices ?? []).filter((choice) => choice !== '');
}

const fieldOf = ({ section }: Pick<Place, 'section'>): HTMLTextAreaElement | null =>
  globalThis.document.querySelector<HTMLTextAreaElement>(`textarea#${CSS.escape(fieldId(section))}`);

/** The caret or selection in the texts of the report, if one has the focus. */
function caretIn(page: HTMLElement): Place | null {
  const field = globalThis.document.activeElement;
  const section = page.contains(field) && field?.closest<HTMLElement>('[data-section]')?.dataset['section'];
  if (!section || !(field instanceof HTMLTextAreaElement)) return null;
  return { section, start: field.selectionStart, end: field.selectionEnd };
}

/** Shows the notes where the caret is placed. During typing nothing opens, since it would cover the text. */
function followCaret(page: HTMLElement, show: (shown: ShownNotes | null) => void): () => void {
  let typed: string | null = null;
  const onInput = (): void => {
    typed = JSON.stringify(caretIn(page));
    show(null);
  };
  const look = (): void => {
    const place = caretIn(page);
    if (!place) return;
    const isTyped = JSON.stringify(place) === typed;
    typed = null;
    if (!isTyped) show({ place, by: 'caret' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The first Escape closes the card; the next one leaves the text.
    if (event.key !== 'Escape' || !globalThis.document.querySelector('.word-notes')) return;
    event.preventDefault();
    event.stopPropagation();
    show(null);
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Element && relatedTarget.closest('.word-notes'))) show(null);
  };
  // Words selected before this module was loaded.
  const selected = caretIn(page);
  if (selected && selected.end > selected.start) show({ place: selected, by: 'caret' });
  page.addEventListener('input', onInput);
  page.addEventListener('keydown', onKeyDown, { capture: true });
  page.addEventListener('focusout', onFocusOut);
  globalThis.document.addEventListener('selectionchange', look);
  return () => {
    page.removeEventListener('input', onInput);
    page.removeEventListener('keydown', onKeyDown, { capture: true });
    page.removeEventListener('focusout', onFocusOut);
    globalThis.document.removeEventListener('selectionchange', look);
  };
}

/** Shows the note of the mark under the mouse; the card stays while the mouse is on it. */
function followPointer(
  page: HTMLElement,
  card: RefObject<HTMLElement | null>,
  all: () => readonly WordNote[],
  show: StateUpdaterOf<ShownNotes | null>,
): () => void {
  let leaving: ReturnType<typeof setTimeout> | undefined;
  let over: string | null = null;
  const leave = (): void => {
    if (over === null || leaving) return;
    leaving = setTimeout(() => {
      leaving = undefined;
      over = null;
      show((shown) => (shown?.by === 'pointer' ? null : shown));
    }, onTheWay);
  };
  const stay = (): void => {
    clearTimeout(leaving);
    leaving = undefined;
  };
  const look = (event: PointerEvent): void => {
    if (event.pointerType !== 'mouse' || event.buttons !== 0) return;
    if (card.current?.contains(event.target as Node)) return stay();
    const section = (event.target as Element).closest<HTMLElement>('[data-section]')?.dataset['section'];
    const note = all().find((each) => each.section === section && isOn(each, event));
    if (!note) return leave();
    stay();
    if (over === note.id) return;
    over = note.id;
    // A note that the caret shows stays.
    show((shown) => (shown && notesAt([note], shown.place)[0] ? shown : { place: note, by: 'pointer' }));
  };
  // The card is a sibling of the page.
  const area = page.parentElement ?? page;
  area.addEventListener('pointermove', look);
  area.addEventListener('pointerleave', leave);
  return () => {
    clearTimeout(leaving);
    area.removeEventListener('pointermove', look);
    area.removeEventListener('pointerleave', leave);
  };
}

/** The positions of a note's words on the screen, line by line. */
function measureLines(note: WordNote): DOMRect[] {
  const marks = fieldOf(note)?.parentElement?.querySelector<HTMLElement>('.document-marks');
  return [...((marks && findRange(marks, note)?.getClientRects()) ?? [])];
}

const isOn = (note: WordNote, { clientX, clientY }: PointerEvent): boolean =>
  measureLines(note).some(
    ({ left, right, top, bottom }) => clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
  );

/** Places the card next to the words. `false`: the words are not visible. */
function standAt(card: HTMLElement, page: HTMLElement, note: WordNote): boolean {
  const lines = measureLines(note);
  const [top, bottom] = [lines[0], lines.at(-1)];
  const seen = page.getBoundingClientRect();
  if (!top || !bottom || bottom.bottom < seen.top || top.top > seen.bottom) return false;
  placeCard(card, top, bottom, gap);
  return true;
}

/** A digit presses the choice of that number. `false`: another key. */
function chooseByDigit(card: HTMLElement, key: string): boolean {
  const choice = card.querySelectorAll<HTMLButtonElement>('button[aria-keyshortcuts]')[Number(key) - 1];
  choice?.click();
  return choice !== undefined;
}

/** Arrow keys move between buttons. `false`: another key. */
function walkButtons(card: HTMLElement, key: string): boolean {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  if (step === undefined) return false;
  const buttons = [...card.querySelectorAll('button')];
  const at = buttons.indexOf(globalThis.document.activeElement as HTMLButtonElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  return true;
}
