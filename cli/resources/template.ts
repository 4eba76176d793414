/** Formats templates. */
import type { Template, TemplateDefinition } from '../../src/contract/template.ts';
import { ownTemplate } from '../../src/reporting/templates/template.ts';
import type { Note } from '../../src/reporting/templates/notes.ts';
import type { Io } from '../shell/io.ts';
import { detailView } from '../shell/view.ts';
import type { View } from '../shell/view.ts';

/** The exams that a template applies to, in words. */
export function formatExams({
  exams: { modalities = [], regions = [], words = [], codes = [] },
}: Pick<Template, 'exams'>): string {
  const kinds = [codes.join(', '), regions.join(', '), words.map((phrase) => `“${phrase}”`).join(', ')].filter(
    (each) => each !== '',
  );
  const which = kinds.join(' or ');
  const of = modalities.join(' ');
  return [of, which].filter((each) => each !== '').join(': ');
}

export function templateDetail(template: Template, data: unknown = template): View {
  return detailView({
    data,
    fields: [
      ['Id', template.id],
      ['Name', template.name, 'strong'],
      ['Origin', template.origin === 'own' ? `own, version ${template.version}` : 'comes with Laudio'],
      ['Specialty', template.specialty],
      ['Language', template.language],
      ['Chosen for', formatExams(template) || 'none: use its id'],
      ...template.sections.map(
        ({ key, title, required, code }) =>
          [
            `Section ${key}`,
            [title, required ? 'required' : '', code ? `${code.system} ${code.code}` : ''].filter(Boolean).join(' · '),
          ] as const,
      ),
    ],
    sections: [
      ...template.sections.flatMap(({ title, text }) =>
        text === undefined ? [] : [{ title: `${title}, default text`, text }],
      ),
      ...template.macros.map(({ name, text }) => ({ title: `Macro “${name}”`, text })),
    ],
  });
}

/** A definition in the form of the template that it would become. */
export const definitionDetail = (definition: TemplateDefinition, data: unknown): View =>
  templateDetail(ownTemplate(definition, { id: definition.id ?? '', version: 1 }), data);

/** Prints the differences between a template and its file, line by line. */
export function noteAll(io: Io, notes: readonly Note[]): void {
  for (const { line, message } of notes) io.notice(line === null ? message : `Line ${line}: ${message}`, 'faint');
}
