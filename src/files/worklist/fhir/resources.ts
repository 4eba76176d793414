/** The resources of a FHIR file: resolves references, and reads values along a path. */
import { isPlainObject } from '../../../domain/normalise.ts';
import { accompanying } from '../kinds.ts';
import { findEntry } from '../../../domain/find-entry.ts';

export type Resource = Readonly<Record<string, unknown>>;

/** The facts of a bundle's entry about its resource. */
export interface Entry {
  readonly fullUrl?: unknown;
  readonly request?: unknown;
  readonly response?: unknown;
  /** It is of a history, which has the newest version of a resource first. */
  readonly isOfHistory?: boolean;
}

export interface Resources {
  /** `type`: the name by which others refer to it. */
  add(resource: Resource, entry: Entry, type?: unknown): void;
  /** Whether the file holds a later version of the resource. */
  isFormerVersion(resource: Resource): boolean;
  /** Types of what was added. */
  readonly types: ReadonlySet<string>;
  /** Where a reference of a resource leads to, inside the resource or the file (FHIR R4 2.3.0.6, 3.1.6). */
  resolve(reference: unknown, from: Resource): Resource | undefined;
  /** The text at a path such as `subject.resolve().name[official]`; `undefined` where there is none. */
  textAt(root: Resource, path: string): string | undefined;
}

