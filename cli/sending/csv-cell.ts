/** Cells of CSV files, which people open in a spreadsheet. */

/**
 * Characters that begin a formula, also in full width: at the beginning, or where a spreadsheet may see another cell
 * begin.
 */
const formula = /(?=[=+\-@\uff1d\uff0b\uff0d\uff20])(?<=(?:^|[,;|"\t\r\n])\s*)/g;
/** Numbers begin with signs too, and do nothing. */
const number = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * The value as RFC 4180 writes it, with an apostrophe before what a spreadsheet would compute (OWASP, CSV injection): a
 * sender's accession number is no command.
 */
export function csvCell(value: string | null): string {
  const text = value ?? '';
  const inert = number.test(text) ? text : text.replace(formula, "'");
  return /[",;\t\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
