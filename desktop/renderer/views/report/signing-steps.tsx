/** A report that needs two signatures: the preliminary signature, the changes since, and the reader's next step. */
import { useEffect, useState } from 'preact/hooks';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { getStanding } from '../../state/report/report-rights.ts';
import { now } from '../../state/time/now.ts';
import { Compared } from './versions.tsx';

export function SigningSteps({ document }: { document: ReadyReport }) {
  const record = document.record.value;
  const { status, preliminary, sent_back: sentBack } = record;
  if (status === 'draft' && sentBack)
    return (
      <Step icon="undo" title={t('cosign.sent_back', { name: sentBack.by, time: examTime(sentBack.at, now.value) })}>
        {sentBack.note !== undefined && <p class="document-note">{sentBack.note}</p>}
      </Step>
    );
  if (status !== 'preliminary' || !preliminary) return null;
  const title = t('cosign.by', { name: preliminary.by, time: examTime(preliminary.at, now.value) });
  const standing = getStanding(record);
  return (
    <Step icon="sign" title={title}>
      <p>{t(standing === 'attending' ? 'cosign.review' : standing === 'signatory' ? 'cosign.own' : 'cosign.waits')}</p>
      {standing === 'attending' && <SinceSigned document={document} version={preliminary.version} />}
      {standing === 'signatory' && (
        <div class="document-warning-ways">
          <Button icon="edit" onClick={() => tried(document.reopen())}>
            {t('cosign.reopen')}
          </Button>
        </div>
      )}
      {standing === 'attending' && <SendBack document={document} to={preliminary.by} />}
    </Step>
  );
}

const tried = (work: Promise<void>): void => void work.catch((thrown: unknown) => notifyError(asBridgeError(thrown)));

function Step({ icon, title, children }: { icon: 'sign' | 'undo'; title: string; children: preact.ComponentChildren }) {
  return (
    <section class="document-warning document-step" aria-label={title}>
      <Icon name={icon} />
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}

/** The text on the screen compared with the one that the resident signed. */
function SinceSigned({ document, version }: { document: ReadyReport; version: number }) {
  const [signed, setSigned] = useState<MedicalRecord | null>(null);
  const record = document.record.value;
  useEffect(() => {
    let isOver = false;
    document.version(version).then(
      (found) => !isOver && setSigned(found),
      (thrown: unknown) => notifyError(asBridgeError(thrown)),
    );
    return () => (isOver = true);
  }, [record.id, version]);
  const shown = { ...record, sections: [...document.sections.value] };
  if (!signed) return null;
  if (signed.sections.every(({ key, text }) => shown.sections.some((each) => each.key === key && each.text === text)))
    return <p>{t('cosign.unchanged')}</p>;
  return (
    <div class="document-since" lang={record.language}>
      <h3>{t('cosign.changed')}</h3>
      <Compared before={signed} after={shown} />
    </div>
  );
}

function SendBack({ document, to }: { document: ReadyReport; to: string }) {
  const [asks, setAsks] = useState(false);
  const [note, setNote] = useState('');
  return (
    <div class="document-warning-ways">
      <Button icon="undo" onClick={() => setAsks(true)}>
        {t('cosign.send_back')}…
      </Button>
      <Dialog
        open={asks}
        title={t('cosign.send_back_title')}
        onClose={() => setAsks(false)}
        footer={
          <>
            <Button onClick={() => setAsks(false)}>{t('app.cancel')}</Button>
            <Button
              kind="primary"
              icon="undo"
              onClick={() => {
                setAsks(false);
                tried(document.sendBack(note.trim()));
              }}
            >
              {t('cosign.send_back')}
            </Button>
          </>
        }
      >
        <p>{t('cosign.send_back_text', { name: to })}</p>
        <label class="document-addendum">
          <span>{t('cosign.note')}</span>
          <textarea
            class="input"
            rows={4}
            maxLength={2000}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
        </label>
      </Dialog>
    </div>
  );
}
