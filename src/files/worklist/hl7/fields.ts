/** Which fields of an order become which fields of an item (IHE RAD TF-2 4.4 for ORM^O01, 4.4 with HL7 v2.5.1 for OMI^O23). */
import type { Mapping } from '../draft.ts';

/** In every message. */
const patient: readonly Mapping[] = [
  { to: 'patient_id', kind: 'text', from: ['PID-3.1', 'PID-2.1', 'PID-4.1'] },
  { to: 'patient_name', kind: 'text', from: ['PID-5'] },
  { to: 'patient_sex', kind: 'sex', from: ['PID-8.1'] },
  { to: 'patient_birth_date', kind: 'date', from: ['PID-7.1'] },
];

const patientMetadata: readonly Mapping[] = [
  { to: 'metadata.patient_id_issuer', kind: 'text', from: ['PID-3.4'] },
  { to: 'metadata.patient_id_system', kind: 'text', from: ['PID-3.4.2'] },
  { to: 'metadata.patient_id_type', kind: 'text', from: ['PID-3.5'] },
  { to: 'metadata.patient_class', kind: 'text', from: ['PV1-2.1'] },
  { to: 'metadata.visit_number', kind: 'text', from: ['PV1-19.1', 'PID-18.1'] },
];

const procedure: readonly Mapping[] = [
  { to: 'metadata.procedure_code', kind: 'text', from: ['OBR-4.1'] },
  { to: 'metadata.procedure_text', kind: 'text', from: ['OBR-4.2'] },
  { to: 'metadata.procedure_code_system', kind: 'text', from: ['OBR-4.3'] },
  { to: 'metadata.procedure_alternate_code', kind: 'text', from: ['OBR-4.4'] },
  { to: 'metadata.procedure_alternate_text', kind: 'text', from: ['OBR-4.5'] },
  { to: 'metadata.procedure_alternate_system', kind: 'text', from: ['OBR-4.6'] },
];

const accessionSystem: readonly Mapping[] = [
  { to: 'metadata.accession_system', kind: 'text', from: ['OBR-18.3', 'IPC-1.3'] },
];

/** Metadata that results refer to, and facts for the physician. */
const orderedMetadata: readonly Mapping[] = [
  ...patientMetadata,
  ...accessionSystem,
  { to: 'metadata.placer_order_number', kind: 'text', from: ['ORC-2.1', 'OBR-2.1'] },
  { to: 'metadata.placer_order_issuer', kind: 'text', from: ['ORC-2.2', 'OBR-2.2'] },
  { to: 'metadata.placer_order_system', kind: 'text', from: ['ORC-2.3', 'OBR-2.3'] },
  { to: 'metadata.filler_order_number', kind: 'text', from: ['ORC-3.1', 'OBR-3.1'] },
  { to: 'metadata.filler_order_issuer', kind: 'text', from: ['ORC-3.2', 'OBR-3.2'] },
  { to: 'metadata.filler_order_system', kind: 'text', from: ['ORC-3.3', 'OBR-3.3'] },
  ...procedure,
  { to: 'metadata.referring_physician_id', kind: 'text', from: ['PV1-8.1', 'OBR-16.1', 'ORC-12.1'] },
  { to: 'metadata.referring_physician_id_issuer', kind: 'text', from: ['PV1-8.9', 'OBR-16.9', 'ORC-12.9'] },
  {
    to: 'metadata.referring_physician_id_system',
    kind: 'text',
    from: ['PV1-8.9.2', 'OBR-16.9.2', 'ORC-12.9.2'],
  },
  { to: 'metadata.clinical_info', kind: 'text', from: ['OBR-13.1'] },
  { to: 'metadata.danger', kind: 'text', from: ['OBR-12.2', 'OBR-12.1'] },
  { to: 'metadata.indication', kind: 'text', from: ['OBR-31.2'] },
  { to: 'metadata.notes', kind: 'text', from: ['NTE-3'] },
];

/** In ORM and OMI. */
const ordered: readonly Mapping[] = [
  ...patient,
  {
    to: 'exam_description',
    kind: 'text',
    from: ['OBR-44.2', 'OBR-4.5', 'OBR-4.2', 'IPC-6.2', 'OBR-44.1', 'OBR-4.1'],
  },
  { to: 'exam_room', kind: 'text', from: ['IPC-8.2', 'IPC-8.1', 'IPC-7.1', 'IPC-9.1'] },
  { to: 'referring_physician', kind: 'text', from: ['PV1-8', 'OBR-16', 'ORC-12'] },
  { to: 'hospital_name', kind: 'text', from: ['ORC-17.2', 'MSH-4.1'] },
  { to: 'location', kind: 'text', from: ['PV1-3', 'ORC-13.9'] },
];

/**
 * Places are segment, field and component. A place without component is all of a name, a location, a code or notes, by the field
 * that it fills. ORM is also the table of OMG and OML.
 */
