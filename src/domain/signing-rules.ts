/**
 * Who may do what to a record that is not final: a resident signs it as preliminary, and an attending co-signs it or
 * sends it back. A person without a role signs finally, and takes no part in preliminary records.
 */
import type { UserRole } from '../contract/admin.ts';
import type { RecordStatus } from '../contract/document.ts';
import { AppError } from '../contract/errors.ts';
import type { RecordVersion } from '../contract/record-version.ts';

/** A person's relation to a record. `signatory`: the resident who signed it as preliminary. */
export type Standing = 'nobody' | 'resident' | 'signatory' | 'attending';

export const findStanding = (role: UserRole | undefined, hasSigned: boolean): Standing =>
  role === 'resident' && hasSigned ? 'signatory' : (role ?? 'nobody');

/** The status that a signature of that role gives. */
export const signsAs = (role: UserRole | null | undefined): 'preliminary' | 'final' =>
  role === 'resident' ? 'preliminary' : 'final';

type Open = Exclude<RecordStatus, 'final'>;

/** A request: to change the content alone, or a status. */
export type SigningRequest = 'change' | RecordStatus;

/** The resulting status and the kind of change. */
export interface Step {
  readonly status: RecordStatus;
  readonly change: Extract<RecordVersion['change'], 'edited' | 'preliminary' | 'reopened' | 'sent_back' | 'signed'>;
}

/** The reason for a refusal. */
type Refusal = 'attending_signs' | 'signs_finally' | 'not_theirs';
type Rules = Readonly<Record<Standing, Step | Refusal>>;

const edited: Step = { status: 'draft', change: 'edited' };
const reviewed: Step = { status: 'preliminary', change: 'edited' };
const preliminary: Step = { status: 'preliminary', change: 'preliminary' };
/** Words that a resident has not signed never appear under the resident's signature. */
const reopened: Step = { status: 'draft', change: 'reopened' };
const sentBack: Step = { status: 'draft', change: 'sent_back' };
const signed: Step = { status: 'final', change: 'signed' };

const anybody: Rules = { nobody: edited, resident: edited, signatory: edited, attending: edited };
const sign: Rules = { nobody: signed, resident: 'attending_signs', signatory: 'attending_signs', attending: signed };
const signFirst: Rules = {
  nobody: 'signs_finally',
  resident: preliminary,
  signatory: preliminary,
  attending: 'signs_finally',
};
const theirs = { nobody: 'not_theirs', resident: 'not_theirs' } as const;
const cosign: Rules = { ...sign, ...theirs };

/** Status → request → relation of the person → result. */
export const signingRules: Readonly<Record<Open, Readonly<Record<SigningRequest, Rules>>>> = {
  draft: { change: anybody, draft: anybody, preliminary: signFirst, final: sign },
  preliminary: {
    change: { ...theirs, signatory: reopened, attending: reviewed },
    draft: { ...theirs, signatory: reopened, attending: sentBack },
    preliminary: { ...theirs, signatory: preliminary, attending: reviewed },
    final: cosign,
  },
};

const refusals: Readonly<Record<Refusal, { message: string; hint: string; allowed: readonly RecordStatus[] }>> = {
  attending_signs: {
    message: 'A resident signs a document as preliminary; an attending makes it final.',
    hint: 'Send status preliminary, and an attending co-signs.',
    allowed: ['preliminary'],
  },
  signs_finally: {
    message: 'Only a resident signs a document as preliminary.',
    hint: 'Send status final. The operator gives roles: laudio user edit USER --role resident.',
    allowed: ['final'],
  },
  not_theirs: {
    message:
      'The document is preliminary: an attending changes and co-signs it, or the resident who signed changes it.',
    hint: 'Ask an attending. The operator gives roles: laudio user edit USER --role attending.',
    allowed: [],
  },
};

/**
 * The result of a request. FORBIDDEN: who may instead, and in `details` the statuses that the caller may ask for
 * (`allowed`).
 */
export function decideStep(status: Open, wish: SigningRequest, by: Standing): Step {
  const found = signingRules[status][wish][by];
  if (typeof found !== 'string') return found;
  const { message, hint, allowed } = refusals[found];
  throw new AppError('FORBIDDEN', { message, hint, details: { status, allowed: [...allowed] } });
}

/** 403 if a resident adds to a signed record: an addition is final at once. */
export function checkAddendum(by: Standing): void {
  if (by !== 'resident' && by !== 'signatory') return;
  throw new AppError('FORBIDDEN', {
    message: 'A resident adds nothing to a final document: an addendum is final at once.',
    hint: 'Ask an attending to add it.',
    details: { status: 'final', allowed: [] },
  });
}
