/**
 * Corrects by a spoken or typed instruction: asks, applies, shows the changes, and lets the person accept or undo them.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import type { AppliedCorrection } from '../../state/report/document-state.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { recordClip } from '../../state/recorder/spoken-clip.ts';
import type { SpokenClip } from '../../state/recorder/spoken-clip.ts';
import { recogniser } from '../../state/session.ts';
import { settings } from '../../state/settings.ts';
import { reasonText } from '../recorder/reason.ts';
import { Difference } from './difference.tsx';
import { useTyped } from './use-typed-text.ts';

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
  const [step, setStep] = useState<'ask' | 'listening' | 'working' | 'no-microphone'>('ask');
  /** The instruction that failed, and why. */
  const [refused, setRefused] = useState<{ readonly said: string | ArrayBuffer; readonly why: string } | null>(null);
  const clip = useRef<SpokenClip | null>(null);
  const isOpen = useRef(false);
  const apply = async (said: string | ArrayBuffer): Promise<void> => {
    setStep('working');
    setRefused(null);
    try {
      await document.correct(said);
      clear();
      onClose();
    } catch (thrown) {
      setRefused({ said, why: reasonText(asBridgeError(thrown)) });
    }
    setStep('ask');
  };
  const speak = async (): Promise<void> => {
    document.listening.peek()?.pause();
    try {
      const begun = await recordClip(openPageMicrophone, settings.peek()?.microphone ?? null, () => void stop());
      // The dialog was closed while the microphone was opened.
      if (!isOpen.current) return begun.cancel();
      clip.current = begun;
      setStep('listening');
    } catch {
      setStep('no-microphone');
    }
  };
  const stop = async (): Promise<void> => {
    const spoken = clip.current;
    clip.current = null;
    if (spoken) await apply(await spoken.stop());
  };
  // Closing while it listens releases the microphone and changes nothing.
  useEffect(() => {
    isOpen.current = open;
    if (!open) {
      setStep('ask');
      setRefused(null);
    }
    return () => {
      isOpen.current = false;
      clip.current?.cancel();
      clip.current = null;
    };
  }, [open]);

  const isListening = step === 'listening';
  return (
    <Dialog
      open={open}
      title={t('document.correct_title')}
      onClose={onClose}
      footer={
        <>
          {recogniser.value !== 'none' && (
            <Button
              icon={isListening ? 'stop' : 'microphone'}
              disabled={step === 'working'}
              onClick={() => void (isListening ? stop() : speak())}
            >
              {isListening ? t('document.correct_stop') : t('document.correct_speak')}
            </Button>
          )}
          <Button
            kind="primary"
            busy={step === 'working'}
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
        disabled={step !== 'ask' && step !== 'no-microphone'}
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
