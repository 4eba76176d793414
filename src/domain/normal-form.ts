/** Unicode normalisation (UAX 15) that takes no longer than its text is long. */

/** More marks in a row than any language writes (UAX 15, 11.2): to order n of them takes n² steps. */
const overlong = /(?<!\p{M})\p{M}{31}/u;

/** The text in that form; one with more than 30 combining marks in a row stays as it is. */
export const normalForm = (text: string, form: 'NFC' | 'NFD' | 'NFKD' = 'NFC'): string =>
  overlong.test(text) ? text : text.normalize(form);
