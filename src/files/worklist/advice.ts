/** Advises on the mapping for an item that a service refused, in the words of the item's format. */
import { coreFieldNames } from '../../contract/exam.ts';
import { findEntry } from '../../domain/find-entry.ts';
import type { FormatName } from '../../domain/worklist-formats.ts';
import { dicomMappings, placeName } from './dicom/attributes.ts';
import type { Mapping } from './draft.ts';
import { placesElsewhere } from './elsewhere.ts';
import { fhirMappings } from './fhir/elements.ts';
import { hl7Mappings } from './hl7/fields.ts';
import { kindOfField } from './kinds.ts';

export interface RefusedField {
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly message: string;
}

/** The facts about a sent item that help to advise. */
export interface SentItem {
  readonly format: FormatName;
  /** The table by which it was read, where the format has several. */
  readonly table?: string;
  /** A modality that is none. */
  readonly modality?: string;
  /** It cancels its exam. */
  readonly isCancelled?: true;
}

interface Places {
  readonly table: readonly Mapping[];
  readonly nameOf: (source: string) => string;
  /** Name for an unknown place. */
  readonly placeholder: string;
  /** Whether what is read by this table may have the place; absent: all. */
  readonly has?: (place: string) => boolean;
}

const same = (source: string): string => source;
const hl7 = (table: readonly Mapping[], other: RegExp): Places => ({
  table,
  nameOf: same,
  placeholder: 'PLACE',
  has: (place) => !other.test(place),
});
const ofAppointments = /^(?:SCH|AI[GLPS])-/;
const ofOrders = /^(?:ORC|OBR)-/;
const hl7Places: Readonly<Record<keyof typeof hl7Mappings, Places>> = {
  ORM: hl7(hl7Mappings.ORM, ofAppointments),
  OMI: hl7(hl7Mappings.OMI, ofAppointments),
  SIU: hl7(hl7Mappings.SIU, ofOrders),
};
const dicom: Places = { table: dicomMappings, nameOf: placeName, placeholder: 'PLACE' };
const columns: Places = { table: [], nameOf: same, placeholder: 'HEADING' };
const members: Places = { table: [], nameOf: same, placeholder: 'NAME' };
const placesOf: Readonly<Record<Exclude<FormatName, 'hl7'>, Places>> = {
  dicom,
  'dicom-json': dicom,
  fhir: { table: fhirMappings, nameOf: same, placeholder: 'PLACE' },
  csv: columns,
  xlsx: columns,
  json: members,
  ndjson: members,
};

/** Values for which a default is no answer: whose exam it is, and when. */
const particular = new Set(['accession_number', 'study_uid', 'patient_id', 'patient_name', 'exam_datetime']);
/** An order that is named by its own number alone, and is not known, could name its exam. */
const mappable = ['accession_number', ...coreFieldNames];

/** `undefined` where a mapping would not help. */
export function adviceFor({ code, field, message }: RefusedField, sent: SentItem): string | undefined {
  const { format, modality } = sent;
  if (code === 'INVALID_MODALITY' && modality !== undefined) {
    return `In a mapping (--mapping FILE): {"values": {"modality": {${JSON.stringify(modality)}: "CR"}}}, with the DICOM code that it means.`;
  }
  if (code !== 'FIELD_REQUIRED') return undefined;
  if (sent.isCancelled) {
    return 'It cancels an exam of which nothing is stored: send the order before it, or leave it out.';
  }
  const missing = mappable.filter((name) => name === field || new RegExp(`\\b${name}\\b`).test(message));
  if (missing.length === 0) return undefined;
  const places = format === 'hl7' ? (findEntry(hl7Places, sent.table ?? '') ?? hl7Places.ORM) : placesOf[format];
  const read = missing.map((name) => listSources(places, name)).filter((words) => words !== '');
  const fields = missing.map((name) => `"${name}": ${JSON.stringify(listExamples(places, format, name))}`).join(', ');
  const presets = missing.filter((name) => !particular.has(name)).map((name) => `"${name}": "…"`);
  return [
    `In a mapping (--mapping FILE): {"fields": {${fields}}}${presets.length > 0 ? ` or {"defaults": {${presets.join(', ')}}}` : ''}; "laudio worklist mapping FILE" proposes one.`,
    ...(read.length > 0 ? [`Read from ${read.join('; ')}.`] : []),
  ].join(' ');
}

const maxSources = 4;

function listSources({ table, nameOf }: Places, name: string): string {
  const sources = (table.find(({ to }) => to === name)?.from ?? []).map(nameOf);
  const shown = sources.slice(0, maxSources).join(', ');
  return sources.length > maxSources ? `${shown} and ${sources.length - maxSources} more` : shown;
}

/** Places of the field in other systems: all places of a time, since a reader skips those that hold none. */
function listExamples({ has, placeholder }: Places, format: FormatName, name: string): string[] {
  const known = placesElsewhere(format, name).filter((place) => has?.(place) ?? true);
  const found = kindOfField(name) === 'instant' ? known : known.slice(0, maxExamples);
  return found.length > 0 ? found : [placeholder];
}

const maxExamples = 2;
