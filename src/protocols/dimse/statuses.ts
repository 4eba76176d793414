/** Statuses of DIMSE services: those that Laudio answers, and the meanings of an archive's. */

/** PS3.7 annex C; for queries PS3.4 K.4.1.1.4. */
export const statuses = {
  success: 0x0000,
  invalidValue: 0x0106,
  processingFailure: 0x0110,
  duplicateInstance: 0x0111,
  noSuchInstance: 0x0112,
  noSuchClass: 0x0118,
  missingAttribute: 0x0120,
  missingValue: 0x0121,
  wrongClass: 0x0122,
  notAllowed: 0x0124,
  unknownOperation: 0x0211,
  noResources: 0x0213,
  cancelled: 0xfe00,
  pending: 0xff00,
  /** More matches follow; some keys were not matched. */
  pendingInPart: 0xff01,
} as const;

/**
 * (0000,0903) of a processing failure of N-SET: the step is completed or discontinued, which is final (PS3.4
 * F.7.2.2.2).
 */
export const stepIsOver = 0xa710;

/** Warnings of PS3.7 annex C: the request was carried out, with some attributes left out or changed. */
const warnings = [0x0001, 0x0107, 0x0116] as const;

/** True for success and for warnings. */
export const isDone = (status: number): boolean =>
  status === statuses.success || warnings.some((warning) => warning === status);

/** Whether an archive has an object, may accept it later, or never accepts it as it is; and why. */
export type StoreVerdict =
  | { readonly state: 'stored' }
  | { readonly state: 'again' | 'refused'; readonly reason: string };

interface Range {
  readonly first: number;
  readonly last: number;
  readonly verdict: StoreVerdict;
}

const stored: StoreVerdict = { state: 'stored' };
const range = (first: number, last: number, verdict: StoreVerdict): Range => ({ first, last, verdict });
const one = (status: number, verdict: StoreVerdict): Range => range(status, status, verdict);
const again = (reason: string): StoreVerdict => ({ state: 'again', reason });
const refused = (reason: string): StoreVerdict => ({ state: 'refused', reason });

/** Statuses of C-STORE (PS3.4 B.2.3, PS3.7 annex C). Warnings are about stored objects. */
const storeStatuses: readonly Range[] = [
  ...[statuses.success, ...warnings].map((status) => one(status, stored)),
  range(0xb000, 0xbfff, stored),
  // A version of a record is always the same object: the archive has it from an attempt whose answer was lost.
  one(statuses.duplicateInstance, stored),
  one(statuses.processingFailure, again('cannot store at the moment')),
  one(statuses.noResources, again('has no room, or cannot store at the moment')),
  range(0xa700, 0xa7ff, again('has no room, or cannot store at the moment')),
  range(0xa900, 0xa9ff, refused('says that the object does not match its class')),
  range(0xc000, 0xcfff, refused('does not understand the object')),
  one(0x0117, refused('says that the UID of the object is invalid')),
  one(statuses.noSuchClass, refused('does not know the class of the object')),
  one(0x0119, refused('says that the object does not match its class')),
  one(statuses.wrongClass, refused('does not take objects of that class')),
  one(statuses.notAllowed, refused('does not allow us to store')),
  one(statuses.unknownOperation, refused('does not store objects')),
];

export const storeVerdictOn = (status: number): StoreVerdict =>
  storeStatuses.find(({ first, last }) => first <= status && status <= last)?.verdict ?? refused('refused the object');
