/** What tells FHIR from other text: paths of mappings, and resources in XML. */

/** Resources at which a path begins. */
export const rootResources = ['ServiceRequest', 'ImagingStudy', 'Appointment'] as const;

/** Whether a text begins with a resource that is read, as every path of a mapping does. */
export const isFhirPath = (place: string): boolean => new RegExp(`^\\s*(?:${rootResources.join('|')})\\.`).test(place);

const namespace = 'http://hl7.org/fhir';

/** Whether the beginning of a text is a resource in XML. */
export const isFhirXml = (text: string): boolean =>
  /^\s*<(?!!doctype html|html)/i.test(text) && text.includes(namespace) && !/<!ENTITY/i.test(text);
