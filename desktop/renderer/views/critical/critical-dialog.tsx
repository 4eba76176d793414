/** Asks to whom, when and how a critical result was communicated, or why that is not needed. */
import { useId, useLayoutEffect, useState } from 'preact/hooks';
import { communicationWays } from '../../../../src/contract/critical.ts';
import type { Communication, CriticalDecision, CriticalResult } from '../../../../src/contract/critical.ts';
import { displayName } from '../../../../src/domain/person-name.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DateField, Segmented, TextField } from '../../parts/field.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { notifyError } from '../../state/notices.ts';
import { localMinute } from '../../state/time/local-minute.ts';
import type { OpenReport } from '../../state/report/document.ts';
import { pageClock } from '../../state/time/page-clock.ts';

export interface CriticalQuestion {
  readonly kind: 'tell' | 'dismiss';
  readonly result: CriticalResult;
}

/** As the API takes it: without what was left empty, and with the time in UTC. */
const toCommunication = ({
  to,
  role,
  at,
  ...known
}: Pick<Communication, 'way' | 'read_back'> & { readonly to: string; readonly role: string; readonly at: string }) => ({
  to: to.trim(),
  ...(role.trim() !== '' && { role: role.trim() }),
  ...known,
  ...(at !== '' && { at: new Date(at).toISOString() }),
});

export function CriticalDialog({
  document,
  asked,
  referring,
  onClose,
}: {
  document: OpenReport;
  asked: CriticalQuestion | null;
  /** The referring physician, the usual recipient. */
  referring: string | null;
  onClose: () => void;
}) {
  const form = useId();
  const [to, setTo] = useState('');
  const [role, setRole] = useState('');
  const [at, setAt] = useState('');
  const [way, setWay] = useState<(typeof communicationWays)[number]>('phone');
  const [isReadBack, setReadBack] = useState(false);
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  // A layout effect: Enter must work as soon as the dialog is visible.
  useLayoutEffect(() => {
    if (!asked) return;
    setTo(referring === null ? '' : displayName(referring));
    setAt(localMinute(pageClock.now()));
    setReadBack(false);
    setReason('');
    setTried(false);
  }, [asked]);
  const isTelling = asked?.kind === 'tell';
  const isFuture = at !== '' && Date.parse(at) > pageClock.now() + 60_000;
  const isComplete = isTelling ? to.trim() !== '' && !isFuture : reason.trim() !== '';
  const decision = (): CriticalDecision =>
    isTelling
      ? { status: 'told', communication: toCommunication({ to, role, at, way, read_back: isReadBack }) }
      : { status: 'dismissed', reason: reason.trim() };
  const save = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (!asked || !isComplete) return;
    document
      .decideCritical(asked.result.id, decision())
      .then(onClose, (thrown: unknown) => notifyError(asBridgeError(thrown)));
  };
  return (
    <Dialog
      open={asked !== null}
      size="s"
      title={t(isTelling ? 'clinical.critical_title' : 'clinical.critical_reason_title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('app.cancel')}</Button>
          <Button kind="primary" icon="check" type="submit" form={form}>
            {t('clinical.critical_save')}
          </Button>
        </>
      }
    >
      <form id={form} class="clinical-form" onSubmit={save}>
        <p class="clinical-words" lang={document.record.value?.language}>
          {asked?.result.words}
        </p>
        {isTelling ? (
          <>
            <TextField
              label={t('clinical.critical_to')}
              value={to}
              onValue={setTo}
              maxLength={200}
              verbatim
              error={isTried && to.trim() === '' ? t('clinical.critical_needs') : undefined}
            />
            <TextField
              label={t('clinical.critical_role')}
              hint={t('clinical.critical_role_hint')}
              value={role}
              onValue={setRole}
              maxLength={100}
            />
            <DateField
              type="datetime-local"
              label={t('clinical.critical_at')}
              value={at}
              onValue={setAt}
              error={isFuture ? t('clinical.critical_future') : undefined}
            />
            <Segmented
              label={t('clinical.critical_way')}
              value={way}
              choices={communicationWays.map((value) => ({ value, label: t(`clinical.way_${value}`) }))}
              onValue={setWay}
            />
            <label class="check">
              <input
                type="checkbox"
                checked={isReadBack}
                onChange={(event) => setReadBack(event.currentTarget.checked)}
              />
              <span>{t('clinical.critical_read_back')}</span>
            </label>
          </>
        ) : (
          <TextField
            label={t('clinical.critical_reason')}
            value={reason}
            onValue={setReason}
            maxLength={500}
            error={isTried && reason.trim() === '' ? t('clinical.critical_needs_reason') : undefined}
          />
        )}
      </form>
    </Dialog>
  );
}
