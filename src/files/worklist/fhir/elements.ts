/** Which elements of FHIR resources, in the words of R4 and some of R5, become which fields of an item. */
import type { Mapping } from '../draft.ts';
import type { ExamStatus } from '../reading.ts';

/** A study, and the request it is based on; the study's elements come first. */
const both = (path: string): string[] => [`ImagingStudy.${path}`, `ServiceRequest.${path}`];
const all = (path: string): string[] => [...both(path), `Appointment.${path}`];
/** Who or what takes part in an appointment. */
const actor = (type: string): string => `Appointment.participant.actor.resolve()[${type}]`;

const patient = 'subject.resolve()';
/** A patient's numbers by preference: medical record, institution, without a type, any. */
const marks = ['[MR]', '[PI]', '[untyped]', ''];
const requester = 'ServiceRequest.requester';

/**
 * Paths are of FHIRPath: `resolve()` follows a reference inside the file. `[ACSN]` keeps the elements with that type,
 * use or system.
 */
export const fhirMappings: readonly Mapping[] = [
  {
    to: 'accession_number',
    kind: 'text',
    from: [
      ...all('identifier[ACSN]'),
      'ImagingStudy.basedOn.identifier[ACSN]',
      ...all('identifier[FILL]'),
      ...all('identifier[untyped]'),
    ],
  },
  {
    to: 'accession_issuer',
    kind: 'text',
    from: all('identifier[ACSN].assigner'),
  },
  {
    to: 'study_uid',
    kind: 'uid',
    from: ['ImagingStudy.identifier[uid]', 'ServiceRequest.identifier[urn:dicom:uid]'],
  },
  {
    to: 'patient_id',
    kind: 'text',
    from: [
      ...marks.flatMap((mark) => both(`${patient}.identifier${mark}`)),
      ...both('subject.identifier'),
      ...marks.map((mark) => `${actor('Patient')}.identifier${mark}`),
      ...both(`${patient}.id`),
      `${actor('Patient')}.id`,
    ],
  },
  {
    to: 'patient_name',
    kind: 'text',
    from: [
      ...both(`${patient}.name[official]`),
      ...both(`${patient}.name[usual]`),
      ...both(`${patient}.name`),
      ...both('subject.display'),
      `${actor('Patient')}.name[official]`,
      `${actor('Patient')}.name[usual]`,
      `${actor('Patient')}.name`,
      'Appointment.participant.actor[Patient].display',
    ],
  },
  {
    to: 'modality',
    kind: 'modality',
    from: [
      'ImagingStudy.modality.code',
      'ImagingStudy.modality.coding.code',
      'ImagingStudy.series.modality.code',
      'ImagingStudy.series.modality.coding.code',
      'ServiceRequest.orderDetail.coding[http://dicom.nema.org/resources/ontology/DCM].code',
      'ServiceRequest.code.coding[http://dicom.nema.org/resources/ontology/DCM].code',
      'Appointment.serviceType.coding[http://dicom.nema.org/resources/ontology/DCM].code',
    ],
  },
  {
    to: 'exam_datetime',
    kind: 'instant',
    from: [
      'ImagingStudy.started',
      'Appointment.start',
      'ServiceRequest.occurrenceDateTime',
      'ServiceRequest.occurrencePeriod.start',
      'ServiceRequest.occurrenceTiming.event',
      'ServiceRequest.occurrenceTiming.repeat.boundsPeriod.start',
      'ImagingStudy.series.started',
      'ServiceRequest.authoredOn',
    ],
  },
  {
    to: 'exam_description',
    kind: 'text',
    from: [
      'ImagingStudy.description',
      'ImagingStudy.procedureCode',
      'ImagingStudy.procedure',
      'ServiceRequest.code',
      'ImagingStudy.series.description',
      'Appointment.serviceType',
      'Appointment.description',
      'Appointment.appointmentType',
      'ServiceRequest.code.coding.code',
      'ImagingStudy.series.bodySite',
    ],
  },
  { to: 'patient_sex', kind: 'sex', from: [...both(`${patient}.gender`), `${actor('Patient')}.gender`] },
  { to: 'patient_birth_date', kind: 'date', from: [...both(`${patient}.birthDate`), `${actor('Patient')}.birthDate`] },
  {
    to: 'exam_room',
    kind: 'text',
    from: [
      'ImagingStudy.location.resolve().name',
      'ImagingStudy.location.display',
      'ServiceRequest.locationReference.resolve().name',
      'ServiceRequest.locationReference.display',
      'ServiceRequest.locationCode',
      `${actor('Location')}.name`,
      'Appointment.participant.actor[Location].display',
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
  { to: 'metadata.priority', kind: 'priority', from: ['ServiceRequest.priority', 'Appointment.priority'] },
  {
    to: 'metadata.indication',
    kind: 'text',
    from: [...all('reasonCode'), ...all('reason'), 'ServiceRequest.reasonReference.resolve().code'],
  },
  { to: 'metadata.notes', kind: 'text', from: both('note.text') },
  { to: 'metadata.patient_id_issuer', kind: 'text', from: both(`${patient}.identifier[MR].assigner`) },
  { to: 'metadata.procedure_code', kind: 'text', from: ['ServiceRequest.code.coding.code'] },
  { to: 'metadata.procedure_text', kind: 'text', from: ['ServiceRequest.code.coding.display'] },
  { to: 'metadata.procedure_code_system', kind: 'text', from: ['ServiceRequest.code.coding.system'] },
  ...(['placer', 'filler'] as const).flatMap((whose): Mapping[] => {
    const number = `ServiceRequest.identifier[${whose === 'placer' ? 'PLAC' : 'FILL'}]`;
    return [
      { to: `metadata.${whose}_order_number`, kind: 'text', from: [number] },
      { to: `metadata.${whose}_order_issuer`, kind: 'text', from: [`${number}.assigner`, `${number}.system`] },
    ];
  }),
  { to: 'metadata.order_id', kind: 'text', from: ['ServiceRequest.id'] },
  { to: 'metadata.appointment_number', kind: 'text', from: ['Appointment.id'] },
];

/** Statuses after which the exam does not take place, of either resource. */
export const cancelledStatuses: ReadonlySet<unknown> = new Set([
  'revoked',
  'cancelled',
  'entered-in-error',
  'noshow',
  // Only in DSTU2.
  'rejected',
  'failed',
  'aborted',
]);

/** Statuses of an order that is in force: of a request, of a study (request-status, imagingstudy-status). */
export const standingStatuses: ReadonlySet<unknown> = new Set([
  'active',
  'registered',
  'available',
  'booked',
  'arrived',
  'checked-in',
  'requested',
  'received',
  'accepted',
]);

/** How far the exam is, by the status of its appointment or study. */
export const examProgress: Readonly<Record<string, ExamStatus>> = {
  booked: 'scheduled',
  arrived: 'arrived',
  'checked-in': 'arrived',
  fulfilled: 'completed',
  registered: 'in_progress',
  available: 'completed',
  active: 'scheduled',
  completed: 'completed',
};

/** Requests that nobody has to carry out: `undefined`, or what they are instead (request-intent, request-status). */
export const noOrders: Readonly<Record<string, readonly string[]>> = {
  intent: ['proposal', 'plan', 'directive', 'option'],
  status: ['draft', 'proposed', 'pending', 'waitlist'],
  // A request not to do something.
  doNotPerform: ['true'],
};
