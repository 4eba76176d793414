/** Tries a template: the report of some words, of which nothing is stored. */
import type { Template, TemplatePreview, TemplatePreviewRequest } from '../../../src/contract/template.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { findElement } from '../../../src/domain/elements.ts';
import { ownTemplate } from '../../../src/reporting/templates/template.ts';
import type { Writer } from '../../speech/writer.ts';
import { refuseInvalid, sortByName } from './own-templates.ts';

/**
 * VALIDATION_FAILED for a definition that can't be stored. `account`: whose requests wait for each other. `own`: the
 * templates of the space, which may fit an exam better.
 */
export async function previewTemplate(
  writer: Pick<Writer, 'compose'>,
  { definition, text, exam }: TypeOf<typeof TemplatePreviewRequest>,
  {
    account,
    signal,
    own,
  }: { readonly account: string; readonly signal: AbortSignal; readonly own: readonly Template[] },
): Promise<TypeOf<typeof TemplatePreview>> {
  await refuseInvalid(definition);
  const template = ownTemplate(definition, { id: definition.id ?? 'preview', version: 1 });
  const { language } = template;
  const context = exam ? { ...exam, patient_name: '' } : null;
  const input = { heard: { text }, template, language, exam: context, account };
  const { sections } = await writer.compose(input, signal);
  if (!exam) return { sections };
  const { fittingTemplate } = await import('../../../src/reporting/templates/choose.ts');
  const codes = exam.procedure_code === undefined ? [] : [exam.procedure_code];
  const findFitting = (among: readonly Template[]): string | undefined =>
    fittingTemplate({ ...exam, procedure_codes: codes }, Object.fromEntries(among.map((each) => [each.id, each])));
  if (findFitting([template]) === undefined) return { sections, fits: false };
  const others = own.filter((each) => each.language === language && each.id !== template.id);
  const chosen = findFitting(sortByName([...others, template]));
  if (chosen === template.id) return { sections, fits: true };
  const { id, name } = findElement(others, (each) => each.id === chosen);
  return { sections, fits: true, preferred: { id, name } };
}
