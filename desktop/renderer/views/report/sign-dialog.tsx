/**
 * Signs a report. If the signature can be undone and nothing needs attention, it signs without a question. Otherwise a
 * dialog names the patient and the open points: warnings must be acknowledged, and open fields prevent signing.
 */
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { isOpenWarning } from '../../../../src/reporting/versions/review.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import type { PinProblem } from '../../../bridge/pin.ts';
import { t } from '../../i18n/index.ts';
import type { MessageKey } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notify, notifyError } from '../../state/notices.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import type { SigningObstacle } from '../../state/report/signing.ts';
import { isOnline, ownPin, recogniser } from '../../state/session.ts';
import { hasRefusedWords } from '../../state/refused.ts';
import { settings } from '../../state/settings.ts';
import { openSettings } from '../../state/settings-section.ts';
import { items } from '../../state/worklist/worklist.ts';
import { getSignatureKind } from '../../state/report/report-rights.ts';
import { openFields } from '../../state/report/marks.ts';
import { PinField, useSignPin } from './sign-pin.tsx';
import { showWords } from './keyboard-navigation.ts';

export interface Asking {
  readonly document: ReadyReport;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Labels for the effect of the reader's signature. */
export const signLabels = { preliminary: 'cosign.sign', cosign: 'cosign.cosign', final: 'document.sign' } as const;
const titles = {
  preliminary: 'cosign.sign_title',
  cosign: 'cosign.cosign_title',
  final: 'document.sign_title',
} as const;
const texts = { preliminary: 'cosign.sign_text', cosign: 'cosign.cosign_text', final: 'document.sign_text' } as const;

type OpenPoints = ReturnType<typeof openPoints>;

/** The points to review before signing. */
function openPoints(document: ReadyReport) {
  const fields = openFields(document.findings.value);
  const findings = document.findings.value.filter((finding) => finding.status === 'open' && !fields.includes(finding));
  const warnings = findings.filter(isOpenWarning);
  const empty = document.sections.value.filter(({ text }) => text.trim() === '').map(({ title }) => title);
  const { id = '', test_mode = false, source } = document.record.value ?? {};
  // In test mode every patient is a test patient.
  const isSimulated = recogniser.value === 'simulated' && !test_mode && source?.kind === 'audio';
  return { fields, findings, warnings, empty, isSimulated, lacksWords: hasRefusedWords(id) };
}

const deservesALook = ({ findings, empty }: OpenPoints): boolean => findings.length > 0 || empty.length > 0;

const grace = (): number => settings.value?.grace_seconds ?? 0;

/**
 * Signs without a dialog if nothing has to be asked; returns whether it did. `onAsk`: the signature needs a PIN after
 * all.
 */
export function signAtOnce(document: ReadyReport, onAsk: () => void): boolean {
  const { fields, findings, empty, isSimulated, lacksWords } = openPoints(document);
  const isOpen = fields.length > 0 || findings.length > 0 || empty.length > 0 || isSimulated || lacksWords;
  const mustAsk = ownPin.value.has_pin || grace() === 0 || isOpen;
  if (!mustAsk) sign(document, [], onAsk);
  return !mustAsk;
}

const pinMissing: PinProblem = 'pin_missing';

const unsignedTexts = {
  conflict: 'document.sign_conflict',
  unsaved: 'document.sign_unsaved',
  merged: 'document.sign_merged',
} as const satisfies Record<SigningObstacle, MessageKey>;

/** Says why the report was not signed; a conflict, a failure or another person's change shows in the report, too. */
export function explainObstacle(why: SigningObstacle | null): void {
  if (why !== null) notify({ tone: 'info', text: t(unsignedTexts[why]) });
}

function sign(document: ReadyReport, acknowledged: readonly string[], onAsk: () => void): void {
  document.sign(acknowledged).then(explainObstacle, (thrown: unknown) => {
    const error = asBridgeError(thrown);
    if (error.details?.['reason'] === pinMissing) onAsk();
    else if (error.code === 'OPEN_FINDINGS') notify({ tone: 'info', text: t('document.sign_changed') });
    else {
      const again = () => sign(document, acknowledged, onAsk);
      notifyError(error, { label: t('app.try_again'), run: again, about: document.record.peek().id });
    }
  });
}

export function SignDialog({ document, open, onClose, onAsk }: Asking & { readonly onAsk: () => void }) {
  const record = document.record.value;
  const as = record ? getSignatureKind(record) : 'final';
  const points = openPoints(document);
  const [firstField] = points.fields;
  const { has_pin: asksPin, locked: isLocked } = ownPin.value;
  const byPin = useSignPin(document, open, (unsigned) => {
    onClose();
    explainObstacle(unsigned);
  });
  const signAll = (): void => {
    const acknowledged = points.warnings.map(({ id }) => id);
    if (asksPin) return void byPin.sign(acknowledged);
    onClose();
    sign(document, acknowledged, onAsk);
  };
  const item = items.value?.get(document.record.value?.worklist_item_id ?? '');
  const [wanted, setWanted] = useState<Finding | null>(null);
  // Runs after the dialog has returned the focus: effects of children run first.
  useEffect(() => {
    if (open || !wanted) return;
    setWanted(null);
    showWords({ key: wanted.section }, wanted);
  }, [open]);
  // Enter signs at once: the focus is on the next step, or on the PIN field.
  useLayoutEffect(() => {
    if (!open) return;
    const next = globalThis.document.querySelector<HTMLElement>('.dialog[open] .dialog-foot .button-primary');
    (byPin.field.current ?? next)?.focus();
  }, [open, asksPin]);
  const show = (finding: Finding): void => {
    setWanted(finding);
    onClose();
  };
  return (
    <Dialog
      open={open}
      size="s"
      title={t(titles[as])}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            {t(deservesALook(points) && !firstField ? 'document.look_again' : 'app.cancel')}
          </Button>
          {firstField ? (
            <Button kind="primary" icon="edit" onClick={() => show(firstField)}>
              {t('document.sign_fill')}
            </Button>
          ) : isLocked ? (
            <Button kind="primary" icon="settings" onClick={() => (onClose(), openSettings('profile'))}>
              {t('pin.to_settings')}
            </Button>
          ) : (
            <Button
              kind="primary"
              icon="sign"
              busy={byPin.isBusy}
              disabled={asksPin && !isOnline.value}
              // The key that opened the dialog may still be held.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={signAll}
            >
              {points.warnings.length > 0 ? t('document.sign_over', { n: points.warnings.length }) : t(signLabels[as])}
            </Button>
          )}
        </>
      }
    >
      {item && <Whose item={item} />}
      {!firstField && (
        <p>
          {as === 'final' && grace() > 0
            ? t('signing.in_grace', { n: grace() })
            : t(texts[as], { name: record?.preliminary?.by ?? '' })}
        </p>
      )}
      <Warnings document={document} points={points} show={show} />
      {asksPin && !firstField && <PinField {...byPin} onEnter={signAll} />}
    </Dialog>
  );
}

