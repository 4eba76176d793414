/** Asks why an exam is cancelled. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';

const reasons = ['not_done', 'twice', 'wrong', 'other'] as const;
type Reason = (typeof reasons)[number];
const reasonLimit = 500;

export function CancelExam({
  open,
  onClose,
  onCancel,
}: {
  open: boolean;
  onClose: () => void;
  onCancel: (reason: string) => void;
}) {
  const [reason, setReason] = useState<Reason>('not_done');
  const [words, setWords] = useState('');
  useLayoutEffect(() => {
    if (open) setWords('');
  }, [open]);
  const text = reason === 'other' ? words.trim() : t(`exam.reason_${reason}`);
  return (
    <Dialog
      open={open}
      size="s"
      title={t('exam.cancel_title')}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('exam.keep')}</Button>
          <Button
            kind="danger"
            disabled={text === ''}
            onClick={() => {
              onClose();
              onCancel(text);
            }}
          >
            {t('exam.cancel_now')}
          </Button>
        </>
      }
    >
      <p>{t('exam.cancel_hint')}</p>
      <Select
        label={t('exam.cancel_reason')}
        value={reason}
        choices={reasons.map((value) => ({ value, label: t(`exam.reason_${value}`) }))}
        onValue={setReason}
      />
      {reason === 'other' && (
        <TextField label={t('exam.reason_own')} value={words} onValue={setWords} required maxLength={reasonLimit} />
      )}
    </Dialog>
  );
}
