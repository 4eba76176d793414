/** In which template and language the report is made; make it, or put the dictation away. */
import { useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Template } from '../../../../src/contract/template.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { bridge } from '../../state/bridge.ts';
import { keys } from '../../state/keys.ts';
import type { Recorder } from '../../state/recorder.ts';
import { faceOf, isSealed } from '../../state/recorder-face.ts';
import { lengthOf } from '../../state/recorder-state.ts';
import { keyName } from '../app/key-name.ts';
import { languageChoices } from '../settings/choices.ts';

export function RecorderFoot({ recorder }: { recorder: Recorder }) {
  const face = useComputed(() => faceOf(recorder.state.value)).value;
  const hasSound = useComputed(() => lengthOf(recorder.state.value) > 0).value;
  const { language, template_id: template } = recorder.choices.value;
  const templates = useSignal<readonly Template[]>([]);
  useEffect(() => {
    let isCurrent = true;
    // Without a list the exam decides, as it does when none is chosen.
    const read = bridge()
      .call('templates.list', { language })
      .catch(() => ({ items: [] }));
    void read.then(({ items }) => {
      if (isCurrent) templates.value = items;
    });
    return () => {
      isCurrent = false;
    };
  }, [language]);
  if (isSealed(face) || face === 'discarded') return null;
  const isBusy = ['asking', 'starting', 'pausing', 'unsaved'].includes(face);
  return (
    <div class="recorder-foot">
      <div class="recorder-choices">
        <Select
          label={t('recorder.template')}
          value={template ?? ''}
          choices={[
            { value: '', label: t('recorder.template_auto') },
            ...templates.value.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onValue={(value) => void recorder.choose({ template_id: value === '' ? null : value })}
        />
        <Select
          label={t('recorder.language')}
          value={language}
          choices={languageChoices}
          onValue={(value) => void recorder.choose({ language: value })}
        />
      </div>
      <div class="recorder-send">
        <Button
          kind="primary"
          large
          wide
          keyHint={keyName(keys.value.generate)}
          disabled={!hasSound || isBusy}
          onClick={() => void recorder.send()}
        >
          {t(face === 'failed' ? 'recorder.retry' : 'recorder.send')}
        </Button>
        <Button large disabled={!hasSound || isBusy} onClick={() => void recorder.discard()}>
          {t('recorder.discard')}
        </Button>
      </div>
    </div>
  );
}
