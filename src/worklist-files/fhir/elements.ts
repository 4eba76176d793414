/** Which elements of FHIR R4 resources become which fields of an item. */
import type { Mapping } from '../draft.ts';

/** A study, and the request it is based on; the study's elements come first. */
const both = (path: string): string[] => [`ImagingStudy.${path}`, `ServiceRequest.${path}`];

const patient = 'subject.resolve()';
const requester = 'ServiceRequest.requester';

/**
 * Paths are of FHIRPath: `resolve()` follows a reference inside the file. `[ACSN]` keeps the elements with that type,
 * use or system.
 */
export const fhirMappings: readonly Mapping[] = [
  { to: 'accession_number', kind: 'text', from: both('identifier[ACSN]') },
  { to: 'study_uid', kind: 'uid', from: both('identifier[urn:dicom:uid]') },
  {
    to: 'patient_id',
    kind: 'text',
    from: [...both(`${patient}.identifier[MR]`), ...both(`${patient}.identifier`), ...both('subject.identifier')],
  },
  {
    to: 'patient_name',
    kind: 'text',
    from: [...both(`${patient}.name[official]`), ...both(`${patient}.name`), ...both('subject.display')],
  },
  {
    to: 'modality',
    kind: 'modality',
    from: [
      'ImagingStudy.modality.code',
      'ImagingStudy.series.modality.code',
      'ServiceRequest.orderDetail.coding[http://dicom.nema.org/resources/ontology/DCM].code',
      'ServiceRequest.code.coding[http://dicom.nema.org/resources/ontology/DCM].code',
    ],
  },
  {
    to: 'exam_datetime',
    kind: 'instant',
    from: ['ImagingStudy.started', 'ServiceRequest.occurrenceDateTime', 'ServiceRequest.occurrencePeriod.start'],
  },
  {
    to: 'exam_description',
    kind: 'text',
    from: ['ImagingStudy.description', 'ImagingStudy.procedureCode', 'ServiceRequest.code'],
  },
  { to: 'patient_sex', kind: 'sex', from: both(`${patient}.gender`) },
  { to: 'patient_birth_date', kind: 'date', from: both(`${patient}.birthDate`) },
  {
    to: 'exam_room',
    kind: 'text',
    from: [
      'ImagingStudy.location.resolve().name',
      'ImagingStudy.location.display',
      'ServiceRequest.locationReference.resolve().name',
      'ServiceRequest.locationReference.display',
      'ServiceRequest.locationCode',
    ],
  },
  {
    to: 'referring_physician',
    kind: 'text',
    from: [
      'ImagingStudy.referrer.resolve().name',
      'ImagingStudy.referrer.display',
      `${requester}.resolve().name`,
      `${requester}.resolve().practitioner.resolve().name`,
      `${requester}.resolve().practitioner.display`,
      `${requester}.display`,
    ],
  },
  {
    to: 'hospital_name',
    kind: 'text',
    from: [
      ...both('encounter.resolve().serviceProvider.resolve().name'),
      ...both('encounter.resolve().serviceProvider.display'),
      'ServiceRequest.performer.resolve().name',
      'ServiceRequest.performer.display',
    ],
  },
  {
    to: 'location',
    kind: 'text',
    from: [
      ...both('encounter.resolve().location.location.resolve().name'),
      ...both('encounter.resolve().location.location.display'),
    ],
  },
  { to: 'series_count', kind: 'count', from: ['ImagingStudy.numberOfSeries'] },
  { to: 'images_count', kind: 'count', from: ['ImagingStudy.numberOfInstances'] },
  { to: 'metadata.priority', kind: 'priority', from: ['ServiceRequest.priority'] },
  {
    to: 'metadata.indication',
    kind: 'text',
    from: [...both('reasonCode'), 'ServiceRequest.reasonReference.resolve().code'],
  },
  { to: 'metadata.notes', kind: 'text', from: both('note.text') },
  { to: 'metadata.placer_order_number', kind: 'text', from: ['ServiceRequest.identifier[PLAC]'] },
  { to: 'metadata.filler_order_number', kind: 'text', from: ['ServiceRequest.identifier[FILL]'] },
];

/** Statuses after which the exam does not take place, of either resource. */
export const cancelledStatuses: ReadonlySet<unknown> = new Set(['revoked', 'cancelled', 'entered-in-error']);

/** Statuses of an order that is in force: of a request, of a study (request-status, imagingstudy-status). */
export const standingStatuses: ReadonlySet<unknown> = new Set(['active', 'registered', 'available']);

/** Requests that nobody has to carry out: `undefined`, or what they are instead (request-intent, request-status). */
export const noOrders: Readonly<Record<string, readonly string[]>> = {
  intent: ['proposal', 'plan', 'directive', 'option'],
  status: ['draft'],
};
