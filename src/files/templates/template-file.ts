/**
 * Reads a template from a file, recognised by its content: Laudio's JSON, or HTML of the MRRT profile as RSNA publishes it.
 * Notes list everything that a template cannot hold.
 */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import { textOfFile } from './characters.ts';
import { readJsonTemplate } from './json.ts';
import { readMrrt } from './mrrt/mrrt.ts';
import { noTemplate } from './reading.ts';
import type { TemplateFile, TemplateOptions } from './reading.ts';

/** Largest file, in bytes; the largest published template has a tenth. */
export const maxTemplateFile = 2 * 1024 * 1024;

/** VALIDATION_FAILED for a file that holds no template, PAYLOAD_TOO_LARGE for one that is too large. */
export function readTemplateFile(bytes: Uint8Array, options: TemplateOptions = {}): TemplateFile {
  if (bytes.length > maxTemplateFile) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: fileMessage('template_large', { size: maxTemplateFile / 1024 / 1024 }),
      details: { limit_bytes: maxTemplateFile },
    });
  }
  const text = textOfFile(bytes);
  const beginning = text.trimStart().slice(0, 1);
  if (beginning === '') throw noTemplate(fileMessage('empty'));
  if (beginning === '{' || beginning === '[') return readJsonTemplate(text, options);
  if (beginning === '<') return readMrrt(text, options);
  throw noTemplate(fileMessage('no_template_kind'));
}
