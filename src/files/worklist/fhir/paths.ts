/** Recognises FHIR: paths of mappings, and resources in XML. */

/** Resources at which a path begins. */
export const rootResources = ['ServiceRequest', 'ImagingStudy', 'Appointment'] as const;

/** Names of resources before R4, and since. */
export const previousNames: Readonly<Record<string, (typeof rootResources)[number]>> = {
  ProcedureRequest: 'ServiceRequest',
  DiagnosticOrder: 'ServiceRequest',
};

const begin = new RegExp(`^\\s*(${[...rootResources, ...Object.keys(previousNames)].join('|')})\\.`);

/** Whether a text begins with a resource that is read, as every path of a mapping does. */
export const isFhirPath = (place: string): boolean => begin.test(place);

/** The path with the present name of its resource. */
export const presentPath = (place: string): string =>
  place.trim().replace(begin, (whole, name: string) => whole.replace(name, previousNames[name] ?? name));

const namespace = 'http://hl7.org/fhir';

/** Whether the beginning of a text is a resource in XML. */
export const isFhirXml = (text: string): boolean =>
  /^\s*<(?!!doctype html|html)/i.test(text) && text.includes(namespace) && !/<!ENTITY/i.test(text);
