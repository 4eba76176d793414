/** The content of a template: its exams, its sections, and its normal texts. */
import type { Language } from '../../../../src/contract/shared.ts';
import type { TemplateDefinition, TemplateExams } from '../../../../src/contract/template.ts';
import { phraseList } from '../../../../src/domain/fold.ts';
import { tables } from '../../../../src/reporting/languages/index.ts';
import { shownLanguage, t } from '../../i18n/index.ts';

/** Parts of the body by key, in words of the language. */
export const regionNames = (language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(tables[language].lexicon.regions).map(([key, phrases]) => [key, phraseList(phrases)[0] ?? key]),
  );

/** The exams that a template is for, in one line. */
export function describeExams({ modalities = [], regions = [], words = [], codes = [] }: TemplateExams): string {
  const names = regionNames(shownLanguage());
  const kinds = [...codes, ...words.map((phrase) => `“${phrase}”`), ...regions.map((key) => names[key] ?? key)];
  const of = modalities.join(' ');
  if (kinds.length === 0) return of === '' ? t('templates.for_none') : t('templates.for_all', { modalities: of });
  return [of, kinds.join(', ')].filter(Boolean).join(': ');
}

export const TemplateFacts = ({ definition }: { definition: TemplateDefinition }) => (
  <dl class="facts-list template-facts">
    <div>
      <dt>{t('templates.for_exams')}</dt>
      <dd>{describeExams(definition.exams ?? {})}</dd>
    </div>
    {definition.sections.map(({ key, title, required, text }) => (
      <div key={key}>
        <dt>
          {title}
          {required === true && <small> · {t('templates.required')}</small>}
        </dt>
        <dd lang={definition.language}>{text ?? t('templates.empty')}</dd>
      </div>
    ))}
    {definition.macros?.map((macro) => (
      <div key={`macro ${macro.name}`}>
        <dt>{t('templates.said', { name: macro.name })}</dt>
        <dd lang={definition.language}>{macro.text}</dd>
      </div>
    ))}
  </dl>
);
