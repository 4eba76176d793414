/** Which of several ids of a patient (PID-3) is the one that the hospital's systems know the patient by. */
import { readComponent } from './message.ts';
import type { Message } from './message.ts';

/** Types of ids (HL7 table 0203) that a hospital gives, the best first. */
const ofHospital: readonly (readonly string[])[] = [['MR', 'MRN', 'NHC'], ['PI']];
/** Numbers of a person, an insurance, an account or a visit. */
const ofOthers: ReadonlySet<string> = new Set(
  (
    'SS SSN NI CPF RG CNS CNH DNI NIE NIF CURP RUT CI INS INS-C INS-A NIR INE PPN DL TAX NH NIIP HC JHN BC BCT MA MB MC ' +
    'MCN MCR MI MS SN SB PEN PE WC WCN AN ANON ANC AND ANT BA BRN CC DR FI VN VS'
  ).split(' '),
);
/** Who gives such a number, where its type is not named. */
const authorities: ReadonlySet<string> = new Set('SSN SSA USSSA CPF RG CNS DNI NIE CURP RUT NIR INS'.split(' '));

function rankId(id: string, message: Message): number {
  const [authority, type] = [4, 5].map((at) => readComponent(id, at, message).toUpperCase()) as [string, string];
  const known = ofHospital.findIndex((types) => types.includes(type));
  if (known !== -1) return known;
  // NNFRA, NNBRA: the number of a person in a nation.
  const isOthers = type === '' ? authorities.has(authority) : ofOthers.has(type) || /^NN[A-Z]{2,3}$/.test(type);
  return ofHospital.length + (isOthers ? 1 : 0);
}

/** More than any patient has: the ids are looked through for each order of a message. */
const maxIds = 100;

/** The repetition that counts; of equals the first. One without a number says nothing, whoever it names as its issuer. */
export function preferredId(text: string, message: Message): string {
  // The rule: there is one.
  if (!text.includes(message.separators.repetition)) return readComponent(text, 1, message) === '' ? '' : text;
  const ids = text.split(message.separators.repetition, maxIds).filter((id) => readComponent(id, 1, message) !== '');
  if (ids.length < 2) return ids[0] ?? '';
  return ids
    .map((id) => ({ id, rank: rankId(id, message) }))
    .reduce((best, each) => (each.rank < best.rank ? each : best)).id;
}
