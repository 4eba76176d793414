/** The copy of a document on which operations are tried. */
import type { Section } from '../../contract/document.ts';
import type { Rules } from '../rules.ts';
import { withArticle } from './editing.ts';
import type { Problem } from './operations.ts';

/** The sections after an operation, or why it cannot be carried out. */
export type OperationResult = Section[] | Problem;

/** The text after words were replaced or inserted at a place; in English the article before it agrees. */
export const withAgreement = (text: string, at: number, { language }: Rules): string =>
  language === 'en-US' ? withArticle(text, at) : text;