export const hl7Mappings = {
  ORM: [
    {
      to: 'accession_number',
      kind: 'text',
      from: ['OBR-18.1', 'IPC-1.1', 'OBR-3.1', 'ORC-3.1', 'OBR-20.1'],
    },
    { to: 'accession_issuer', kind: 'text', from: ['OBR-18.2', 'IPC-1.2'] },
    { to: 'study_uid', kind: 'uid', from: ['ZDS-1.1', 'IPC-3.1'] },
    { to: 'procedure_id', kind: 'text', from: ['OBR-19.1', 'IPC-2.1'] },
    { to: 'modality', kind: 'modality', from: ['OBR-24.1', 'IPC-5.1'] },
    {
      to: 'exam_datetime',
      kind: 'instant',
      from: ['ORC-7.4', 'TQ1-7.1', 'OBR-27.4', 'OBR-36.1', 'OBR-7.1', 'OBR-6.1', 'SCH-11.4'],
    },
    ...ordered,
    { to: 'metadata.priority', kind: 'priority', from: ['ORC-7.6', 'TQ1-9.1', 'OBR-27.6', 'OBR-5.1'] },
    { to: 'metadata.protocol', kind: 'text', from: ['IPC-6.2'] },
    ...orderedMetadata,
  ],
  OMI: [
    {
      to: 'accession_number',
      kind: 'text',
      from: ['IPC-1.1', 'OBR-18.1', 'OBR-3.1', 'ORC-3.1', 'OBR-20.1'],
    },
    { to: 'accession_issuer', kind: 'text', from: ['IPC-1.2', 'OBR-18.2'] },
    { to: 'study_uid', kind: 'uid', from: ['IPC-3.1', 'ZDS-1.1'] },
    { to: 'procedure_id', kind: 'text', from: ['IPC-2.1', 'OBR-19.1'] },
    { to: 'modality', kind: 'modality', from: ['IPC-5.1', 'OBR-24.1'] },
    {
      to: 'exam_datetime',
      kind: 'instant',
      from: ['TQ1-7.1', 'ORC-7.4', 'OBR-36.1', 'OBR-7.1', 'OBR-6.1', 'SCH-11.4'],
    },
    ...ordered,
    { to: 'metadata.priority', kind: 'priority', from: ['TQ1-9.1', 'ORC-7.6', 'OBR-5.1'] },
    { to: 'metadata.protocol', kind: 'text', from: ['IPC-6.2'] },
    ...orderedMetadata,
  ],
  /** Appointments: the filler's numbers name the exam; the placer's do so by a mapping. */
  SIU: [
    {
      to: 'accession_number',
      kind: 'text',
      from: ['OBR-18.1', 'IPC-1.1', 'OBR-3.1', 'SCH-27.1', 'SCH-2.1'],
    },
    { to: 'accession_issuer', kind: 'text', from: ['OBR-18.2', 'IPC-1.2'] },
    { to: 'study_uid', kind: 'uid', from: ['ZDS-1.1', 'IPC-3.1'] },
    { to: 'procedure_id', kind: 'text', from: ['OBR-19.1', 'IPC-2.1'] },
    { to: 'modality', kind: 'modality', from: ['OBR-24.1', 'IPC-5.1'] },
    {
      to: 'exam_datetime',
      kind: 'instant',
      // SCH-11 is kept for systems before TQ1 (v2.5.1 10.6.1.11); who fills both means TQ1.
      from: ['TQ1-7.1', 'SCH-11.4', 'AIS-4.1', 'AIG-8.1', 'AIL-6.1', 'OBR-36.1'],
    },
    ...patient,
    {
      to: 'exam_description',
      kind: 'text',
      from: ['OBR-44.2', 'OBR-4.2', 'AIS-3.2', 'SCH-8.2', 'SCH-7.2', 'AIS-3.1', 'SCH-8.1', 'SCH-7.1'],
    },
    { to: 'exam_room', kind: 'text', from: ['AIL-3.2', 'AIL-3.1', 'AIG-3.2', 'AIG-3.1'] },
    { to: 'referring_physician', kind: 'text', from: ['PV1-8', 'OBR-16', 'ORC-12'] },
    { to: 'hospital_name', kind: 'text', from: ['AIL-3.4', 'MSH-4.1'] },
    { to: 'location', kind: 'text', from: ['PV1-3'] },
    { to: 'metadata.priority', kind: 'priority', from: ['TQ1-9.1', 'SCH-11.6'] },
    ...patientMetadata,
    { to: 'metadata.placer_order_number', kind: 'text', from: ['OBR-2.1', 'SCH-26.1'] },
    { to: 'metadata.filler_order_number', kind: 'text', from: ['OBR-3.1', 'SCH-27.1'] },
    { to: 'metadata.appointment_number', kind: 'text', from: ['SCH-2.1', 'SCH-1.1'] },
    { to: 'metadata.procedure_code', kind: 'text', from: ['OBR-4.1', 'AIS-3.1'] },
    { to: 'metadata.procedure_text', kind: 'text', from: ['OBR-4.2', 'AIS-3.2'] },
    { to: 'metadata.procedure_code_system', kind: 'text', from: ['OBR-4.3', 'AIS-3.3'] },
    { to: 'metadata.indication', kind: 'text', from: ['SCH-7.2'] },
    { to: 'metadata.notes', kind: 'text', from: ['NTE-3'] },
  ],
} as const satisfies Record<string, readonly Mapping[]>;
export type OrderTable = keyof typeof hl7Mappings;

/** Types of messages that order exams (MSH-9.1), and the table that each is read by. */
export const orderMessages: Readonly<Record<string, OrderTable>> = {
  ORM: 'ORM',
  OMG: 'ORM',
  OML: 'ORM',
  OMI: 'OMI',
  SIU: 'SIU',
};

/** Places of the patient's facts in ADT, and of the patient whose data is merged. */
export const patientMappings = {
  PID: [...patient, { to: 'metadata.patient_id_issuer', kind: 'text', from: ['PID-3.4'] }],
  MRG: [
    { to: 'patient_id', kind: 'text', from: ['MRG-1.1', 'MRG-4.1'] },
    { to: 'patient_name', kind: 'text', from: ['MRG-7'] },
    { to: 'metadata.patient_id_issuer', kind: 'text', from: ['MRG-1.4'] },
  ],
} as const satisfies Record<string, readonly Mapping[]>;
