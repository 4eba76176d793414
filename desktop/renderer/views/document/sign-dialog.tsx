/**
 * Asks once more, and names what deserves a second look: over a warning nobody signs unawares, and over a field that nobody
 * has filled in nobody signs at all.
 */
import { useEffect, useState } from 'preact/hooks';
import { isOpenWarning } from '../../../../src/domain/report/review.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notify, notifyError } from '../../state/notices.ts';
import type { OpenDocument } from '../../state/report/document.ts';
import { openFields } from '../../state/report/marks.ts';
import { showWords } from './sections.tsx';

export interface Asking {
  readonly document: OpenDocument;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SignDialog({ document, open, onClose }: Asking) {
  const fields = openFields(document.findings.value);
  const findings = document.findings.value.filter((finding) => finding.status === 'open' && !fields.includes(finding));
  const warnings = findings.filter(isOpenWarning);
  const empty = document.sections.value.filter(({ text }) => text.trim() === '').map(({ title }) => title);
  const deservesALook = findings.length > 0 || empty.length > 0;
  const sign = (acknowledged = warnings.map(({ id }) => id)): void => {
    onClose();
    document.sign(acknowledged).catch((thrown: unknown) => {
      const error = asBridgeError(thrown);
      if (error.code === 'OPEN_FINDINGS') notify({ tone: 'info', text: t('document.sign_changed') });
      else notifyError(error, { label: t('app.try_again'), run: () => sign(acknowledged) });
    });
  };
  const [wanted, setWanted] = useState<Finding | null>(null);
  // Once the dialog has given the focus back: effects of what is within come first.
  useEffect(() => {
    if (open || !wanted) return;
    setWanted(null);
    showWords({ key: wanted.section }, wanted);
  }, [open]);
  const show = (finding: Finding): void => {
    setWanted(finding);
    onClose();
  };
  return (
    <Dialog
      open={open}
      size="s"
      title={t('document.sign_title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            {t(deservesALook && fields.length === 0 ? 'document.look_again' : 'app.cancel')}
          </Button>
          {fields[0] ? (
            <Button kind="primary" icon="edit" onClick={() => show(fields[0]!)}>
              {t('document.sign_fill')}
            </Button>
          ) : (
            <Button kind="primary" icon="sign" onClick={() => sign()}>
              {warnings.length > 0 ? t('document.sign_over', { n: warnings.length }) : t('document.sign')}
            </Button>
          )}
        </>
      }
    >
      {fields.length === 0 && <p>{t('document.sign_text')}</p>}
      {fields.length > 0 && (
        <div class="document-warning">
          <Icon name="edit" />
          <div>
            {t('document.sign_fields', { n: fields.length })}
            <Messages {...{ document, findings: fields, show }} />
          </div>
        </div>
      )}
      {deservesALook && (
        <div class="document-warning">
          <Icon name="warn" />
          <div>
            {findings.length > 0 && t('document.sign_findings', { n: findings.length })}{' '}
            {empty.length > 0 && t('document.sign_empty', { titles: empty.join(', ') })}
            <Messages {...{ document, findings, show }} />
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** What findings say; each leads to its words. */
const Messages = ({
  document,
  findings,
  show,
}: {
  document: OpenDocument;
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
