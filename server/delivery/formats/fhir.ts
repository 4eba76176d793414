/** The document as a FHIR R4 DiagnosticReport (hl7.org/fhir/R4/diagnosticreport.html). */
import type { Measurement } from '../../../src/contract/measurement.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { communicationsOf } from '../../../src/reporting/critical.ts';
import type { Report, Signature } from '../../../src/reporting/report-head.ts';
import { listExamNumbers, toAssigner, listCodings, buildOrders } from './fhir-order.ts';
import { readText } from './order-data.ts';
import { pdfReport } from './pdf.ts';
import { reportStatus, statusCodes } from './report.ts';
import { sectionsXhtml } from './html.ts';
import { concludingKeys, reportCode } from '../../../src/reporting/sections/section-codes.ts';
import { textReport } from './text.ts';
import { removeInvalidXml } from './xml.ts';

const genders: Readonly<Record<string, string>> = { M: 'male', F: 'female', O: 'other', U: 'unknown' };

/** HL7 table 0203: medical licence number. */
const interpreter = (display: string, licence: string | undefined) => ({
  display,
  ...(licence !== undefined && {
    type: 'Practitioner',
    identifier: {
      type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MD' }] },
      value: licence,
    },
  }),
});

/** Distinct signers. */
function listInterpreters(signatures: readonly Signature[]): ReturnType<typeof interpreter>[] {
  const people = new Map(signatures.map(({ who, licence }) => [`${who} ${licence}`, { who, licence }]));
  return [...people.values()].flatMap(({ who, licence }) => (who ? [interpreter(who, licence)] : []));
}

/** A standalone resource: it contains the patient, and refers to the rest by identifiers or by the receiver's resources. */
export async function fhirReport(report: Report): Promise<string | undefined> {
  const pdf = await pdfReport(report);
  return pdf && JSON.stringify(buildDiagnosticReport(report, { data: toBase64(pdf) }), null, 2);
}

const toBase64 = (content: string | Uint8Array): string => Buffer.from(content).toString('base64');

/** `pdf`: inside, or at an address. */
export function buildDiagnosticReport(
  report: Report,
  pdf: { readonly data: string } | { readonly url: string },
): Record<string, unknown> {
  const { record, item, signature, preliminary, addenda = [], known, measurements = [] } = report;
  // An empty string isn't valid.
  const conclusion = record.sections.flatMap(({ key, text }) =>
    concludingKeys.includes(key) && text.trim() !== '' ? [text] : [],
  );
  const signatures = [signature, preliminary].filter((each) => each != null);
  const interpreters = listInterpreters(signatures.length > 0 ? [...signatures, ...addenda] : []);
  // The last signer is responsible for the report.
  const responsible = preliminary ? listInterpreters(signatures.slice(0, 1)) : [];
  const patient = known?.patient === undefined ? '#patient' : `Patient/${known.patient}`;
  const subject = item && { reference: patient, display: item.display_name };
  const { contained: orders, ...ordered } = buildOrders(item, { patient, known });
  const contained = [
    ...(item && known?.patient === undefined ? [buildPatient(item)] : []),
    ...orders,
    ...communicationsOf(record).map((each, at) => buildCommunication(each, at, subject)),
    ...measurements.map(({ viewer }, at) => buildObservation(viewer, at, subject)),
  ];
  return {
    resourceType: 'DiagnosticReport',
    // FHIR ids have no underscore.
    id: record.id.replaceAll('_', '-'),
    meta: {
      versionId: String(record.version),
      lastUpdated: record.updated_at,
      ...(record.test_mode && {
        tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }],
      }),
    },
    language: record.language,
    text: {
      status: 'generated',
      div: `<div xmlns="http://www.w3.org/1999/xhtml" xml:lang="${record.language}" lang="${record.language}">${narrative(report)}</div>`,
    },
    ...(contained.length > 0 && { contained }),
    ...(record.replaces && { extension: [buildReplaces(record.replaces)] }),
    identifier: [{ value: record.id }, ...listExamNumbers(item)],
    ...ordered,
    status: statusCodes[reportStatus(report)].fhir,
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'RAD' }] }],
    code: {
      coding: [{ system: 'http://loinc.org', code: reportCode }, ...listCodings(item)],
      text: item?.exam_description ?? record.title,
    },
    ...(subject && { subject }),
    ...(item && { effectiveDateTime: fhirDateTime(item.exam_datetime) }),
    issued: record.updated_at,
    ...(responsible.length > 0 && { performer: responsible }),
    ...(interpreters.length > 0 && { resultsInterpreter: interpreters }),
    ...(measurements.length > 0 && {
      result: measurements.map((_, at) => ({ reference: `#${measurementId(at)}` })),
    }),
    ...(item?.study_uid && {
      imagingStudy: [
        {
          ...(known?.study !== undefined && { reference: `ImagingStudy/${known.study}` }),
          type: 'ImagingStudy',
          identifier: { system: 'urn:dicom:uid', value: `urn:oid:${item.study_uid}` },
        },
      ],
    }),
    ...(conclusion.length > 0 && { conclusion: conclusion.join('\n') }),
    presentedForm: [
      {
        contentType: 'text/plain; charset=utf-8',
        language: record.language,
        data: toBase64(textReport(report)),
        title: record.title,
      },
      {
        contentType: 'application/pdf',
        language: record.language,
        ...pdf,
        title: record.title,
      },
    ],
  };
}

