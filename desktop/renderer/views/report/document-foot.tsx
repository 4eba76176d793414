/** Shows whether the report is saved, and offers the next step: correct, sign, or add an addendum. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { IconName } from '../../parts/icon.tsx';
import type { ReadyReport } from '../../state/report/document.ts';
import type { Saving } from '../../state/report/document-state.ts';
import { openNextExam } from '../../state/worklist/worklist.ts';
import { isReportVisible } from '../../state/visible-pane.ts';
import { keys, onKey } from '../../state/keys.ts';
import { kindInReport } from '../../state/steps.ts';
import { keyName } from '../app/key-name.ts';
import { isSignatureWaiting, mayChange, getSignatureKind } from '../../state/report/report-rights.ts';
import { go } from '../../state/route.ts';
import { recogniser } from '../../state/session.ts';
import { wantedSignature } from '../../state/report/wanted-signature.ts';
import { findDictation } from '../../state/recorder/dictations.ts';
import { hasShelvedWords } from '../../state/report/shelved-words.ts';
import { reasonText } from '../recorder/reason.ts';
import { CorrectionDialog } from './correction.tsx';
import { SignDialog, signAtOnce, signLabels } from './sign-dialog.tsx';
import { NotSigned, SignedBy, TakeBack } from './signed-by.tsx';
import { savingText } from './saving-text.ts';
import { lazily } from '../../parts/lazily.tsx';
import type { Addendum } from './use-addendum.ts';

const Distribution = lazily(() => import('./distribution.tsx').then((module) => module.Distribution));

const savingIcons: Readonly<Record<Saving, IconName>> = {
  saved: 'check',
  changed: 'edit',
  saving: 'upload',
  queued: 'offline',
  conflict: 'warn',
  failed: 'warn',
};

export function DocumentFoot({ document, addendum }: { document: ReadyReport; addendum: Addendum }) {
  const [asks, setAsks] = useState<'sign' | 'correct' | null>(null);
  const record = document.record.value;
  const isDraft = mayChange(record);
  const isFinal = record.status === 'final';
  const itemId = record.worklist_item_id;
  const saving = document.saving.value;
  const unanswered = document.unanswered.value;
  // Questions come first: a conflict or a correction.
  const isAsked = saving === 'conflict' || document.corrected.value !== null;
  const signKind = isAsked ? 'plain' : kindInReport(itemId);
  // A layout effect: the key works as soon as the report is visible.
  const openSignDialog = (): void => setAsks('sign');
  const askToSign = (): void => {
    // A key must not sign a report that is not on the screen.
    if (document.unanswered.peek() !== null) return;
    if (!isReportVisible.peek()) go({ pane: 'document' });
    else if (!signAtOnce(document, openSignDialog)) openSignDialog();
  };
  useLayoutEffect(() => (isDraft ? onKey('sign', askToSign) : undefined), [isDraft, document]);
  // Asked for aloud in the dictation: as by the key, once the report is there.
  const wanted = wantedSignature.value;
  const dictation = wanted && wanted.itemId === itemId ? findDictation(itemId) : null;
  const isWanted =
    dictation?.id === wanted?.dictation && dictation?.state === 'done' && dictation.record_id === record.id;
  const asking = useRef(askToSign);
  asking.current = askToSign;
  useEffect(() => {
    if (!isWanted || !isDraft || saving !== 'saved') return;
    // Words typed during the dictation are another version, which may not be here yet.
    void document.load().then(() => {
      if (wantedSignature.peek() !== wanted) return;
      wantedSignature.value = null;
      asking.current();
    });
  }, [isWanted, isDraft, saving]);
  useLayoutEffect(() => (itemId === null ? undefined : onKey('next_exam', () => openNextExam(itemId))), [itemId]);
  useLayoutEffect(
    () => (isDraft ? onKey('to_correction', () => (go({ pane: 'document' }), setAsks('correct'))) : undefined),
    [isDraft],
  );
  return (
    <footer class="document-foot">
      <div class="document-foot-state">
        {isSignatureWaiting(record) ? (
          <NotSigned />
        ) : record.signing || (isFinal && saving === 'saved') ? (
          <SignedBy document={document} />
        ) : (
          <p class={`document-saving document-saving-${unanswered === 'unanswered' ? 'failed' : saving}`} role="status">
            <Icon name={unanswered === null ? savingIcons[saving] : 'sign'} size={15} />
            <span>
              {unanswered !== null
                ? t(`signing.${unanswered}`)
                : saving === 'failed'
                  ? `${t('document.failed')}: ${document.error.value ? reasonText(document.error.value) : ''} ${hasShelvedWords.value ? t('document.write_shelved') : ''}`
                  : savingText(document)}
            </span>
          </p>
        )}
        <Distribution key={record.id} document={document} />
      </div>
      {saving === 'failed' && (
        <Button kind="bare" onClick={() => void document.save()}>
          {t('app.try_again')}
        </Button>
      )}
      <div class="document-foot-steps">
        {isDraft ? (
          <>
            <Button
              icon={recogniser.value === 'none' ? 'edit' : 'microphone'}
              disabled={saving === 'conflict'}
              onClick={() => setAsks('correct')}
            >
              {t(recogniser.value === 'none' ? 'document.correct_words' : 'document.correct')}
            </Button>
            <Button kind={signKind} busy={unanswered !== null} disabled={saving === 'conflict'} onClick={askToSign}>
              {t(signLabels[getSignatureKind(record)])}
            </Button>
          </>
        ) : (
          <>
            {record.signing || isSignatureWaiting(record) ? (
              <TakeBack document={document} />
            ) : (
              addendum.mayAdd && <AddendumSteps addendum={addendum} />
            )}
            {itemId !== null && !addendum.isOpen && (
              <Button
                kind={kindInReport(itemId)}
                keyHint={keyName(keys.value.next_exam)}
                onClick={() => openNextExam(itemId)}
              >
                {t('signing.next')}
              </Button>
            )}
          </>
        )}
      </div>
      <SignDialog document={document} open={asks === 'sign'} onClose={() => setAsks(null)} onAsk={openSignDialog} />
      <CorrectionDialog document={document} open={asks === 'correct'} onClose={() => setAsks(null)} />
    </footer>
  );
}

/** Opens the addendum; closes it, or adds it. */
function AddendumSteps({ addendum }: { addendum: Addendum }) {
  const { isOpen, text, isBusy, open, close, add } = addendum;
  const latest = useRef(open);
  latest.current = open;
  useLayoutEffect(() => onKey('addendum', () => (go({ pane: 'document' }), latest.current())), []);
  if (!isOpen)
    return (
      <Button icon="plus" keyHint={keyName(keys.value.addendum)} onClick={open}>
        {t(text === '' ? 'document.addendum_add' : 'document.addendum_go_on')}
      </Button>
    );
  return (
    <>
      <Button onClick={close}>{t('app.cancel')}</Button>
      <Button kind="primary" icon="plus" busy={isBusy} disabled={text.trim() === ''} onClick={() => void add()}>
        {t('document.addendum_add')}
      </Button>
    </>
  );
}
