/** The references of a FHIR resource that lead to facts of an exam. */
import { isPlainObject } from './normalise.ts';

const followed =
  /^(Patient|Practitioner|PractitionerRole|Organization|Location|Encounter|ServiceRequest)\/[A-Za-z0-9.-]{1,64}$/;

/** The resources about an exam, by the ids that their server gave them. */
export interface ExamResources {
  /** The address of the server, without a slash at its end. */
  readonly server: string;
  readonly patient?: string;
  /** Ids of ServiceRequests. */
  readonly requests: readonly string[];
  readonly study?: string;
  readonly encounter?: string;
}

/** How far references are followed: the role of a practitioner, and the practitioner of the role. */
export const deepestReference = 2;

/** The names (`Patient/7`) of all resources to which a resource refers, at any depth. */
export function namesIn(value: unknown): string[] {
  const names: string[] = [];
  // A stack instead of recursion: others may nest deeper than calls can. Taking the last first keeps the names in
  // order.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    const name = isPlainObject(next) ? parseName(next) : undefined;
    if (name !== undefined) names.push(name);
    const inner = Array.isArray(next) ? next : isPlainObject(next) ? Object.values(next) : [];
    for (let at = inner.length - 1; at >= 0; at--) pending.push(inner[at]);
  }
  return names;
}

function parseName({ reference }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const [unversioned = ''] = reference.split('/_history/', 1);
  const [name = ''] = /(?<![^/])[^/]+\/[^/]+$/.exec(unversioned) ?? [];
  return followed.test(name) ? name : undefined;
}
