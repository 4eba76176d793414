/** The sections of a report: each grows with its text and shows its findings in place. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/domain/report/checks/finding.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { caretAfter } from '../../state/report/caret.ts';
import type { OpenDocument } from '../../state/report/document.ts';

export function Sections({ document }: { document: OpenDocument }) {
  const record = document.record.value!;
  const isDraft = record.status === 'draft';
  const findings = document.findings.value;
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
      {document.sections.value.map((section) => (
        <section key={section.key} class="document-section" lang={record.language}>
          <h2>{section.title}</h2>
          {isDraft ? (
            <Grown
              label={t('document.section_label', { title: section.title })}
              value={section.text}
              placeholder={t('document.empty_section')}
              onValue={(text) => document.setText(section.key, text)}
            />
          ) : (
            <p class="document-text">{section.text}</p>
          )}
          {findingsIn(section, findings).map(({ id, message }) => (
            <p class="document-warning" key={id} lang={record.language}>
              <Icon name="warn" />
              <span>{message}</span>
            </p>
          ))}
        </section>
      ))}
    </>
  );
}

/** Equal messages are shown once. */
function findingsIn({ key }: Section, findings: readonly Finding[]): readonly Finding[] {
  const own = findings.filter(({ section }) => section === key);
  return own.filter(({ message }, at) => own.findIndex((other) => other.message === message) === at);
}

/** A text area as high as its text. */
function Grown({
  label,
  value,
  onValue,
  placeholder,
  oneLine = false,
  class: name = 'document-text',
}: {
  label: string;
  value: string;
  onValue: (text: string) => void;
  placeholder?: string;
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
  return (
    <textarea
      ref={area}
      class={`document-field ${name}`}
      aria-label={label}
      rows={1}
      spellcheck
      value={value}
      placeholder={placeholder}
      onKeyDown={(event) => oneLine && event.key === 'Enter' && event.preventDefault()}
      onInput={(event) => onValue(oneLine ? event.currentTarget.value.replace(/\n/g, ' ') : event.currentTarget.value)}
    />
  );
}
