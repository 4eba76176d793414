/** Decides which reports belong to an exam's patient, by the patient rule of the worklist. */
import type { PriorSummary } from '../../../src/contract/prior.ts';
import { matchPatient } from '../../../src/domain/patient-identity.ts';

/** How an exam or report names its patient; `issuer`: of the id, if known. */
export interface Person {
  readonly patient_id: string;
  readonly patient_name: string;
  readonly patient_birth_date: string | null;
  readonly issuer: string | null;
}

/** Replaces an id of another issuer, so that it matches no patient. */
const idOfAnother = '\0';

/** The differing fields; `undefined` if they are two people. */
export function comparePatients(one: Person, other: Person): PriorSummary['differs'] | undefined {
  const areComparable = one.issuer === null || other.issuer === null || one.issuer === other.issuer;
  const match = matchPatient(one, areComparable ? other : { ...other, patient_id: idOfAnother });
  return match.patient === 'another' ? undefined : match.patient === 'same' ? [] : [...match.fields];
}
