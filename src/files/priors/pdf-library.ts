/** Reads PDFs. The build bundles this part of the package (decision 51). */
export { getDocument } from 'unpdf/pdfjs';
