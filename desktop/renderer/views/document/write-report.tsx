/** Writes the report of an exam instead of dictating it: one text, whose headings become sections. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { takeForReport } from '../../state/worklist/exam.ts';
import { keys, onKey } from '../../state/keys.ts';
import { notifyError } from '../../state/notices.ts';
import { recorderOf } from '../../state/recorder/recorders.ts';
import { hasUnkeptWords, nextStroke } from '../../state/report/typed.ts';
import { writtenItem } from '../../state/report/writing.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { ReportFields } from '../recorder/report-fields.tsx';
import { DocumentPane } from './document-pane.tsx';
import type { TypedText } from './use-typed.ts';

/** `mayWrite`: nobody else has the exam, and it is not closed. */
export function WriteReport({
  itemId,
  document,
  typed,
  mayWrite,
  children,
}: {
  itemId: string;
  document: OpenDocument;
  typed: TypedText;
  mayWrite: boolean;
  /** What stands above the text. */
  children: ComponentChildren;
}) {
  const { text, setText, clear } = typed;
  const [isMaking, setIsMaking] = useState(false);
  const [refused, setRefused] = useState<BridgeError | null>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === '';
  const isUnkept = hasUnkeptWords.value;
  const recorder = recorderOf(itemId);

  const write = (next: string): void => {
    // The first word takes the exam for the writer.
    if (isEmpty && mayWrite) takeForReport(itemId).catch((thrown: unknown) => notifyError(asBridgeError(thrown)));
    setText(next);
  };
  const make = async (): Promise<void> => {
    if (isEmpty || isMaking || !mayWrite) return;
    setIsMaking(true);
    setRefused(null);
    try {
      await bridge().call('record.write', { item_id: itemId, text, ...recorder.choices.peek(), stroke: nextStroke() });
      writtenItem.value = null;
      clear();
      await document.load();
    } catch (thrown) {
      setRefused(asBridgeError(thrown));
    }
    setIsMaking(false);
  };
  const making = useRef(make);
  making.current = make;
  useLayoutEffect(() => (isEmpty ? undefined : onKey('generate', () => void making.current())), [isEmpty]);
  useLayoutEffect(() => area.current?.focus(), []);

  return (
    <DocumentPane state={{ text: t('document.writing'), tone: 'plain', icon: 'edit' }}>
      <div class="document-page document-writing">
        {children}
        <ReportFields choices={recorder.choices} choose={recorder.choose} />
        <textarea
          ref={area}
          class="document-field document-text"
          aria-label={t('document.write_label')}
          aria-describedby="write-hint"
          rows={12}
          spellcheck
          lang={recorder.choices.value.language}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
        <p class="field-note" id="write-hint">
          {t('document.write_hint')}
        </p>
        {refused !== null && (
          <p class="field-note field-error" role="alert">
            {reasonText(refused)}
          </p>
        )}
      </div>
      <footer class="document-foot">
        <p class={`document-saving${isUnkept ? ' document-saving-failed' : ''}`} role="status">
          {!isEmpty && (
            <>
              <Icon name={isUnkept ? 'warn' : 'check'} size={15} />
              <span>{t(isUnkept ? 'document.write_unkept' : 'document.write_kept')}</span>
            </>
          )}
        </p>
        {isEmpty && <Button onClick={() => (writtenItem.value = null)}>{t('app.cancel')}</Button>}
        <Button
          kind="primary"
          busy={isMaking}
          disabled={isEmpty || !mayWrite}
          keyHint={keyName(keys.value.generate)}
          onClick={() => void make()}
        >
          {t('recorder.send')}
        </Button>
      </footer>
    </DocumentPane>
  );
}
