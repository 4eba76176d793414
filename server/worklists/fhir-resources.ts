/** Ids of an exam's resources on FHIR servers, which reports to the same server refer to. */
import { maxOrders } from '../../src/domain/orders.ts';
import type { ExamResources } from '../../src/domain/fhir-references.ts';
import type { Documents } from '../storage/collections.ts';
import type { CheckedItem } from './check-item.ts';
import { issuerIn } from './patients/known-patients.ts';

type StoredItem = Documents['items'];
type Known = NonNullable<StoredItem['fhir']>[number];

/** Servers per exam. */
const mostServers = 10;

/** Merges the sent resource ids. `item` is already updated. Ids of another patient are ignored. */
export function fhirAfter(item: StoredItem, { resources, fields }: CheckedItem): StoredItem['fhir'] {
  if (!resources || fields['patient_id'] !== item.patient_id) return item.fhir;
  const { server, requests, study, encounter, ...told } = resources;
  const all = item.fhir ?? [];
  const before = all.find((each) => each.server === server && isOf(each, item));
  const now: Known = {
    ...before,
    ...told,
    server,
    ...identityOf(item),
    requests: [...new Set([...(before?.requests ?? []), ...requests])].slice(-maxOrders),
    ...(study !== undefined && { study, study_uid: item.study_uid }),
    ...(encounter !== undefined && { encounter, visit: visitOf(item) }),
  };
  return [...all.filter((each) => each.server !== server), now].slice(-mostServers);
}

/** The resource ids on that server that still belong to the exam; `undefined` if there are none. */
export function resourcesAt(server: string, item: StoredItem): ExamResources | undefined {
  const known = item.fhir?.find((each) => each.server === server && isOf(each, item));
  if (!known) return undefined;
  const { patient, requests, study, encounter } = known;
  return {
    server,
    requests,
    ...(patient !== undefined && { patient }),
    ...(study !== undefined && known.study_uid === item.study_uid && { study }),
    ...(encounter !== undefined && known.visit === visitOf(item) && { encounter }),
  };
}

const identityOf = ({ patient_id, metadata }: StoredItem) => ({ patient_id, patient_id_issuer: issuerIn(metadata) });

const isOf = ({ patient_id: id, patient_id_issuer: issuer }: Known, item: StoredItem): boolean =>
  id === item.patient_id && issuer === issuerIn(item.metadata);

const visitOf = ({ metadata }: StoredItem): string => {
  const { visit_number: visit, admission_id: admission } = metadata ?? {};
  return [visit, admission].find((each) => typeof each === 'string') ?? '';
};
