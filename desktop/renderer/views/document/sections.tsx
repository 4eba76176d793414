/** The sections of a report: each grows with its text, marks its findings in place, and says below what they are. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { caretAfter } from '../../state/report/caret.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { doubtsOf, piecesOf } from '../../state/report/marks.ts';
import type { Piece } from '../../state/report/marks.ts';
import { selectedWords } from '../../state/report/selected-words.ts';
import { Findings } from './findings.tsx';
import { Conversions } from './conversions.tsx';
import { HeardText } from './heard-text.tsx';
import { OriginsLegend } from './origins-legend.tsx';
import { fieldId, showIn } from './report-walk.ts';
import { hearAt } from './use-said-marks.ts';

export function Sections({ document }: { document: OpenDocument }) {
  const record = document.record.value!;
  const isDraft = record.status === 'draft';
  const findings = document.findings.value;
  const sections = document.sections.value;
  const listening = document.listening.value;
  const doubts = doubtsOf(document.said.value, findings);
  const missing = findings.filter(({ section }) => sections.every(({ key }) => key !== section));
  return (
    <>
      {isDraft ? (
        <Grown
          class="document-title"
          label={t('document.title_label')}
          value={document.title.value}
          onValue={(text) => document.setTitle(text)}
          oneLine
        />
      ) : (
        <h2 class="document-title">{record.title}</h2>
      )}
      {record.test_mode && (
        <p class="document-simulated">
          <Icon name="flask" size={15} />
          {t('document.simulated')}
        </p>
      )}
      {isDraft && document.showsOrigins.value && <OriginsLegend />}
      {sections.map((section) => (
        <section
          key={section.key}
          class="document-section"
          data-section={section.key}
          tabIndex={-1}
          aria-label={section.title}
          lang={record.language}
        >
          <h2>{section.title}</h2>
          {isDraft ? (
            <Grown
              id={fieldId(section.key)}
              label={t('document.section_label', { title: section.title })}
              value={section.text}
              placeholder={t('document.empty_section')}
              pieces={piecesOf(section, findings, document.words.value, document.showsOrigins.value, doubts)}
              saidIn={listening ? section.key : undefined}
              onHear={(caret) => listening && hearAt(listening, section.key, caret)}
              onValue={(text) => document.setText(section.key, text)}
              onLeave={(text) => (selectedWords.value = text === '' ? null : { section: section.key, text })}
            />
          ) : (
            <HeardText listening={listening} section={section.key} text={section.text} />
          )}
          {isDraft && document.showsOrigins.value && <Conversions document={document} section={section} />}
          <Findings
            document={document}
            findings={findings.filter((finding) => finding.section === section.key)}
            section={section}
            onShow={(finding) => showWords(section, finding)}
          />
        </section>
      ))}
      <Findings document={document} findings={missing} />
    </>
  );
}

/** Selects the words of a finding, where the reader can change them. */
export function showWords({ key }: Pick<Section, 'key'>, { start, end }: Pick<Finding, 'start' | 'end'>): void {
  const field = globalThis.document.getElementById(fieldId(key));
  if (field instanceof HTMLTextAreaElement) showIn(field, start, end);
}

/** The field that somebody clicked into: typing fills it in. */
function fieldAt(
  pieces: readonly Piece[],
  caret: number,
): { readonly start: number; readonly end: number } | undefined {
  let start = 0;
  for (const { text, isField } of pieces) {
    const end = start + text.length;
    if (isField && start < caret && caret < end) return { start, end };
    start = end;
  }
  return undefined;
}

/** A text area as high as its text; marks stand behind its words. */
function Grown({
  id,
  label,
  value,
  onValue,
  placeholder,
  onLeave,
  pieces = [],
  saidIn,
  onHear,
  oneLine = false,
  class: name = 'document-text',
}: {
  id?: string;
  label: string;
  value: string;
  onValue: (text: string) => void;
  placeholder?: string;
  /** Gets the words that are selected when the focus goes elsewhere. */
  onLeave?: (selected: string) => void;
  pieces?: readonly Piece[];
  /** The section whose words are marked while they are heard. */
  saidIn?: string | undefined;
  /** A click with Alt, Ctrl or ⌘ plays the word at its caret. */
  onHear?: (caret: number) => void;
  oneLine?: boolean;
  class?: string;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const before = area.current && { value: area.current.value, caret: area.current.selectionStart };
  useLayoutEffect(() => {
    const element = area.current;
    // When somebody else changes the words, the caret must stay at its place.
    if (element && before && before.value !== value && element === globalThis.document.activeElement) {
      const caret = caretAfter(before.value, value, before.caret);
      element.setSelectionRange(caret, caret);
    }
    // Browsers that size a field by its content need no help (CSS Basic User Interface 4).
    if (!element || CSS.supports('field-sizing', 'content')) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight}px`;
  }, [value]);
  const field = (
    <textarea
      id={id}
      ref={area}
      class={`document-field ${name}`}
      aria-label={label}
      rows={1}
      spellcheck
      value={value}
      placeholder={placeholder}
      onClick={({ altKey, ctrlKey, metaKey, currentTarget: { selectionStart: start, selectionEnd: end } }) => {
        if (altKey || ctrlKey || metaKey) return onHear?.(start);
        const field = start === end ? fieldAt(pieces, start) : undefined;
        if (field) area.current?.setSelectionRange(field.start, field.end);
      }}
      onBlur={({ currentTarget: { selectionStart, selectionEnd } }) =>
        onLeave?.(value.slice(selectionStart, selectionEnd).trim())
      }
      onKeyDown={(event) => oneLine && event.key === 'Enter' && event.preventDefault()}
      onInput={(event) => onValue(oneLine ? event.currentTarget.value.replace(/\n/g, ' ') : event.currentTarget.value)}
    />
  );
  if (oneLine) return field;
  const isMarked =
    saidIn !== undefined ||
    pieces.some(({ origin, warned, doubted, isField }) => origin !== null || warned || doubted || isField);
  return (
    <div class="document-marked">
      {isMarked && (
        <div class={`document-field document-marks ${name}`} data-said-in={saidIn} aria-hidden="true">
          {pieces.map(({ text, origin, warned, doubted, isField }, at) => {
            const marks = [
              origin && `mark-origin mark-${origin}`,
              warned && 'mark-warned',
              doubted && 'mark-doubted',
              isField && 'mark-field',
            ];
            const classes = marks.filter(Boolean).join(' ');
            return classes === '' ? (
              text
            ) : (
              <mark key={at} class={classes}>
                {text}
              </mark>
            );
          })}
        </div>
      )}
      {field}
    </div>
  );
}
