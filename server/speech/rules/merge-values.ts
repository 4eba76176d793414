/** The values of a template's merge fields, in the words of the report's language. */
import type { Language } from '../../../src/contract/shared.ts';
import type { MergeValues } from '../../../src/reporting/templates/merge-fields.ts';
import type { ComposeInput, OrderFacts } from '../writer-data.ts';
import { describeModality, describeProcedure } from './technique.ts';

export function mergeValues({
  exam,
  order = {},
  language,
}: Pick<ComposeInput, 'exam' | 'order' | 'language'>): MergeValues {
  const { indication, comparison } = order;
  return {
    ...(exam && {
      procedure: { text: describeProcedure(exam) },
      modality: { text: describeModality(exam, language) },
    }),
    ...(indication !== undefined && { indication: { text: indication } }),
    ...(comparison && {
      comparison: {
        text: describePrior(comparison, language),
        prior: { id: comparison.id, exam_datetime: comparison.exam_datetime },
      },
    }),
  };
}

const sentences: Readonly<Record<Language, (exam: string, date: string) => string>> = {
  'pt-BR': (exam, date) => `${exam} de ${date}`,
  'en-US': (exam, date) => `${exam} of ${date}`,
  'es-ES': (exam, date) => `${exam} del ${date}`,
};

const dateForms: Readonly<Record<Language, Intl.DateTimeFormatOptions>> = {
  'pt-BR': { day: '2-digit', month: '2-digit', year: 'numeric' },
  'en-US': { day: 'numeric', month: 'long', year: 'numeric' },
  'es-ES': { day: '2-digit', month: '2-digit', year: 'numeric' },
};

/** "TC de tórax de 13/01/2024": the day is that of the place where the exam took place. */
function describePrior(prior: NonNullable<OrderFacts['comparison']>, language: Language): string {
  const day = new Date(`${prior.exam_datetime.slice(0, 10)}T00:00:00Z`);
  const date = new Intl.DateTimeFormat(language, { ...dateForms[language], timeZone: 'UTC' }).format(day);
  return sentences[language](describeProcedure(prior), date);
}
