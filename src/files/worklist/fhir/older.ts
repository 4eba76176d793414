/** Orders, studies and appointments of FHIR STU3 and DSTU2, as resources of R4; their original members stay. */
import { findEntry } from '../../../domain/find-entry.ts';
import { isPlainObject } from '../../../domain/normalise.ts';
import { describedBy } from '../../../domain/orders.ts';
import { previousNames } from './paths.ts';
import type { Resource } from './resources.ts';

type Members = Readonly<Record<string, (older: Resource) => unknown>>;

const readMember = (value: unknown, name: string): unknown => (isPlainObject(value) ? value[name] : undefined);
const each = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Members that R4 has, and where they stood before; one that is there already is left alone. */
const members: Readonly<Record<string, Members>> = {
  ServiceRequest: {
    code: ({ item }) => mergeCodes(toBeDone(item)),
    bodySite: ({ item }) => readMember(toBeDone(item)[0], 'bodySite'),
    requester: ({ orderer }) => orderer,
    occurrenceDateTime: ({ scheduledDateTime }) => scheduledDateTime,
    occurrencePeriod: ({ scheduledPeriod }) => scheduledPeriod,
    authoredOn: ({ orderedOn, event }) => orderedOn ?? readMember(each(event)[0], 'dateTime'),
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
  const open = each(item).filter((one) => !ended.has(readMember(one, 'status')));
  return open.length > 0 ? open : each(item);
}

/** The procedures of several items as one concept, with the code of the first. */
function mergeCodes(items: readonly unknown[]): unknown {
  const [code, ...others] = items.map((one) => readMember(one, 'code')).filter(isPlainObject);
  if (!code || others.length === 0) return code;
  const texts = [code, ...others].map(readText).filter((text) => text !== undefined);
  return { ...code, ...(texts.length > 0 && { text: describedBy(texts) }) };
}

function readText({ text, coding }: Resource): string | undefined {
  const [first] = each(coding);
  return [text, readMember(first, 'display'), readMember(first, 'code')].find((said) => typeof said === 'string');
}

const isWithdrawn = ({ item }: Resource): boolean =>
  each(item).length > 0 && each(item).every((one) => ended.has(readMember(one, 'status')));

const accessionType = { coding: [{ code: 'ACSN' }] };

/** A study's UID and accession number had separate members, which precede its other identifiers. */
function mergeIdentifiers({ uid, accession, identifier }: Resource): unknown {
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
  const resourceType = findEntry(previousNames, type) ?? type;
  const table = findEntry(members, resourceType);
  if (!table) return resource;
  const added = Object.entries(table).flatMap(([name, from]) => {
    const value = resource[name] === undefined ? from(resource) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const agent = readMember(resource['requester'], 'agent');
  return {
    ...resource,
    ...Object.fromEntries(added),
    ...(agent !== undefined && { requester: agent }),
    ...(resourceType === 'ServiceRequest' && isWithdrawn(resource) && { status: 'revoked' }),
    ...(resourceType === 'ImagingStudy' && { identifier: mergeIdentifiers(resource) }),
    resourceType,
  };
}
