/** Whose reports an exam's patient may see: those of exams that are the same patient's by the rule of the worklist. */
import type { PriorSummary } from '../../../src/contract/prior.ts';
import { matchPatient } from '../../../src/domain/patient-identity.ts';

/** How an exam or a report names its patient; `issuer`: who gave the id, where that is known. */
export interface Person {
  readonly patient_id: string;
  readonly patient_name: string;
  readonly patient_birth_date: string | null;
  readonly issuer: string | null;
}

/** An id of another issuer is the id of nobody here. */
const idOfAnother = '\0';

/** What differs of the two; `undefined`: they are two people. */
export function differenceOf(one: Person, other: Person): PriorSummary['differs'] | undefined {
  const areComparable = one.issuer === null || other.issuer === null || one.issuer === other.issuer;
  const match = matchPatient(one, areComparable ? other : { ...other, patient_id: idOfAnother });
  return match.patient === 'another' ? undefined : match.patient === 'same' ? [] : [...match.fields];
}
