/** The resources of a FHIR file: resolves references, and reads values along a path. */
import { isPlainObject } from '../../domain/normalise.ts';

export type Resource = Readonly<Record<string, unknown>>;

export interface Resources {
  add(resource: Resource, fullUrl: string | undefined): void;
  /** Where a reference of a resource leads to, inside the resource or the file (FHIR R4 2.3.0.6, 3.1.6). */
  resolve(reference: unknown, from: Resource): Resource | undefined;
  /** The text at a path such as `subject.resolve().name[official]`; `undefined` where there is none. */
  textAt(root: Resource, path: string): string | undefined;
}

export function createResources(): Resources {
  const byUrl = new Map<string, Resource>();
  const byName = new Map<string, Resource>();
  const knownSteps = new Map<string, readonly Step[]>();
  const stepsAlong = (path: string): readonly Step[] => {
    const steps = knownSteps.get(path) ?? stepsOf(path);
    knownSteps.set(path, steps);
    return steps;
  };
  const resources: Resources = {
    add(resource, fullUrl) {
      if (fullUrl !== undefined) byUrl.set(fullUrl, resource);
      const { resourceType, id } = resource;
      if (typeof resourceType === 'string' && typeof id === 'string') byName.set(`${resourceType}/${id}`, resource);
    },
    resolve(reference, from) {
      const target = isPlainObject(reference) ? reference['reference'] : undefined;
      if (typeof target !== 'string') return undefined;
      if (target.startsWith('#')) {
        return listOf(from['contained'])
          .filter(isPlainObject)
          .find(({ id }) => id === target.slice(1));
      }
      const url = target.replace(/\/_history\/[^/]*$/, '');
      // An absolute address of another server is the same resource where the file holds one of that type and id.
      return byUrl.get(url) ?? byName.get(/[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(url)?.[0] ?? '');
    },
    textAt(root, path) {
      let values: readonly unknown[] = [root];
      for (const { name, filter } of stepsAlong(path)) {
        if (name === 'resolve()') values = values.flatMap((reference) => resources.resolve(reference, root) ?? []);
        else values = values.flatMap((value) => (isPlainObject(value) ? listOf(value[name]) : []));
        if (filter !== undefined) values = values.filter((value) => isMarked(value, filter));
        if (values.length === 0) return undefined;
      }
      for (const value of values) {
        const text = textOf(value);
        if (text !== '') return text;
      }
      return undefined;
    },
  };
  return resources;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

interface Step {
  readonly name: string;
  readonly filter: string | undefined;
}

const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/([A-Za-z]+(?:\(\))?)(?:\[([^\]]*)\])?/g)].map(([, name, filter]) => ({ name: name!, filter }));

/**
 * Whether an element has that system, use, or code of its type, is a resource of that type or refers to one; `!ACSN`: whether it has
 * not; `untyped`: an identifier of which nobody says what it is.
 */
function isMarked(value: unknown, mark: string): boolean {
  if (!isPlainObject(value)) return false;
  if (mark.startsWith('!')) return !isMarked(value, mark.slice(1));
  if (mark === 'untyped') return value['type'] === undefined && value['system'] !== 'urn:dicom:uid';
  const { reference } = value;
  if (value['resourceType'] === mark || (typeof reference === 'string' && reference.includes(`${mark}/`))) return true;
  const type = isPlainObject(value['type']) ? listOf(value['type']['coding']) : [];
  return (
    value['system'] === mark ||
    value['use'] === mark ||
    type.some((coding) => isPlainObject(coding) && coding['code'] === mark)
  );
}

/** A primitive as it is; a HumanName, CodeableConcept, Identifier or Annotation in a few words. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (!isPlainObject(value)) return '';
  if ('family' in value || 'given' in value) return personName(value);
  const [coding] = listOf(value['coding']);
  for (const text of [
    value['text'],
    value['display'],
    isPlainObject(coding) ? coding['display'] : undefined,
    value['value'],
  ]) {
    if (typeof text === 'string' && text.trim() !== '') return text.trim();
  }
  return '';
}

/** As a DICOM person name (PS3.5 6.2.1.1): the first given name, the others as middle names. */
function personName(name: Resource): string {
  const words = (key: string): string[] =>
    listOf(name[key]).flatMap((word) => (typeof word === 'string' ? [word.replace(/[\^=]/g, ' ').trim()] : []));
  const [given = '', ...middle] = words('given');
  const parts = [
    words('family').join(' '),
    given,
    middle.join(' '),
    words('prefix').join(' '),
    words('suffix').join(' '),
  ];
  return parts.join('^').replace(/\^+$/, '');
}
