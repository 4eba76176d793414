/** Tries a template: the report of some words, of which nothing is stored. */
import type { TemplatePreview, TemplatePreviewRequest } from '../../../src/contract/template.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { ownTemplate } from '../../../src/reporting/templates/template.ts';
import type { Writer } from '../../speech/writer.ts';
import { refuseInvalid } from './own-templates.ts';

/** VALIDATION_FAILED for a definition that can't be stored. `account`: whose requests wait for each other. */
export async function previewTemplate(
  writer: Pick<Writer, 'compose'>,
  { definition, text, exam }: TypeOf<typeof TemplatePreviewRequest>,
  { account, signal }: { readonly account: string; readonly signal: AbortSignal },
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
  const fits = fittingTemplate({ ...exam, procedure_codes: codes }, { [template.id]: template }) !== undefined;
  return { sections, fits };
}
