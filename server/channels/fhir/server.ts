/** A FHIR server by its address (`base_url`), as one that is asked and one that gets reports are compared. */
export const serverOf = (baseUrl: string): string => new URL(baseUrl).href.replace(/\/+$/, '');
