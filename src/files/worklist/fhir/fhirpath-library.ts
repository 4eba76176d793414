/** The FHIRPath of Medplum's library, a fiftieth of it. The build bundles this part (decision 51). */
export { evalFhirPath, parseFhirPath } from '@medplum/core';
