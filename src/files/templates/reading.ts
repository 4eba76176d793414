/** Input and output of the readers of template files. */
import type { Language } from '../../contract/shared.ts';
import type { TemplateDefinition } from '../../contract/template.ts';
import type { Note } from '../../reporting/templates/notes.ts';
import type { Message } from '../../contract/messages/message.ts';
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';

export interface TemplateOptions {
  /** Id of the template, whatever the file says. */
  readonly id?: string | undefined;
  /** Language of the template, whatever the file says. */
  readonly language?: Language | undefined;
  /** DICOM modality of the exams that the template is for, whatever the file says. */
  readonly modality?: string | undefined;
}

export interface TemplateFile {
  readonly format: 'json' | 'mrrt';
  readonly definition: TemplateDefinition;
  readonly notes: readonly Note[];
}

/** The error for a file that holds no template. */
export const noTemplate = (message: Message, hint = fileMessage('template_kinds')): AppError =>
  new AppError('VALIDATION_FAILED', { message, hint });
