/**
 * Corrects by a spoken or typed instruction: asks, applies, shows the changes, and lets the person accept or undo them.
 */
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import type { AppliedCorrection } from '../../state/report/document-state.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { recogniser } from '../../state/session.ts';
import { reasonText } from '../recorder/reason.ts';
import { Difference } from './difference.tsx';
import { useClip } from './use-clip.ts';
import { useTyped } from './use-typed-text.ts';
import { obey } from '../voice/voice-commands.tsx';

export function CorrectionDialog({
  document,
  open,
  onClose,
}: {
  document: ReadyReport;
  open: boolean;
  onClose: () => void;
}) {
  const { text: instruction, setText: setInstruction, clear } = useTyped('instruction', document.record.value.id);
  /** The instruction that failed, and why. */
  const [refused, setRefused] = useState<{ readonly said: string | ArrayBuffer; readonly why: string } | null>(null);
  const [isApplying, setApplying] = useState(false);
  const apply = async (said: string | ArrayBuffer): Promise<void> => {
    setApplying(true);
    setRefused(null);
    try {
      await document.correct(said);
      clear();
      onClose();
      const { instruction = '', changes } = document.corrected.peek() ?? {};
      const isCommand = changes?.length === 0 && obey(instruction, document.record.peek().language);
      if (isCommand) document.acceptCorrection();
    } catch (thrown) {
      setRefused({ said, why: reasonText(asBridgeError(thrown)) });
    }
    setApplying(false);
  };
  const { step, isTaken, toggle } = useClip(open, apply);
  useEffect(() => {
    if (!open) setRefused(null);
  }, [open]);
  const speak = (): void => {
    document.listening.peek()?.pause();
    void toggle();
  };
  const isListening = step === 'recording';
  const isWorking = isApplying || step === 'working';
  return (
    <Dialog
      open={open}
      title={t('document.correct_title')}
      onClose={onClose}
      footer={
        <>
          {recogniser.value !== 'none' && (
            <Button icon={isListening ? 'stop' : 'microphone'} disabled={isWorking || isTaken} onClick={speak}>
              {isListening ? t('document.correct_stop') : t('document.correct_speak')}
            </Button>
          )}
          <Button
            kind="primary"
            busy={isWorking}
            disabled={isListening || instruction.trim() === ''}
            onClick={() => void apply(instruction.trim())}
          >
            {t('document.correct_apply')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('document.correct_label')}
        hint={t('document.correct_hint')}
        value={instruction}
        disabled={isWorking || isListening}
        onValue={setInstruction}
        onKeyDown={(event) => event.key === 'Enter' && instruction.trim() !== '' && void apply(instruction.trim())}
      />
      {refused !== null && (
        <p class="field-note field-error" role="alert">
          {refused.why}{' '}
          {typeof refused.said !== 'string' && (
            <Button kind="bare" onClick={() => void apply(refused.said)}>
              {t('app.try_again')}
            </Button>
          )}
        </p>
      )}
      <p class="document-listening" role="status">
        {isListening && (
          <>
            <span class="dot dot-live" aria-hidden="true" />
            {t('document.correct_listening')}
          </>
        )}
        {step === 'no-microphone' && t('document.correct_failed')}
      </p>
    </Dialog>
  );
}

/** The changes of a correction, until the person accepts or undoes them. */
export function CorrectionResult({ document, corrected }: { document: ReadyReport; corrected: AppliedCorrection }) {
  const titleOf = (key: string): string =>
    [...document.sections.value, ...corrected.before.sections].find((section) => section.key === key)?.title ?? key;
  const { changes, instruction, message } = corrected;
  return (
    <section class="document-corrected" aria-label={t('document.corrected')}>
      <p>
        {changes.length > 0
          ? t('document.understood', { instruction })
          : message === null
            ? t('document.corrected_nothing', { instruction })
            : `“${instruction}”`}
      </p>
      {message !== null && <p lang={corrected.before.language}>{message}</p>}
      {changes.map(({ section, before, after }) => (
        <div key={section}>
          <h2>{titleOf(section)}</h2>
          <Difference before={before ?? ''} after={after ?? ''} />
        </div>
      ))}
      <div class="document-choices">
        {changes.length > 0 && (
          <Button icon="undo" onClick={() => void document.undoCorrection()}>
            {t('document.undo')}
          </Button>
        )}
        <Button kind="primary" icon="check" onClick={() => document.acceptCorrection()}>
          {changes.length > 0 ? t('document.accept') : t('app.close')}
        </Button>
      </div>
    </section>
  );
}
