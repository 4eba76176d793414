/** Pages of a PDF, at most: a document of more is not read as pages by anybody. Stands alone, for whoever needs no PDF. */
export const maxPages = 1000;
