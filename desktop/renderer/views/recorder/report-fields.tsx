/** The template and language of a report. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Template } from '../../../../src/contract/template.ts';
import { languageChoices, t } from '../../i18n/index.ts';
import { Select } from '../../parts/field.tsx';
import { SearchSelect } from '../../parts/search-select.tsx';
import { bridge } from '../../state/bridge.ts';
import type { ReportChoices } from '../../state/recorder/report-choices.ts';

export function ReportFields({ choices, choose }: ReportChoices) {
  const { language, template_id: template } = choices.value;
  const templates = useSignal<readonly Template[]>([]);
  useEffect(() => {
    let isCurrent = true;
    // Without a list of templates the exam decides, as it does if none is chosen.
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
  return (
    <div class="recorder-choices">
      <SearchSelect
        label={t('recorder.template')}
        none={t('recorder.template_no_match')}
        value={template ?? ''}
        choices={[
          { value: '', label: t('recorder.template_auto') },
          ...templates.value.map(({ id, name, specialty, exams: { modalities = [], codes = [] } }) => ({
            value: id,
            label: name,
            words: [id, specialty, ...modalities, ...codes].join(' '),
          })),
        ]}
        onValue={(value) => void choose({ template_id: value === '' ? null : value })}
      />
      <Select
        label={t('recorder.language')}
        value={language}
        choices={languageChoices}
        onValue={(value) => void choose({ language: value })}
      />
    </div>
  );
}
