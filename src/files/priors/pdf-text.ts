/** The text of a PDF, page by page. A PDF of pictures has none. */
import { fileMessage } from '../../contract/messages/files.ts';
import { AppError } from '../../contract/errors.ts';
import { getDocument } from './pdf-library.ts';

/** A report has a few. */
const maxPages = 100;

/** Lines are those of the pages. Rejects with VALIDATION_FAILED if it is no PDF, or only its password opens it. */
export async function textOfPdf(bytes: Uint8Array): Promise<string> {
  // The reader takes the bytes over, and may detach them.
  const task = getDocument({ data: new Uint8Array(bytes), disableFontFace: true, verbosity: 0 });
  try {
    const pdf = await task.promise;
    const pages: string[] = [];
    for (let at = 1; at <= Math.min(pdf.numPages, maxPages); at++) {
      const { items } = await (await pdf.getPage(at)).getTextContent();
      pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
    }
    return pages
      .map((page) =>
        page
          .split('\n')
          .map((line) => line.trimEnd())
          .join('\n')
          .trim(),
      )
      .filter((page) => page !== '')
      .join('\n\n');
  } catch {
    throw new AppError('VALIDATION_FAILED', { message: fileMessage('pdf_damaged') });
  } finally {
    await task.destroy();
  }
}
