/** Maximum of pages of a PDF: nobody reads longer documents as pages. A separate file, for importers that need no PDF library. */
export const maxPages = 1000;
