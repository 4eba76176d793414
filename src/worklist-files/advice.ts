/** What to write into a mapping where a service refuses an item, in the words of the item's format. */
import { coreFieldNames } from '../contract/exam.ts';
import type { FormatName } from '../domain/worklist-formats.ts';
import { dicomMappings, placeName } from './dicom/attributes.ts';
import type { Mapping } from './draft.ts';
import { placesElsewhere } from './elsewhere.ts';
import { fhirMappings } from './fhir/elements.ts';
import { hl7Mappings } from './hl7/fields.ts';

export interface Refused {
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly message: string;
}

/** What is sent, where it helps: a modality that is none. */
export interface Sent {
  readonly format: FormatName;
  readonly modality?: string | undefined;
}

interface Places {
  readonly table: readonly Mapping[];
  readonly nameOf: (source: string) => string;
  /** A place for an example of a field that stands nowhere else. */
  readonly example: string;
}

const same = (source: string): string => source;
const dicom: Places = { table: dicomMappings, nameOf: placeName, example: '(0040,1001)' };
const table: Places = { table: [], nameOf: same, example: 'HEADING' };
const placesOf: Readonly<Partial<Record<FormatName, Places>>> = {
  hl7: { table: hl7Mappings.ORM, nameOf: same, example: 'ZDS-2' },
  dicom,
  'dicom-json': dicom,
  fhir: { table: fhirMappings, nameOf: same, example: 'ServiceRequest.category.coding.code' },
  csv: table,
  xlsx: table,
};

/** Values for which a default is no answer: whose exam it is, and when. */
const particular = new Set(['accession_number', 'study_uid', 'patient_id', 'patient_name', 'exam_datetime']);

/** `undefined` where a mapping would not help. */
export function adviceFor({ code, field, message }: Refused, { format, modality }: Sent): string | undefined {
  const places = placesOf[format];
  if (!places) return undefined;
  if (code === 'INVALID_MODALITY' && modality !== undefined) {
    return `In a mapping (--mapping FILE): {"values": {"modality": {${JSON.stringify(modality)}: "CR"}}}, with the DICOM code that it means.`;
  }
  if (code !== 'FIELD_REQUIRED') return undefined;
  const missing = coreFieldNames.filter((name) => name === field || new RegExp(`\\b${name}\\b`).test(message));
  if (missing.length === 0) return undefined;
  const read = missing.map((name) => sourcesOf(places, name)).filter((words) => words !== '');
  const fields = missing.map((name) => `"${name}": ${JSON.stringify(examplesOf(format, name))}`).join(', ');
  const presets = missing.filter((name) => !particular.has(name)).map((name) => `"${name}": "…"`);
  return [
    `In a mapping (--mapping FILE): {"fields": {${fields}}}${presets.length > 0 ? ` or {"defaults": {${presets.join(', ')}}}` : ''}; "laudio worklist mapping FILE" proposes one.`,
    ...(read.length > 0 ? [`Read from ${read.join('; ')}.`] : []),
  ].join(' ');
}

const mostSources = 4;

function sourcesOf({ table, nameOf }: Places, name: string): string {
  const sources = (table.find(({ to }) => to === name)?.from ?? []).map(nameOf);
  const shown = sources.slice(0, mostSources).join(', ');
  return sources.length > mostSources ? `${shown} and ${sources.length - mostSources} more` : shown;
}

/** Where the field stands in other systems. */
function examplesOf(format: FormatName, name: string): string[] {
  const found = placesElsewhere(format, name).slice(0, mostExamples);
  return found.length > 0 ? found : [placesOf[format]!.example];
}

const mostExamples = 2;