/** R4, extension diagnosticReport-replaces: the earlier report of the exam that this one replaces. */
const buildReplaces = ({ record_id: value }: NonNullable<Report['record']['replaces']>) => ({
  url: 'http://hl7.org/fhir/StructureDefinition/diagnosticReport-replaces',
  valueReference: { type: 'DiagnosticReport', identifier: { value } },
});

/** XHTML must not contain control characters (XML 1.0 2.2). */
const narrative = (report: Report): string => removeInvalidXml(sectionsXhtml(report));

/** Codes of HL7 table 0203 for ids of patients; other words are texts. */
const patientIdTypes: ReadonlySet<string> = new Set('AN ANON HC JHN MC MR NI PI PN PPN PT SS U'.split(' '));

function typeOfPatientId(type: string): { type?: object } {
  if (type === '') return {};
  const system = 'http://terminology.hl7.org/CodeSystem/v2-0203';
  return { type: patientIdTypes.has(type) ? { coding: [{ system, code: type }] } : { text: type } };
}

/** The patient of an exam. */
export function buildPatient(item: WorklistItem, id = 'patient'): Record<string, unknown> {
  return {
    resourceType: 'Patient',
    id,
    identifier: [
      {
        ...typeOfPatientId(readText(item, 'patient_id_type')),
        value: item.patient_id,
        ...toAssigner(readText(item, 'patient_id_issuer'), readText(item, 'patient_id_system')),
      },
    ],
    name: [buildName(item)],
    gender: genders[item.patient_sex ?? 'U'],
    ...(item.patient_birth_date && { birthDate: item.patient_birth_date }),
  };
}

/** HumanName: as it is shown, and in the components of its first group of writing. */
function buildName({ patient_name: name, display_name: text }: WorklistItem): Record<string, unknown> {
  const group = name.split('=').find((candidate) => /[^\s^]/.test(candidate)) ?? '';
  const [family = '', given = '', middle = '', prefix = '', suffix = ''] = group.split('^').map((part) => part.trim());
  const names = [given, middle].filter((each) => each !== '');
  // A name without components is in no known order.
  const isDivided = group.includes('^');
  return {
    text,
    ...(isDivided && family !== '' && { family }),
    ...(isDivided && names.length > 0 && { given: names }),
    ...(prefix !== '' && { prefix: [prefix] }),
    ...(suffix !== '' && { suffix: [suffix] }),
  };
}

/** HL7 code system ParticipationMode. */
const media = { phone: 'PHONE', in_person: 'PHYSICAL', message: 'ELECTRONIC' } as const;

/** The communication of a critical result (R4, Communication). It refers to the containing report. */
function buildCommunication(
  { words, communication }: ReturnType<typeof communicationsOf>[number],
  at: number,
  subject: object | null,
): Record<string, unknown> {
  const { to, role, way, read_back: isReadBack } = communication;
  return {
    resourceType: 'Communication',
    id: `communication-${at + 1}`,
    status: 'completed',
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/communication-category', code: 'alert' }] }],
    priority: 'stat',
    medium: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationMode', code: media[way] }] }],
    ...(subject && { subject }),
    about: [{ reference: '#' }],
    sent: communication.at,
    recipient: [{ display: role === undefined ? to : `${to} (${role})` }],
    sender: { display: communication.by },
    payload: [{ contentString: words }],
    ...(isReadBack && { note: [{ text: 'Read back and confirmed.' }] }),
  };
}

const measurementId = (at: number): string => `measurement-${at + 1}`;

/** A measurement that a person made in a viewer (R4, Observation). Several values are components. */
function buildObservation(
  { id, title, codes = [], sites = [], values, tracking_uid: tracking, series_uid, instance_uid }: Measurement,
  at: number,
  subject: object | null,
): Record<string, unknown> {
  const quantity = ({ value, unit, code }: Measurement['values'][number]) => ({
    value,
    unit,
    ...(code !== undefined && { system: 'http://unitsofmeasure.org', code }),
  });
  const [only, ...others] = values;
  const image = [series_uid, instance_uid].filter((uid) => uid !== undefined);
  return {
    resourceType: 'Observation',
    id: measurementId(at),
    identifier: [
      { value: id },
      ...(tracking === undefined ? [] : [{ system: 'urn:dicom:uid', value: `urn:oid:${tracking}` }]),
    ],
    status: 'final',
    category: [{ coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'imaging' }] }],
    code: { ...(codes.length > 0 && { coding: codes }), text: title ?? 'Measurement' },
    ...(subject && { subject }),
    ...(sites.length > 0 && { bodySite: { coding: sites } }),
    ...(others.length === 0 && only
      ? { valueQuantity: quantity(only) }
      : {
          component: values.map((value, axis) => ({
            code: { ...(value.codes && { coding: value.codes }), text: value.title ?? `Axis ${axis + 1}` },
            valueQuantity: quantity(value),
          })),
        }),
    ...(image.length > 0 && {
      derivedFrom: image.map((uid) => ({ identifier: { system: 'urn:dicom:uid', value: `urn:oid:${uid}` } })),
    }),
  };
}

/** A FHIR dateTime with a time needs an offset; without one, only the date is kept. */
const fhirDateTime = (value: string): string => (/(?:Z|[+-]\d{2}:\d{2})$/.test(value) ? value : value.slice(0, 10));
