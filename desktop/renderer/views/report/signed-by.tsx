/** Signer and time of the report's signature, and how long it can be undone. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Signing } from '../../../../src/contract/document.ts';
import { clockTime, duration, wallTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import { onKey } from '../../state/keys.ts';
import { notify, notifyError } from '../../state/notices.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import type { PendingKind } from '../../state/report/report-rights.ts';
import { getPendingKind } from '../../state/report/report-rights.ts';
import { amendedItem } from '../../state/report/writing.ts';
import { pageClock } from '../../state/time/page-clock.ts';

/** The service does not have the signature yet. */
export function NotSigned() {
  return (
    <div class="document-saving document-unsigned" role="status">
      <Icon name="offline" size={15} />
      <span>
        {t('signing.unsent_stands')}
        <span class="field-note">{t('signing.waits')}</span>
      </span>
    </div>
  );
}

/** Words for the effect of the signature. */
const words = {
  preliminary: { by: 'signing.by_preliminary', soon: 'signing.soon_preliminary' },
  final: { by: 'signing.by', soon: 'signing.soon' },
  addendum: { by: 'signing.by_addendum', soon: 'signing.soon_addendum' },
} as const satisfies Record<PendingKind, unknown>;

export function SignedBy({ document }: { document: ReadyReport }) {
  const signing = document.record.value?.signing;
  const { signature } = document.signatures.value;
  const kind = getPendingKind(document.record.value);
  const [who, at] = signing ? [signing.by, signing.at] : [signature?.who, signature?.at];
  return (
    <div class="document-saving document-signed">
      <Icon name="sign" size={15} />
      <span>
        <span role="status">
          {who && at ? t(words[kind].by, { who, time: clockTime(wallTime(at)) }) : t('document.saved')}
        </span>
        {signing && (
          <span class="field-note">
            <TimeLeft signing={signing} soon={t(words[kind].soon)} />
          </span>
        )}
      </span>
    </div>
  );
}

/** Counts down; a screen reader does not announce every second. */
function TimeLeft({ signing: { at, final_at }, soon }: { signing: Signing; soon: string }) {
  const whole = Math.round((Date.parse(final_at) - Date.parse(at)) / 1000);
  // The service's clock may differ from this computer's.
  const left = (): number => Math.min(whole, Math.ceil((Date.parse(final_at) - pageClock.now()) / 1000));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(left()), 1000);
    return () => clearInterval(timer);
  }, [final_at]);
  return <>{seconds > 0 ? t('signing.left', { time: duration(seconds) }) : soon}</>;
}

/** Undoes the signature, or the addendum, as long as that is possible. */
export async function takeBack(document: ReadyReport): Promise<void> {
  const isAddendum = getPendingKind(document.record.peek()) === 'addendum';
  try {
    await document.takeBack();
    notify({ tone: 'done', text: t(isAddendum ? 'signing.taken_back_addendum' : 'signing.taken_back') });
    if (isAddendum) amendedItem.value = document.record.peek().worklist_item_id;
  } catch (thrown) {
    const error = asBridgeError(thrown);
    if (error.code !== 'INVALID_TRANSITION') notifyError(error);
    else notify({ tone: 'info', text: t(isAddendum ? 'signing.addendum_sent' : 'signing.too_late') });
  }
}

export function TakeBack({ document }: { document: ReadyReport }) {
  const [isBusy, setBusy] = useState(false);
  const undo = async (): Promise<void> => {
    // The key, too: the button is off.
    if (isBusy) return;
    setBusy(true);
    await takeBack(document);
    setBusy(false);
  };
  const latest = useRef(undo);
  latest.current = undo;
  useLayoutEffect(() => onKey('take_back', () => void latest.current()), []);
  const isAddendum = getPendingKind(document.record.value) === 'addendum';
  return (
    <Button busy={isBusy} onClick={() => void undo()}>
      {t(isAddendum ? 'signing.take_back_addendum' : 'signing.take_back')}
    </Button>
  );
}
