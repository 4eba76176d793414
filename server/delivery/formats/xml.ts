/** Escapes text for XML. */
import { escapeHtml } from '../../../src/domain/escape-html.ts';

/** Removes the characters that XML does not permit (XML 1.0, 2.2). */
export const removeInvalidXml = (text: string): string =>
  text.toWellFormed().replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '');

export const escapeXml = (text: string): string => escapeHtml(removeInvalidXml(text));
