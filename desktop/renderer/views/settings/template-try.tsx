/** Tries a template with some words and an exam: the service writes the report, and stores nothing. */
import { useSignal } from '@preact/signals';
import type { CallOutput } from '../../../bridge/calls.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { TemplateDefinition } from '../../../../src/contract/template.ts';
import { maxPreviewText } from '../../../../src/contract/template.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Field, TextField } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { errorParagraph } from '../../state/explain.ts';
import { TemplatePart } from './template-part.tsx';

export function TemplateTry({ definition }: { definition: TemplateDefinition }) {
  const text = useSignal(definition.macros?.length ? t('templates.try_normals') : '');
  const exam = useSignal({ modality: definition.exams?.modalities?.[0] ?? '', description: '', code: '' });
  const preview = useSignal<CallOutput<'templates.preview'> | null>(null);
  const error = useSignal<BridgeError | null>(null);
  const isBusy = useSignal(false);
  const run = async (): Promise<void> => {
    const { modality, description, code } = exam.peek();
    const asked = { modality: modality.trim().toUpperCase(), exam_description: description.trim() };
    const isNamed = asked.modality !== '' && (asked.exam_description !== '' || code.trim() !== '');
    isBusy.value = true;
    error.value = null;
    try {
      preview.value = await bridge().call('templates.preview', {
        definition,
        text: text.peek(),
        ...(isNamed && { exam: { ...asked, ...(code.trim() !== '' && { procedure_code: code.trim() }) } }),
      });
    } catch (thrown) {
      preview.value = null;
      error.value = asBridgeError(thrown);
    }
    isBusy.value = false;
  };
  const fill = (change: Partial<typeof exam.value>): void => void (exam.value = { ...exam.peek(), ...change });
  return (
    <TemplatePart title={t('templates.try')}>
      <Field label={t('templates.try_text')} hint={t('templates.try_hint')}>
        {({ id, describedBy }) => (
          <textarea
            id={id}
            class="input macro-text"
            lang={definition.language}
            rows={3}
            maxLength={maxPreviewText}
            aria-describedby={describedBy}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        )}
      </Field>
      <div class="template-exam">
        <TextField
          verbatim
          label={t('templates.try_modality')}
          value={exam.value.modality}
          maxLength={16}
          onValue={(modality) => fill({ modality })}
        />
        <TextField
          label={t('templates.try_description')}
          value={exam.value.description}
          maxLength={200}
          onValue={(description) => fill({ description })}
        />
        <TextField
          verbatim
          label={t('templates.try_code')}
          value={exam.value.code}
          maxLength={64}
          onValue={(code) => fill({ code })}
        />
      </div>
      <Button icon="play" busy={isBusy.value} onClick={() => void run()}>
        {t('templates.try_run')}
      </Button>
      <div role="status" class="template-fields">
        {error.value && (
          <Banner tone="warn" icon="warn">
            {errorParagraph(error.value)}
          </Banner>
        )}
        {preview.value && <Preview preview={preview.value} language={definition.language} />}
      </div>
    </TemplatePart>
  );
}

/** The report appears below the button, often out of sight. */
const bringIntoView = (shown: HTMLElement | null): void => shown?.scrollIntoView({ block: 'nearest' });

const Preview = ({ preview, language }: { preview: CallOutput<'templates.preview'>; language: string }) => (
  <section ref={bringIntoView} class="macro-preview" aria-label={t('templates.try_report')}>
    {preview.fits !== undefined && (
      <p class="field-note">
        {preview.preferred
          ? t('templates.try_preferred', { name: preview.preferred.name })
          : t(preview.fits ? 'templates.try_fits' : 'templates.try_misfit')}
      </p>
    )}
    {preview.sections.map(({ key, title, text }) => (
      <div key={key}>
        <h4>{title}</h4>
        <p lang={language}>{text === '' ? <i>{t('templates.try_nothing')}</i> : text}</p>
      </div>
    ))}
  </section>
);
