/** The addendum under the signed report: dictated or typed, with autotexts, and added like a signature. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { withSentence } from '../../../../src/reporting/priors/comparisons.ts';
import { sectionTitle } from '../../../../src/reporting/sections/section-titles.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { keys, onKey } from '../../state/keys.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { liveRecorder } from '../../state/recorder/recorders.ts';
import type { ClipStep } from '../../state/recorder/spoken-clip.ts';
import { recogniser } from '../../state/session.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { GrowingTextarea } from './growing-textarea.tsx';
import { fieldId, showIn } from './keyboard-navigation.ts';
import type { Addendum } from './use-addendum.ts';
import { useClip } from './use-clip.ts';

/** Unlike the key of an addendum that the report has. */
export const newAddendum = 'new-addendum';

export function AddendumField({ document, addendum }: { document: ReadyReport; addendum: Addendum }) {
  const { isOpen, text, setText, refused } = addendum;
  const { language, worklist_item_id: itemId } = document.record.value;
  const [unheard, setUnheard] = useState<string | null>(null);
  const section = useRef<HTMLElement>(null);
  const latest = useRef(text);
  latest.current = text;
  const field = (): HTMLTextAreaElement | null => section.current?.querySelector('textarea') ?? null;
  const hear = async (wav: ArrayBuffer): Promise<void> => {
    if (itemId === null) return;
    setUnheard(null);
    try {
      const { text: said } = await bridge().call('speech.write', { item_id: itemId, language }, wav);
      if (said === '') return setUnheard(t('document.addendum_unheard'));
      const area = field();
      const caret = area?.ownerDocument.activeElement === area ? (area?.selectionStart ?? Infinity) : Infinity;
      const next = withSentence(latest.current, Math.min(caret, latest.current.length), said);
      setText(next.text);
      requestAnimationFrame(() => area && showIn(area, next.caret, next.caret));
    } catch (thrown) {
      setUnheard(reasonText(asBridgeError(thrown)));
    }
  };
  const mayTalk = recogniser.value !== 'none' && itemId !== null;
  const { step, isTaken, toggle } = useClip(isOpen && mayTalk, hear);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const area = field();
    if (area) showIn(area, area.value.length, area.value.length);
  }, [isOpen]);
  const add = useRef(addendum.add);
  add.current = addendum.add;
  const talk = useRef(toggle);
  talk.current = toggle;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const endings = [
      onKey('sign', () => void add.current()),
      onKey('generate', () => void add.current()),
      // As everywhere, the key belongs to the dictation that is under way.
      onKey('record', () => void (liveRecorder.peek() ?? { toggle: talk.current }).toggle()),
    ];
    return () => endings.forEach((end) => end());
  }, [isOpen]);
  if (!isOpen) return null;
  const title = sectionTitle(language, addendumKey);
  return (
    <section
      ref={section}
      class="document-section addendum"
      data-section={newAddendum}
      tabIndex={-1}
      aria-label={title}
      lang={language}
    >
      <h2>{title}</h2>
      <GrowingTextarea
        id={fieldId(newAddendum)}
        label={t('document.addendum_text')}
        value={text}
        placeholder={t('document.addendum_hint')}
        onValue={setText}
      />
      <div class="addendum-ways">
        {mayTalk && (
          <Button
            icon={step === 'recording' ? 'stop' : 'microphone'}
            busy={step === 'working'}
            disabled={isTaken}
            keyHint={keyName(keys.value.record)}
            onClick={() => void toggle()}
          >
            {t(step === 'recording' ? 'document.correct_stop' : 'document.addendum_dictate')}
          </Button>
        )}
        <p class="document-listening" role="status">
          {step === 'recording' && <span class="dot dot-live" aria-hidden="true" />}
          {unheard ?? stepText(step)}
        </p>
      </div>
      {refused !== null && (
        <p class="field-note field-error" role="alert">
          {reasonText(refused)}
        </p>
      )}
    </section>
  );
}

const stepTexts = {
  rest: null,
  opening: null,
  recording: 'document.correct_listening',
  working: 'document.addendum_writing',
  'no-microphone': 'document.correct_failed',
} as const satisfies Record<ClipStep, unknown>;
function stepText(step: ClipStep): string {
  const key = stepTexts[step];
  return key === null ? '' : t(key);
}
