/** Unicode normalisation (UAX 15) that takes no longer than its text is long. */

import { marksInRow } from './character-class.ts';

/** No language writes more marks in a row (UAX 15, 11.2); to order n of them takes n² steps. */
const maxMarks = 30;

/** The text in NFC. A text with more than 30 combining marks in a row stays as it is. */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string =>
  marksInRow(text) > maxMarks ? text : text.normalize(form);
