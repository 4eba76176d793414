/** Ids of an exam's resources on FHIR servers, which reports to the same server refer to. */
import { maxOrders } from '../../src/domain/orders.ts';
import type { ExamResources } from '../../src/domain/fhir-references.ts';
import type { Documents } from '../storage/collections.ts';
import type { CheckedItem } from './check-item.ts';
import { issuerIn } from './patients/adt-patients.ts';

type StoredItem = Documents['items'];
type FhirEntry = NonNullable<StoredItem['fhir']>[number];

/** Servers per exam. */
const maxServers = 10;

/** Merges the sent resource ids. `item` is already updated. Ids of another patient are ignored. */
export function mergeFhir(item: StoredItem, { resources, fields }: CheckedItem): StoredItem['fhir'] {
  if (!resources || fields['patient_id'] !== item.patient_id) return item.fhir;
  const { server, requests, study, encounter, ...rest } = resources;
  const all = item.fhir ?? [];
  const before = all.find((each) => each.server === server && isSamePatient(each, item));
  const now: FhirEntry = {
    ...before,
    ...rest,
    server,
    ...identityOf(item),
    requests: [...new Set([...(before?.requests ?? []), ...requests])].slice(-maxOrders),
    ...(study !== undefined && { study, study_uid: item.study_uid }),
    ...(encounter !== undefined && { encounter, visit: readVisit(item) }),
  };
  return [...all.filter((each) => each.server !== server), now].slice(-maxServers);
}

/** The resource ids on that server that still belong to the exam; `undefined` if there are none. */
export function resourcesAt(server: string, item: StoredItem): ExamResources | undefined {
  const known = item.fhir?.find((each) => each.server === server && isSamePatient(each, item));
  if (!known) return undefined;
  const { patient, requests, study, encounter } = known;
  return {
    server,
    requests,
    ...(patient !== undefined && { patient }),
    ...(study !== undefined && known.study_uid === item.study_uid && { study }),
    ...(encounter !== undefined && known.visit === readVisit(item) && { encounter }),
  };
}

const identityOf = ({ patient_id, metadata }: StoredItem) => ({ patient_id, patient_id_issuer: issuerIn(metadata) });

const isSamePatient = ({ patient_id: id, patient_id_issuer: issuer }: FhirEntry, item: StoredItem): boolean =>
  id === item.patient_id && issuer === issuerIn(item.metadata);

const readVisit = ({ metadata }: StoredItem): string => {
  const { visit_number: visit, admission_id: admission } = metadata ?? {};
  return [visit, admission].find((each) => typeof each === 'string') ?? '';
};
