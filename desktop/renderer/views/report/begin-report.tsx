/** The pane before a report exists: the sections of its template, to type or dictate into. */
import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Section } from '../../../../src/contract/document.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import { fieldsIn } from '../../../../src/reporting/vocabulary/macros.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { keys, onKey } from '../../state/keys.ts';
import { notifyError } from '../../state/notices.ts';
import { openRecorder } from '../../state/recorder/recorders.ts';
import { withText } from '../../../../src/reporting/versions/with-text.ts';
import { layOutSections, isBegun, writtenSections } from '../../state/report/typed-report.ts';
import type { OpenReport } from '../../state/report/document.ts';
import type { Piece } from '../../state/report/marks.ts';
import { hasShelvedWords } from '../../state/report/shelved-words.ts';
import { hasUnkeptWords, nextStroke } from '../../state/report/typed.ts';
import { writtenItem } from '../../state/report/writing.ts';
import { recogniser } from '../../state/session.ts';
import { takeForReport } from '../../state/worklist/exam.ts';
import { kindInReport } from '../../state/steps.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { DocumentPane } from './document-pane.tsx';
import { GrowingTextarea } from './growing-textarea.tsx';
import { fieldId, showIn } from './keyboard-navigation.ts';
import type { TypedReport } from './use-typed-report.ts';
import type { ReportBasis } from './use-basis.ts';

/** `mayWrite`: nobody else has the exam, and it is not closed. */
export function BeginReport({
  itemId,
  document,
  begun,
  basis,
  mayWrite,
  aimed,
  children,
}: {
  itemId: string;
  document: OpenReport;
  begun: TypedReport;
  basis: ReportBasis;
  mayWrite: boolean;
  /** Key of the section that the person entered, for the words of the next take. */
  aimed: RefObject<string | null>;
  /** Shown above the sections. */
  children?: ComponentChildren;
}) {
  const [isMaking, setIsMaking] = useState(false);
  const [refused, setRefused] = useState<BridgeError | null>(null);
  const page = useRef<HTMLDivElement>(null);
  const sections = layOutSections(basis.sections, begun.typed ?? []);
  const isEmpty = !isBegun(sections);
  const { language, template_id } = openRecorder(itemId).choices.value;

  const write = (key: string, text: string): void => {
    // The first word takes the exam for the person.
    if (isEmpty && mayWrite)
      Promise.resolve(takeForReport(itemId)).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
    const next = withText(sections, key, text);
    if (isBegun(next)) writtenItem.value = itemId;
    else if (writtenItem.peek() === itemId) writtenItem.value = null;
    begun.write(next);
  };
  const make = async (): Promise<void> => {
    if (isEmpty || isMaking || !mayWrite) return;
    setIsMaking(true);
    setRefused(null);
    try {
      const typed = { item_id: itemId, sections: writtenSections(sections), language, template_id };
      await bridge().call('record.write', { ...typed, stroke: nextStroke() });
      writtenItem.value = null;
      begun.clear();
      await document.load();
    } catch (thrown) {
      setRefused(asBridgeError(thrown));
    }
    setIsMaking(false);
  };
  const making = useRef(make);
  making.current = make;
  useLayoutEffect(() => (isEmpty ? undefined : onKey('generate', () => void making.current())), [isEmpty]);
  // The person asked to type the report.
  useLayoutEffect(() => {
    if (writtenItem.value !== itemId || page.current?.contains(globalThis.document.activeElement)) return;
    const first = basis.sections.find(({ key }) => key === 'findings' || key === 'examination') ?? basis.sections[0];
    const field = first && page.current?.querySelector(`#${CSS.escape(fieldId(first.key))}`);
    if (field instanceof HTMLTextAreaElement) showIn(field, field.value.length, field.value.length);
  }, [writtenItem.value]);

  return (
    <DocumentPane state={{ text: t(isEmpty ? 'document.ready' : 'document.writing'), tone: 'plain', icon: 'edit' }}>
      <div
        class="document-page document-begun"
        ref={page}
        onFocusIn={({ target }) => {
          if (target instanceof HTMLTextAreaElement)
            aimed.current = target.closest('[data-section]')?.getAttribute('data-section') ?? null;
        }}
      >
        {children}
        {sections.map((section) => (
          <BegunSection
            key={section.key}
            section={section}
            language={language}
            hint={basis.sections.find(({ key }) => key === section.key)?.text}
            readOnly={!mayWrite}
            onValue={(text) => write(section.key, text)}
          />
        ))}
        {refused !== null && (
          <p class="field-note field-error" role="alert">
            {reasonText(refused)}
          </p>
        )}
      </div>
      <footer class="document-foot">
        <BegunState isEmpty={isEmpty} />
        {!isEmpty && (
          <Button
            kind={kindInReport(itemId)}
            busy={isMaking}
            disabled={!mayWrite}
            keyHint={keyName(keys.value.generate)}
            onClick={() => void make()}
          >
            {t('recorder.send')}
          </Button>
        )}
      </footer>
    </DocumentPane>
  );
}

/** One section, to type into; `hint`: the text of the template. */
const BegunSection = ({
  section: { key, title, text },
  language,
  hint,
  readOnly,
  onValue,
}: {
  section: Section;
  language: Language;
  hint: string | null | undefined;
  readOnly: boolean;
  onValue: (text: string) => void;
}) => (
  <section class="document-section" data-section={key} tabIndex={-1} aria-label={title} lang={language}>
    <h2>{title}</h2>
    <GrowingTextarea
      id={fieldId(key)}
      label={t('document.section_label', { title })}
      value={text}
      placeholder={hint ?? t('document.begin_here')}
      pieces={fieldPieces(text)}
      readOnly={readOnly}
      onValue={onValue}
    />
  </section>
);

/** Whether the typed words are kept. */
function BegunState({ isEmpty }: { isEmpty: boolean }) {
  const isUnkept = hasUnkeptWords.value;
  const isShelved = hasShelvedWords.value;
  return (
    <p class={`document-saving${isUnkept ? ' document-saving-failed' : ''}`} role="status">
      {isEmpty ? (
        <span>{t(recogniser.value === 'none' ? 'document.begin_write' : 'document.begin_hint')}</span>
      ) : (
        <>
          <Icon name={isUnkept || isShelved ? 'warn' : 'check'} size={15} />
          <span>
            {t(isUnkept ? 'document.write_unkept' : isShelved ? 'document.write_shelved' : 'document.write_kept')}
          </span>
        </>
      )}
    </p>
  );
}

const unmarked = {
  origin: null,
  warned: false,
  doubted: false,
  misspelt: false,
  cited: false,
  isField: false,
} as const;

/** The text in pieces, with open fields marked. */
function fieldPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of fieldsIn(text)) {
    if (start > at) pieces.push({ ...unmarked, text: text.slice(at, start) });
    pieces.push({ ...unmarked, text: text.slice(start, end), isField: true });
    at = end;
  }
  return [...pieces, { ...unmarked, text: text.slice(at) }];
}
