/** Writes PDF and reads fonts. The build bundles what Node needs of both packages, a tenth (decision 51). */
export { create } from 'fontkit';
export { default as PdfDocument } from 'pdfkit';
