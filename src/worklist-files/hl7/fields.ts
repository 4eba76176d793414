/** Which fields of an order become which fields of an item (IHE RAD TF-2 4.4 for ORM^O01, 4.4 with HL7 v2.5.1 for OMI^O23). */
import type { Mapping } from '../draft.ts';

/** In both messages. */
const ordered: readonly Mapping[] = [
  { to: 'patient_id', kind: 'text', from: ['PID-3.1'] },
  { to: 'patient_name', kind: 'text', from: ['PID-5'] },
  { to: 'exam_description', kind: 'text', from: ['OBR-44.2', 'OBR-4.5', 'OBR-4.2'] },
  { to: 'patient_sex', kind: 'sex', from: ['PID-8.1'] },
  { to: 'patient_birth_date', kind: 'date', from: ['PID-7.1'] },
  { to: 'referring_physician', kind: 'text', from: ['PV1-8', 'OBR-16'] },
  { to: 'hospital_name', kind: 'text', from: ['ORC-17.2', 'MSH-4.1'] },
  { to: 'location', kind: 'text', from: ['PV1-3', 'ORC-13.9'] },
];

const orderedMetadata: readonly Mapping[] = [
  { to: 'metadata.patient_id_issuer', kind: 'text', from: ['PID-3.4'] },
  { to: 'metadata.placer_order_number', kind: 'text', from: ['ORC-2.1'] },
  { to: 'metadata.filler_order_number', kind: 'text', from: ['ORC-3.1'] },
  { to: 'metadata.patient_class', kind: 'text', from: ['PV1-2.1'] },
  { to: 'metadata.visit_number', kind: 'text', from: ['PV1-19.1', 'PID-18.1'] },
  { to: 'metadata.clinical_info', kind: 'text', from: ['OBR-13.1'] },
  { to: 'metadata.danger', kind: 'text', from: ['OBR-12.2', 'OBR-12.1'] },
  { to: 'metadata.indication', kind: 'text', from: ['OBR-31.2'] },
  { to: 'metadata.notes', kind: 'text', from: ['NTE-3'] },
];

/** By MSH-9.1; places are segment, field and component. A place without component is a name, a location, or notes. */
export const hl7Mappings = {
  ORM: [
    { to: 'accession_number', kind: 'text', from: ['OBR-18.1'] },
    { to: 'study_uid', kind: 'uid', from: ['ZDS-1.1'] },
    { to: 'procedure_id', kind: 'text', from: ['OBR-19.1'] },
    { to: 'modality', kind: 'modality', from: ['OBR-24.1'] },
    { to: 'exam_datetime', kind: 'instant', from: ['ORC-7.4', 'OBR-27.4', 'OBR-36.1'] },
    ...ordered,
    { to: 'metadata.priority', kind: 'priority', from: ['ORC-7.6', 'OBR-27.6'] },
    ...orderedMetadata,
  ],
  OMI: [
    { to: 'accession_number', kind: 'text', from: ['IPC-1.1'] },
    { to: 'study_uid', kind: 'uid', from: ['IPC-3.1'] },
    { to: 'procedure_id', kind: 'text', from: ['IPC-2.1'] },
    { to: 'modality', kind: 'modality', from: ['IPC-5.1'] },
    { to: 'exam_datetime', kind: 'instant', from: ['TQ1-7.1'] },
    { to: 'exam_room', kind: 'text', from: ['IPC-8.2', 'IPC-8.1', 'IPC-7.1', 'IPC-9.1'] },
    ...ordered,
    { to: 'metadata.priority', kind: 'priority', from: ['TQ1-9.1'] },
    { to: 'metadata.protocol', kind: 'text', from: ['IPC-6.2'] },
    ...orderedMetadata,
  ],
} as const satisfies Record<string, readonly Mapping[]>;
export type OrderMessage = keyof typeof hl7Mappings;

/** The order control of an order that is placed now (ORC-1, table 0119). */
export const placing = 'NW';

/** Order controls (ORC-1, table 0119) and statuses (ORC-5, table 0038) after which the exam does not take place. */
export const cancelling = {
  controls: new Set(['CA', 'CR', 'DC', 'DR', 'OC', 'OD']),
  statuses: new Set(['CA', 'DC']),
};
