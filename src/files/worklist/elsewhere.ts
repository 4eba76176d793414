/** Where fields stand in some systems, and are read from by a mapping alone. */
import type { FormatName } from '../../domain/worklist-formats.ts';
import { dicomPlaceOf } from './dicom/places.ts';
import { isFhirPath } from './fhir/paths.ts';
import { normalisePlace } from './hl7/places.ts';
import { findEntry } from '../../domain/find-entry.ts';

/** Identifiers of the order, without those of its group (PGN, requisition) or patient (MR), which several exams share. */
const ownIdentifiers = (resource: string): string[] =>
  ["where(type='PLAC')", 'where(type.empty())'].map((which) => `${resource}.identifier.${which}.value`);

/** Keys are fields. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  accession_number: [
    'OBR-2',
    'ORC-2',
    'SCH-26',
    'SCH-1',
    'ORC-4',
    'OBR-19',
    'PV1-19',
    'MSH-10',
    '(0040,2016)',
    '(0040,2017)',
    '(0040,1001)',
    '(0020,0010)',
    ...['ServiceRequest', 'Appointment', 'ImagingStudy'].flatMap(ownIdentifiers),
    'ServiceRequest.id',
    'Appointment.id',
    'ImagingStudy.id',
  ],
  patient_id: ['(0010,1000)', 'ServiceRequest.subject.reference', 'ImagingStudy.subject.reference'],
  patient_name: ['PID-9', 'ServiceRequest.subject.reference', 'ImagingStudy.subject.reference'],
  exam_datetime: [
    'OBR-8',
    'ORC-15',
    'OBR-14',
    'PV1-44',
    // When it was ordered: better than nothing.
    'ORC-9',
    'OBR-22',
    'MSH-7',
    '(0008,0022)+(0008,0032)',
    '(0008,0023)+(0008,0033)',
    '(0008,0012)+(0008,0013)',
    '(0008,0022)',
    '(0008,0023)',
    'ServiceRequest.meta.lastUpdated',
    'ImagingStudy.meta.lastUpdated',
    'Appointment.created',
  ],
  exam_description: [
    'ORC-16.2',
    'OBR-31.2',
    'OBR-13',
    'FT1-25.2',
    'FT1-7.2',
    'DG1-4',
    'NTE-3',
    'RXO-1.2',
    '(0018,0015)',
    '(0008,1080)',
    '(0008,0008)',
    'ServiceRequest.reasonCode.text',
    'Appointment.comment',
  ],
  modality: [
    'OBR-20',
    'OBR-21',
    'OBR-19',
    'OBR-15.4',
    'OBR-4.1',
    'OBR-44.1',
    'AIG-3',
    'AIL-3',
    'ZDS-2',
    'ServiceRequest.category.coding.code',
  ],
};

const isTag = (place: string): boolean => dicomPlaceOf(place) !== undefined;
const holds: Readonly<Partial<Record<FormatName, (place: string) => boolean>>> = {
  hl7: (place) => normalisePlace(place, '') !== undefined,
  dicom: isTag,
  'dicom-json': isTag,
  fhir: isFhirPath,
};

/** Places of the format for a field; none in a table, of which nobody knows the columns. */
export const placesElsewhere = (format: FormatName, field: string): readonly string[] =>
  (findEntry(elsewhere, field) ?? []).filter((place) => holds[format]?.(place));

/** Whether other places of the field are known in any format. */
export const standsElsewhere = (field: string): boolean => Object.hasOwn(elsewhere, field);
