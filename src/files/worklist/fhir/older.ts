/** Orders, studies and appointments of FHIR STU3 and DSTU2, as resources of R4; their original members stay. */
import { findEntry } from '../../../domain/find-entry.ts';
import { isPlainObject } from '../../../domain/normalise.ts';
import { describedBy } from '../../../domain/orders.ts';
import { formerNames } from './paths.ts';
import type { Resource } from './resources.ts';

type Members = Readonly<Record<string, (older: Resource) => unknown>>;

const memberOf = (value: unknown, name: string): unknown => (isPlainObject(value) ? value[name] : undefined);
const each = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Members that R4 has, and where they stood before; one that is there already is left alone. */
const members: Readonly<Record<string, Members>> = {
  ServiceRequest: {
    code: ({ item }) => codeOf(toBeDone(item)),
    bodySite: ({ item }) => memberOf(toBeDone(item)[0], 'bodySite'),
    requester: ({ orderer }) => orderer,
    occurrenceDateTime: ({ scheduledDateTime }) => scheduledDateTime,
    occurrencePeriod: ({ scheduledPeriod }) => scheduledPeriod,
    authoredOn: ({ orderedOn, event }) => orderedOn ?? memberOf(each(event)[0], 'dateTime'),
    encounter: ({ context }) => context,
  },
  ImagingStudy: {
    subject: ({ patient }) => patient,
    encounter: ({ context }) => context,
    modality: ({ modalityList }) => modalityList,
    basedOn: ({ order }) => order,
    status: ({ availability }) =>
      availability === undefined || availability === 'UNAVAILABLE' ? undefined : 'available',
  },
  Appointment: {
    basedOn: ({ incomingReferral }) => incomingReferral,
    serviceType: ({ type }) => type,
  },
};

const ended: ReadonlySet<unknown> = new Set(['cancelled', 'rejected', 'failed', 'entered-in-error']);
/** The items of an order that take place; all of them where none does. */
function toBeDone(item: unknown): readonly unknown[] {
  const open = each(item).filter((one) => !ended.has(memberOf(one, 'status')));
  return open.length > 0 ? open : each(item);
}

/** The procedures of several items as one concept, with the code of the first. */
function codeOf(items: readonly unknown[]): unknown {
  const [code, ...others] = items.map((one) => memberOf(one, 'code')).filter(isPlainObject);
  if (!code || others.length === 0) return code;
  const texts = [code, ...others].map(textOf).filter((text) => text !== undefined);
  return { ...code, ...(texts.length > 0 && { text: describedBy(texts) }) };
}

function textOf({ text, coding }: Resource): string | undefined {
  const [first] = each(coding);
  return [text, memberOf(first, 'display'), memberOf(first, 'code')].find((said) => typeof said === 'string');
}

const isWithdrawn = ({ item }: Resource): boolean =>
  each(item).length > 0 && each(item).every((one) => ended.has(memberOf(one, 'status')));

const accessionType = { coding: [{ code: 'ACSN' }] };

/** A study's UID and accession number had separate members, which precede its other identifiers. */
function identifiersOf({ uid, accession, identifier }: Resource): unknown {
  if (uid === undefined && accession === undefined) return identifier;
  return [
    ...(uid === undefined ? [] : [{ system: 'urn:dicom:uid', value: uid }]),
    ...(isPlainObject(accession) ? [{ ...accession, type: accessionType }] : []),
    ...each(identifier),
  ];
}

/** The resource as R4 writes it; one of R4, or of another type, as it is. */
export function inR4(resource: Resource): Resource {
  const type = String(resource['resourceType']);
  const resourceType = findEntry(formerNames, type) ?? type;
  const table = Object.hasOwn(members, resourceType) ? members[resourceType]! : undefined;
  if (!table) return resource;
  const added = Object.entries(table).flatMap(([name, from]) => {
    const value = resource[name] === undefined ? from(resource) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const agent = memberOf(resource['requester'], 'agent');
  return {
    ...resource,
    ...Object.fromEntries(added),
    ...(agent !== undefined && { requester: agent }),
    ...(resourceType === 'ServiceRequest' && isWithdrawn(resource) && { status: 'revoked' }),
    ...(resourceType === 'ImagingStudy' && { identifier: identifiersOf(resource) }),
    resourceType,
  };
}
