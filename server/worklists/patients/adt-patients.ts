/**
 * Patients known from HL7 ADT, for later exams: an id that was merged refers to the surviving patient, and facts of
 * later messages win. A space without ADT patients costs one look-up per request.
 */
import { matchPatient } from '../../../src/domain/patient-identity.ts';
import { isSameName } from '../../../src/domain/same-name.ts';
import { isLater } from '../../../src/domain/message-stamp.ts';
import type { MessageStamp } from '../../../src/domain/message-stamp.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';

export type StoredPatient = Documents['told_patients'];

/** A patient id with its issuer; `null` if unknown. */
export type Identity = Pick<StoredPatient, 'patient_id' | 'patient_id_issuer'>;

/** The facts that distinguish people. */
export interface Person {
  readonly patient_name?: string | undefined;
  readonly patient_birth_date?: string | null | undefined;
}

/** The ADT patient of a new exam. */
export interface AdtPatient {
  readonly identity: Identity;
  readonly facts: StoredPatient['facts'];
  readonly stamp: MessageStamp;
  /** The merge that gave up the item's id. Absent if the id is still the patient's. */
  readonly event?: string;
}

/**
 * Finds the patient of an item if it differs from the item's; `another` if a merge gave the id up and somebody else has
 * it now. `stamp`: the item's stamp.
 */
export type FindPatient = (
  sent: CheckedItem,
  stamp: MessageStamp | undefined,
) => Promise<AdtPatient | 'another' | undefined>;

/** A search for the items of one request; `undefined` if none of their patients is known from ADT. */
export async function createPatientSearch(
  reader: Reader,
  space: string,
  items: readonly CheckedItem[],
): Promise<FindPatient | undefined> {
  const [any] = await reader.findEach('told_patients', 'any', space, [space]);
  if (!any) return undefined;
  const ids = [...new Set(items.flatMap((item) => sentId(item) ?? []))];
  const found = await reader.findEach('told_patients', 'patient', space, ids);
  const known = new Set(ids.filter((_, at) => found[at]));
  if (known.size === 0) return undefined;
  const patients = new Patients(reader, space);
  return async (sent, stamp) => {
    const id = sentId(sent);
    if (id === undefined || !known.has(id) || sent.errors.length > 0 || sent.instructions.accept_patient_change) return;
    const identity = { patient_id: id, patient_id_issuer: issuerIn(sent.fields['metadata']) };
    const exact = await patients.exactly(identity);
    const patient = exact ?? (await patients.nearly(identity));
    if (!patient) return undefined;
    const { stays, persons } = await patients.whoStays(patient);
    const person = sent.fields as Person;
    // If only one side has an issuer, more than the id has to match.
    if (!exact && !persons.some((known) => isAlike(known, person))) return undefined;
    if (stays === patient || !patient.merge)
      return stamp && isLater(patient, stamp) ? { ...ofStored(patient), identity } : undefined;
    const { event, ...merged } = patient.merge;
    // Messages from before the merge mean the merged person; later, somebody else may have the id.
    const isOther = !(stamp && isLater(merged, stamp)) && !matchesAny(persons, person);
    return isOther ? 'another' : { ...ofStored(stays), event };
  };
}

/** The ADT patients of a space. Each id is looked up once. */
export class Patients {
  readonly #reader: Reader;
  readonly #space: string;
  readonly #found = new Map<string, readonly StoredPatient[]>();
  readonly #staying = new Map<string, Promise<MergeChain>>();

  constructor(reader: Reader, space: string) {
    this.#reader = reader;
    this.#space = space;
  }

  async #of(id: string): Promise<readonly StoredPatient[]> {
    const known = this.#found.get(id);
    if (known) return known;
    const found = await this.#reader.find('told_patients', { is: { space: this.#space, patient: id } });
    this.#found.set(id, found);
    return found;
  }

  /** The current or previous holder of the id from that issuer. */
  async exactly({ patient_id, patient_id_issuer }: Identity): Promise<StoredPatient | undefined> {
    return (await this.#of(patient_id)).find((patient) => patient.patient_id_issuer === patient_id_issuer);
  }

  /** The only candidate for the id, if one side lacks an issuer. */
  async nearly({ patient_id, patient_id_issuer: issuer }: Identity): Promise<StoredPatient | undefined> {
    const all = await this.#of(patient_id);
    const [only, ...others] = all.filter((patient) => issuer === null || patient.patient_id_issuer === null);
    return others.length === 0 ? only : undefined;
  }

  /** Follows any number of merges. */
  whoStays(patient: StoredPatient): Promise<MergeChain> {
    const known = this.#staying.get(patient.id) ?? this.#follow(patient);
    this.#staying.set(patient.id, known);
    return known;
  }

  async #follow(patient: StoredPatient): Promise<MergeChain> {
    const persons: Person[] = [patient.facts];
    const passed = new Set([patient.id]);
    let stays = patient;
    while (stays.merge?.into) {
      const next = await this.exactly(stays.merge.into);
      if (!next || passed.has(next.id)) break;
      passed.add(next.id);
      persons.push(next.facts);
      stays = next;
    }
    return { stays, persons };
  }
}

/** The surviving patient, and all people on the way. */
interface MergeChain {
  readonly stays: StoredPatient;
  readonly persons: readonly Person[];
}

const ofStored = ({ patient_id, patient_id_issuer, facts, told_at, told_by }: StoredPatient): AdtPatient => ({
  identity: { patient_id, patient_id_issuer },
  facts,
  stamp: { ...(told_at !== undefined && { told_at }), ...(told_by !== undefined && { told_by }) },
});

/**
 * Whether the person may be one of those with the same id (contract: Worklists, Identity). Unknown people may be
 * anybody.
 */
export function matchesAny(persons: readonly Person[], sent: Person): boolean {
  const known = persons.flatMap(({ patient_name, patient_birth_date = null }) =>
    patient_name === undefined ? [] : [{ patient_id: '', patient_name, patient_birth_date }],
  );
  const named = { ...(sent.patient_name !== undefined && { patient_name: sent.patient_name }) };
  const born = { ...(sent.patient_birth_date !== undefined && { patient_birth_date: sent.patient_birth_date }) };
  return (
    known.length === 0 || known.some((stored) => matchPatient(stored, { ...named, ...born }).patient !== 'another')
  );
}

const isAlike = (one: Person, other: Person): boolean =>
  (one.patient_name !== undefined && isSameName(one.patient_name, other.patient_name ?? '')) ||
  (Boolean(one.patient_birth_date) && one.patient_birth_date === other.patient_birth_date);

function sentId({ fields }: CheckedItem): string | undefined {
  const id = fields['patient_id'];
  return typeof id === 'string' ? id : undefined;
}

/** The issuer of the patient id in an exam's metadata. */
export function issuerIn(metadata: unknown): string | null {
  const issuer = (metadata as Readonly<Record<string, unknown>> | null | undefined)?.['patient_id_issuer'];
  return typeof issuer === 'string' ? issuer : null;
}
