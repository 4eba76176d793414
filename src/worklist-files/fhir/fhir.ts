/** FHIR R4: a Bundle of any type, single resources, or NDJSON of bulk exports; ServiceRequest and ImagingStudy. */
import { isPlainObject } from '../../domain/normalise.ts';
import { tooLarge } from '../bytes.ts';
import { fill, finished, newDraft } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { jsonValues } from '../json-values.ts';
import { readItem } from '../ndjson.ts';
import type { Input, Reader } from '../reader.ts';
import { problem } from '../reading.ts';
import type { Position, Reading } from '../reading.ts';
import { damage } from '../text.ts';
import { cancelledStatuses, fhirMappings, noOrders, standingStatuses } from './elements.ts';
import { createResources } from './resources.ts';
import type { Resource, Resources } from './resources.ts';

/** A resource, and where it stands. */
export interface Found {
  readonly resource: Resource;
  readonly position: Position;
}

/** References may point forward, so the reader yields no item before the end of the file. */
export const readFhir: Reader = async function* ({ text, limits, times }) {
  const resources = createResources();
  const exams: Found[] = [];
  yield* gather({ text, limits }, ['ServiceRequest', 'ImagingStudy'], resources, exams);
  if (exams.length === 0) {
    yield [
      problem(
        {},
        'It holds no ServiceRequest and no ImagingStudy.',
        'Export them together with the patients they refer to.',
      ),
    ];
  }
  yield* inParts(exams, (exam) => readExam(exam, resources, times), requestsOfStudies(exams, resources));
};

/** Takes all resources of a file, and of those of these types also where they stand; yields what cannot be read. */
export async function* gather(
  { text, limits }: Pick<Input, 'text' | 'limits'>,
  types: readonly string[],
  resources: Resources,
  found: Found[],
): AsyncGenerator<readonly Reading[]> {
  let size = 0;
  let item = 0;
  /** An entry of a bundle, a bundle, or a resource. */
  const collect = (value: Resource, url: string | undefined, position: Position): void => {
    const { resourceType, resource, fullUrl } = value;
    if (resourceType === undefined) {
      if (isPlainObject(resource)) collect(resource, typeof fullUrl === 'string' ? fullUrl : undefined, position);
      return;
    }
    if (resourceType === 'Bundle') {
      const entries = Array.isArray(value['entry']) ? value['entry'] : [];
      for (const entry of entries.filter(isPlainObject)) collect(entry, undefined, position);
      return;
    }
    resources.add(value, url);
    if (types.some((type) => type === resourceType)) found.push({ resource: value, position });
  };
  for await (const values of jsonValues(text.chunks(), { member: 'entry', limit: limits.item })) {
    const problems: Reading[] = [];
    for (const { json, line } of values) {
      item += 1;
      size += json.length;
      const position = { line, item };
      if (size > limits.bundle) throw tooLarge('The FHIR file', limits.bundle, `line ${line}, item ${item}`);
      const parsed = text.isDamaged(json) ? problem(position, damage.message, damage.hint) : readItem(json, position);
      if (parsed.kind === 'problem') problems.push(parsed);
      else collect(parsed.item, undefined, position);
    }
    if (problems.length > 0) yield problems;
  }
}

const requestOf = ({ resource }: Found, resources: Resources): Resource | undefined => {
  const basedOn = resource['basedOn'];
  const references: readonly unknown[] = Array.isArray(basedOn) ? basedOn : [basedOn];
  return references
    .map((reference) => resources.resolve(reference, resource))
    .find((found) => found?.['resourceType'] === 'ServiceRequest');
};

/** A study and the request that it is based on become one item: they are one exam. */
function requestsOfStudies(exams: readonly Found[], resources: Resources): ReadonlySet<Resource> {
  const studies = exams.filter(({ resource }) => resource['resourceType'] === 'ImagingStudy');
  return new Set(studies.map((study) => requestOf(study, resources)).filter((request) => request !== undefined));
}

function* inParts(
  exams: readonly Found[],
  read: (exam: Found) => Reading,
  reported: ReadonlySet<Resource>,
): Generator<readonly Reading[]> {
  const size = 500;
  const unreported = exams.filter(({ resource }) => !reported.has(resource));
  for (let at = 0; at < unreported.length; at += size) yield unreported.slice(at, at + size).map(read);
}

function readExam(exam: Found, resources: Resources, times: Times): Reading {
  const { resource, position } = exam;
  const study = resource['resourceType'] === 'ImagingStudy' ? resource : undefined;
  const request = study ? requestOf(exam, resources) : resource;
  const unfit = !study && Object.entries(noOrders).find(([name, values]) => values.includes(String(resource[name])));
  if (unfit) {
    return problem(position, `The request is no order yet (${unfit[0]}: ${String(resource[unfit[0]])}).`);
  }
  const roots: Readonly<Record<string, Resource | undefined>> = { ImagingStudy: study, ServiceRequest: request };
  const draft = newDraft();
  const lookup = (source: string): string | undefined => {
    const dot = source.indexOf('.');
    const root = roots[source.slice(0, dot)];
    return root && resources.textAt(root, source.slice(dot + 1));
  };
  fill(draft, fhirMappings, lookup, times);
  const { status } = resource;
  return finished(draft, position, 'identifiers of type ACSN and system urn:dicom:uid', {
    ...(cancelledStatuses.has(status) && { status: 'cancelled' }),
    ...(standingStatuses.has(status) && { order: 'standing' }),
  });
}