/** The patient and the exam. */
const Whose = ({ item }: { item: WorklistItem }) => (
  <dl class="sign-whose">
    {(
      [
        ['signing.patient', item.display_name],
        ['signing.id', item.patient_id],
        ['signing.exam', item.exam_description],
      ] as const
    ).map(([label, value]) => (
      <div key={label}>
        <dt>{t(label)}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** The open points, each with the words that it is about. */
function Warnings({
  document,
  points,
  show,
}: {
  document: ReadyReport;
  points: OpenPoints;
  show: (finding: Finding) => void;
}) {
  const { fields, findings, empty, isSimulated, lacksWords } = points;
  return (
    <>
      {lacksWords && (
        <div class="document-warning">
          <Icon name="warn" />
          <div>{t('signing.missing')}</div>
        </div>
      )}
      {isSimulated && (
        <div class="document-warning">
          <Icon name="flask" />
          <div>{t('signing.simulated')}</div>
        </div>
      )}
      {fields.length > 0 && (
        <div class="document-warning">
          <Icon name="edit" />
          <div>
            {t('document.sign_fields', { n: fields.length })}
            <Messages {...{ document, findings: fields, show }} />
          </div>
        </div>
      )}
      {deservesALook(points) && (
        <div class="document-warning">
          <Icon name="warn" />
          <div>
            {findings.length > 0 && t('document.sign_findings', { n: findings.length })}{' '}
            {empty.length > 0 && t('document.sign_empty', { titles: empty.join(', ') })}
            <Messages {...{ document, findings, show }} />
          </div>
        </div>
      )}
    </>
  );
}

/** The texts of findings, each with a link to its words. */
const Messages = ({
  document,
  findings,
  show,
}: {
  document: ReadyReport;
  findings: readonly Finding[];
  show: (finding: Finding) => void;
}) => (
  <ul class="document-warnings" lang={document.record.value?.language}>
    {findings.map((finding) => (
      <li key={finding.id}>
        <button type="button" onClick={() => show(finding)}>
          {finding.message}
        </button>
      </li>
    ))}
  </ul>
);
