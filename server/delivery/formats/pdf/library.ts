/**
 * The PDF writer, the font reader and the bidirectional algorithm. The build bundles only the parts that Node needs, a tenth of
 * these packages (decision 51).
 */
import bidi from 'bidi-js';
import type { Bidi } from 'bidi-js';

export { create } from 'fontkit';
export { default as PdfDocument } from 'pdfkit';
/** The package declares its types as if it were a module, so its function is a default export for some settings of the compiler. */
export const createBidi = bidi as unknown as () => Bidi;