export function createResources(): Resources {
  const byUrl = new Map<string, Resource>();
  /** Keys are type and id, then the server: two servers may give two patients the same id. */
  const byName = new Map<string, Map<string, Resource>>();
  const homes = new WeakMap<Resource, string>();
  const previousVersions = new WeakSet<Resource>();
  const entries = new WeakMap<Resource, Entry>();
  const isLater = (one: Resource, other: Resource): boolean | undefined =>
    comesLater(readVersion(one, entries.get(one)), readVersion(other, entries.get(other)));
  /** Keeps the latest version; without a word of versions, the first of a history, else what comes later in the file. */
  const keep = (all: Map<string, Resource>, key: string, resource: Resource): void => {
    const known = all.get(key);
    const isNew = known === undefined || known === resource || isLater(resource, known);
    if (isNew === false || (isNew === undefined && entries.get(resource)?.isOfHistory)) {
      previousVersions.add(resource);
      return;
    }
    if (isNew && known !== undefined && known !== resource) previousVersions.add(known);
    all.set(key, resource);
  };
  const knownSteps = new Map<string, readonly Step[]>();
  const stepsAlong = (path: string): readonly Step[] => {
    const steps = knownSteps.get(path) ?? stepsOf(path);
    knownSteps.set(path, steps);
    return steps;
  };
  const findTarget: Resources['resolve'] = (reference, from) => {
    const target = isPlainObject(reference) ? reference['reference'] : undefined;
    if (typeof target !== 'string') return undefined;
    if (target.startsWith('#')) {
      return listOf(from['contained'])
        .filter(isPlainObject)
        .find(({ id }) => id === target.slice(1));
    }
    const url = unversioned(target);
    const name = /(?<![A-Za-z])[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(url)?.[0] ?? '';
    const home = name === url ? homes.get(from) : homeOf(url);
    const known = byUrl.get(url) ?? byUrl.get(`${home}/${name}`);
    if (known) return known;
    // Where a server is not named, what is meant is the only resource of that type and id.
    const [only, other] = byName.get(name)?.values() ?? [];
    const isElsewhere = only !== undefined && home !== undefined && homes.has(only) && homes.get(only) !== home;
    return other !== undefined || isElsewhere ? undefined : only;
  };
  /** A patient whom another replaced (Patient.link) is that one, where the file has both. */
  const staying = (resource: Resource): Resource => {
    const passed = new Set<Resource>();
    let stays = resource;
    while (!passed.has(stays)) {
      passed.add(stays);
      const links = listOf(stays['link']).filter(isPlainObject);
      const link = links.find(({ type }) => typeof type === 'string' && replaced.has(type));
      stays = (link && findTarget(link['other'], stays)) ?? stays;
    }
    return stays;
  };
  const types = new Set<string>();
  const resources: Resources = {
    types,
    add(resource, entry, type = resource['resourceType']) {
      entries.set(resource, entry);
      const url = typeof entry.fullUrl === 'string' ? unversioned(entry.fullUrl) : undefined;
      if (url !== undefined) keep(byUrl, url, resource);
      const home = homeOf(url);
      if (home !== undefined) homes.set(resource, home);
      const { id } = resource;
      if (typeof type !== 'string') return;
      types.add(type);
      if (typeof id !== 'string') return;
      const name = `${type}/${id}`;
      const all = byName.get(name) ?? new Map<string, Resource>();
      byName.set(name, all);
      keep(all, home ?? url ?? '', resource);
    },
    isFormerVersion: (resource) => previousVersions.has(resource),
    resolve(reference, from) {
      const target = findTarget(reference, from);
      return target && staying(target);
    },
    textAt(root, path) {
      let values: readonly unknown[] = [root];
      for (const { name, filter } of stepsAlong(path)) {
        if (name === 'resolve()') values = values.flatMap((reference) => resources.resolve(reference, root) ?? []);
        else values = values.flatMap((value) => (isPlainObject(value) ? listOf(value[name]) : []));
        if (filter !== undefined) values = values.filter((value) => isMarked(value, filter));
        if (values.length === 0) return undefined;
      }
      const comesLast = modalityPath.test(path) ? (value: unknown) => accompanying.has(value) : isFormer;
      for (const value of values.toSorted((a, b) => Number(comesLast(a)) - Number(comesLast(b)))) {
        const text = formatValue(value);
        if (text !== '') return text;
      }
      return undefined;
    },
  };
  return resources;
}

/** Types of a link to the patient who is to be used instead; `replace` is that of DSTU2. */
const replaced: ReadonlySet<string> = new Set(['replaced-by', 'replace']);

const unversioned = (url: string): string => url.replace(/\/_history\/[^/]*$/, '');

/** The server of an absolute address; `undefined` of a `urn:`, and where there is none. */
const homeOf = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : /^(https?:\/\/.+)\/[A-Za-z]+\/[A-Za-z0-9.-]{1,64}$/.exec(url)?.[1];

interface Version {
  /** NaN if it is unknown. */
  readonly at: number;
  readonly number: number;
}

/** Reads the version from the resource, else from its entry: the server's answer, or the address. */
function readVersion({ meta }: Resource, { fullUrl, request, response }: Entry = {}): Version {
  const { lastUpdated, versionId } = isPlainObject(meta) ? meta : {};
  const { lastModified, etag } = isPlainObject(response) ? response : {};
  const addresses = [fullUrl, isPlainObject(request) ? request['url'] : undefined];
  const [inAddress] = addresses.flatMap((url) => /\/_history\/(\d+)$/.exec(String(url))?.[1] ?? []);
  return {
    at: Date.parse(String(lastUpdated ?? lastModified)),
    number: Number(versionId ?? /^(?:W\/)?"(\d+)"$/.exec(String(etag))?.[1] ?? inAddress ?? NaN),
  };
}

/** `undefined` where neither says that it is the later. */
const comesLater = (one: Version, other: Version): boolean | undefined =>
  isMore(one.at, other.at) ?? isMore(one.number, other.number);

/** `undefined` of numbers that are the same, or not both there. */
function isMore(one: number, other: number): boolean | undefined {
  const more = one - other;
  return more > 0 || (more < 0 ? false : undefined);
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

interface Step {
  readonly name: string;
  readonly filter: string | undefined;
}

const stepsOf = (path: string): Step[] =>
  [...path.matchAll(/([A-Za-z]+(?:\(\))?)(?:\[([^[\]]*)\])?/g)].flatMap(([, name, filter]) =>
    name === undefined ? [] : [{ name, filter }],
  );

/** A study may name several modalities: the one of its images counts. */
const modalityPath = /\bmodality\.(?:coding\.)?code$/;
/** A name or an identifier that holds no more. */
const isFormer = (value: unknown): boolean => isPlainObject(value) && value['use'] === 'old';

/** Words for a type, in its text or in the name of its system, where nobody gave its code. */
const words: Readonly<Record<string, RegExp>> = {
  ACSN: /accession|acsn/i,
  PLAC: /placer/i,
  FILL: /filler/i,
  MR: /\bmrn?\b|medical.?record/i,
};
/** Numbers of a person that a country gives. */
const national = /\/sid\/|ssn|passport/i;
const isUrn = (text: unknown): boolean => typeof text === 'string' && text.startsWith('urn:');

/**
 * Whether an element has that system, use, or code of its type, is a resource of that type or refers to one; `!ACSN`: whether it has
 * not; `untyped`: an identifier of which nobody says what it is; `uid`: one that is a DICOM UID.
 */
function isMarked(value: unknown, mark: string): boolean {
  if (!isPlainObject(value)) return false;
  if (mark.startsWith('!')) return !isMarked(value, mark.slice(1));
  const { reference, system, use, resourceType, value: text } = value;
  if (mark === 'uid') return system === 'urn:dicom:uid' || (typeof text === 'string' && text.startsWith('urn:oid:'));
  if (mark === 'untyped') {
    if (value['type'] !== undefined || system === 'urn:dicom:uid' || isUrn(text)) return false;
    return !(
      typeof system === 'string' &&
      (national.test(system) || Object.values(words).some((each) => each.test(system)))
    );
  }
  if (resourceType === mark || (typeof reference === 'string' && reference.includes(`${mark}/`))) return true;
  return system === mark || use === mark || isTyped(value, mark);
}

/** Whether an identifier has that type: by its code; where it has none that is known, by what its words say. */
export function isTyped({ type, system }: Resource, mark: string): boolean {
  const codings = (isPlainObject(type) ? listOf(type['coding']) : []).filter(isPlainObject);
  if (codings.some(({ code }) => code === mark)) return true;
  const known = findEntry(words, mark);
  if (!known || codings.some(({ code }) => isKnownType(code))) return false;
  const said = isPlainObject(type) ? [type['text'], ...codings.map(({ display }) => display)] : [system];
  return said.some((text) => typeof text === 'string' && known.test(text));
}

/** HL7 table 0203. */
const isKnownType = (code: unknown): boolean => typeof code === 'string' && /^[A-Z]{2,5}$/.test(code);

/** A primitive as it is; a HumanName, CodeableConcept, CodeableReference, Identifier or Annotation in a few words. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  if (!isPlainObject(value)) return '';
  if (isPlainObject(value['concept'])) return formatValue(value['concept']);
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
  return parts.join('^').replace(/(?<!\^)\^+$/, '');
}
