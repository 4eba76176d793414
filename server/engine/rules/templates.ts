/** The three templates of test mode (specification, section 1), as data. */
import { languages } from '../../../src/contract/shared.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Template } from '../../../src/contract/template.ts';
import { entryOf } from '../../../src/domain/entry-of.ts';
import { sectionKind } from '../../../src/domain/dictation/section-kinds.ts';

type InLanguages = Readonly<Record<Language, string>>;

const inLanguages = (pt: string, en: string, es: string): InLanguages => ({ 'pt-BR': pt, 'en-US': en, 'es-ES': es });

interface TemplateRow {
  readonly name: InLanguages;
  readonly specialty: InLanguages;
  /** Title of a document whose exam is not known. */
  readonly title: InLanguages;
  /** Keys of its sections, in order; a title of its own where the kind's does not fit. */
  readonly sections: readonly (readonly [key: string, title?: InLanguages])[];
}

const rows: Readonly<Record<string, TemplateRow>> = {
  test_template_general: {
    name: inLanguages('Laudo geral', 'General report', 'Informe general'),
    specialty: inLanguages('Radiologia', 'Radiology', 'Radiología'),
    title: inLanguages('Laudo de exame de imagem', 'Imaging report', 'Informe de estudio por imagen'),
    sections: [['indication'], ['technique'], ['comparison'], ['findings'], ['impression']],
  },
  test_template_cardiology: {
    name: inLanguages('Laudo cardiológico', 'Cardiology report', 'Informe cardiológico'),
    specialty: inLanguages('Cardiologia', 'Cardiology', 'Cardiología'),
    title: inLanguages('Laudo de exame cardiológico', 'Cardiac examination report', 'Informe de estudio cardiológico'),
    sections: [
      ['indication'],
      ['technique'],
      ['measurements'],
      ['findings'],
      ['impression', inLanguages('Conclusão', 'Conclusion', 'Conclusión')],
    ],
  },
  test_template_dermatology: {
    name: inLanguages('Consulta dermatológica', 'Dermatology note', 'Consulta dermatológica'),
    specialty: inLanguages('Dermatologia', 'Dermatology', 'Dermatología'),
    title: inLanguages(
      'Relatório de consulta dermatológica',
      'Dermatology consultation',
      'Informe de consulta dermatológica',
    ),
    sections: [
      ['history'],
      ['examination', inLanguages('Exame dermatológico', 'Dermatological examination', 'Examen dermatológico')],
      ['diagnosis'],
      ['plan'],
    ],
  },
};

const inLanguage = (id: string, row: TemplateRow, language: Language): Template => ({
  id,
  name: row.name[language],
  specialty: row.specialty[language],
  language,
  sections: row.sections.map(([key, title]) => ({
    key,
    title: (title ?? sectionKind(key)?.titles)?.[language] ?? key,
  })),
});

/** Ids of the templates, the general one first. */
export const templateIds = Object.keys(rows);

/** The template in the language asked for; `undefined` for an unknown id. */
export function templateOf(id: string, language: Language): Template | undefined {
  const row = entryOf(rows, id);
  return row && languages.includes(language) ? inLanguage(id, row, language) : undefined;
}

/** Longest title that a record may be given (contract: RecordUpdate). */
const longestTitle = 200;

/** Title of a document: what was examined, else what documents of the template are called. */
export function titleOf(template: Template, language: Language, description: string | undefined): string {
  const title = description?.replace(/\s+/g, ' ').trim() || rows[template.id]?.title[language] || template.name;
  return title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1).replace(/\s+\S*$/, '')}…`;
}
