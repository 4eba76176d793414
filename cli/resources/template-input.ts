/** FILE arguments that contain a template. */
import { definitionError } from '../../src/reporting/templates/definition.ts';
import { maxTemplateFile, readTemplateFile } from '../../src/files/templates/template-file.ts';
import type { TemplateFile, TemplateOptions } from '../../src/files/templates/reading.ts';
import { choice, text } from '../command.ts';
import { readInput } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import { languages } from '../../src/contract/shared.ts';

export const templateOptions = {
  language: choice(languages, 'Language of the template, whatever the file says'),
  modality: text('DICOM modality of the exams it is for, whatever the file says', { placeholder: 'CT' }),
};

/** USAGE for an unreadable file; VALIDATION_FAILED for one without a template. */
export async function readTemplate(
  io: Io,
  file: string,
  { modality, ...options }: TemplateOptions,
): Promise<TemplateFile> {
  const read = readTemplateFile(await readInput(io, file, maxTemplateFile), {
    ...options,
    modality: modality?.toUpperCase(),
  });
  const error = definitionError(read.definition);
  if (error) throw error;
  return read;
}
