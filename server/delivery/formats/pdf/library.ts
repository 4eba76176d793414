/** The PDF writer and the font reader. The build bundles only the parts that Node needs, a tenth of both packages (decision 51). */
export { create } from 'fontkit';
export { default as PdfDocument } from 'pdfkit';
