/** Answers to searches, as Bundles. */

interface SearchEntry {
  /** Its address. */
  readonly fullUrl: string;
  readonly resource: object;
}

/** `url`: what was asked. All that was found is in it. */
export const buildSearchset = (url: string, found: readonly SearchEntry[]): object => ({
  resourceType: 'Bundle',
  type: 'searchset',
  total: found.length,
  link: [{ relation: 'self', url }],
  // FHIR has no empty lists.
  ...(found.length > 0 && { entry: found.map((each) => ({ ...each, search: { mode: 'match' } })) }),
});
