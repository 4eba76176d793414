/** An exam as the context of a hub, and the numbers by which the context of another application names one. No names of people go out. */
import type { WorklistItem } from '../../contract/worklist-item.ts';
import type { ExamLink } from '../../domain/exam-link.ts';
import { listObjects } from './messages.ts';
import type { CastEvent, ContextPart, Resource } from './messages.ts';

type CastExam = Pick<
  WorklistItem,
  'id' | 'patient_id' | 'accession_number' | 'accession_issuer' | 'study_uid' | 'metadata'
>;

interface Identifier {
  readonly system?: unknown;
  readonly value?: unknown;
  readonly type?: { readonly coding?: readonly { readonly code?: unknown }[] };
  readonly assigner?: { readonly display?: unknown };
}

const idTypes = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const dicomUid = 'urn:dicom:uid';
const oid = 'urn:oid:';
/** Before FHIRcast 3.0.0 the study was called by another key. */
const studyKeys: readonly string[] = ['study', 'imagingStudy'];

/** Id of the report of an exam. FHIR's ids have no underscore. */
export const reportId = (itemId: string): string => itemId.replaceAll('_', '-');

/** The parts of `DiagnosticReport-open` and `-close` for the report of an exam. */
export function buildExamContext(item: CastExam): ContextPart[] {
  const id = reportId(item.id);
  const issuer = item.metadata?.['patient_id_issuer'];
  const subject = { reference: `Patient/patient-${id}` };
  const accession = numbered('ACSN', item.accession_number, item.accession_issuer);
  const study = item.study_uid === null ? [] : [{ system: dicomUid, value: `${oid}${item.study_uid}` }];
  const part = (key: string, resource: Resource): ContextPart => ({ key, resource });
  return [
    part('report', {
      resourceType: 'DiagnosticReport',
      id,
      status: 'unknown',
      ...(accession.length > 0 && { basedOn: accession.map((identifier) => ({ type: 'ServiceRequest', identifier })) }),
      subject,
      imagingStudy: [{ reference: `ImagingStudy/study-${id}` }],
    }),
    part('patient', {
      resourceType: 'Patient',
      id: `patient-${id}`,
      identifier: numbered('MR', item.patient_id, typeof issuer === 'string' ? issuer : null),
    }),
    part('study', {
      resourceType: 'ImagingStudy',
      id: `study-${id}`,
      status: 'available',
      identifier: [...study, ...accession],
      subject,
    }),
  ];
}

function numbered(code: string, value: string | null, issuer: string | null | undefined) {
  if (value === null) return [];
  return [{ type: { coding: [{ system: idTypes, code }] }, value, ...(issuer && { assigner: { display: issuer } }) }];
}

/** The numbers of the exam that an opening names; `undefined`: it has none. */
export function readExamLink({ context }: Pick<CastEvent, 'context'>): ExamLink | undefined {
  const identifiersAt = (...keys: readonly string[]): Identifier[] =>
    context.flatMap(({ key, resource }) => (keys.includes(key) ? listIdentifiers(resource?.['identifier']) : []));
  const orders = context.flatMap(({ key, resource }) =>
    key === 'report' ? listObjects(resource?.['basedOn']).flatMap((order) => listIdentifiers(order['identifier'])) : [],
  );
  const study = identifiersAt(...studyKeys);
  const uid = study.find(({ system, value }) => system === dicomUid || readText(value)?.startsWith(oid));
  const accession = [...study, ...orders, ...identifiersAt('report')].find((each) => isOfType(each, 'ACSN'));
  const patients = identifiersAt('patient');
  const patient = patients.find((each) => isOfType(each, 'MR')) ?? patients[0];
  const link: ExamLink = withoutMissing({
    study_uid: readText(uid?.value)?.replace(oid, ''),
    accession: readText(accession?.value),
    accession_issuer: readText(accession?.assigner?.display),
    patient_id: readText(patient?.value),
    issuer: readText(patient?.assigner?.display),
  });
  return (link.accession ?? link.study_uid ?? link.patient_id) === undefined ? undefined : link;
}

const listIdentifiers = (value: unknown): Identifier[] => listObjects(value);
const isOfType = ({ type }: Identifier, wanted: string): boolean =>
  listObjects(type?.coding).some(({ code }) => code === wanted);

const maxLength = 128;
function readText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || text.length > maxLength || /\p{Cc}/u.test(text) ? undefined : text;
}

const withoutMissing = (values: Readonly<Record<keyof ExamLink, string | undefined>>): ExamLink =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
