/** FHIR R4: a Bundle of any type, single resources, or NDJSON of bulk exports; ServiceRequest and ImagingStudy. */
import { isPlainObject } from '../../domain/normalise.ts';
import { tooLarge } from '../bytes.ts';
import { fill, finished, newDraft } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { jsonValues } from '../json-values.ts';
import { readItem } from '../ndjson.ts';
import type { Reader } from '../reader.ts';
import { problem } from '../reading.ts';
import type { Position, Reading } from '../reading.ts';
import { damage } from '../text.ts';
import { cancelledStatuses, fhirMappings, noOrders, standingStatuses } from './elements.ts';
import { createResources } from './resources.ts';
import type { Resource, Resources } from './resources.ts';

/** A study or request, and where it stands. */
interface Exam {
  readonly resource: Resource;
  readonly position: Position;
}

/** References may point forward, so the reader yields no item before the end of the file. */
export const readFhir: Reader = async function* ({ text, limits, times }) {
  const resources = createResources();
  const exams: Exam[] = [];
  let size = 0;
  let item = 0;
  for await (const values of jsonValues(text.chunks(), { member: 'entry', limit: limits.item })) {
    const problems: Reading[] = [];
    for (const { json, line } of values) {
      item += 1;
      size += json.length;
      const position = { line, item };
      if (size > limits.bundle) throw tooLarge('The FHIR file', limits.bundle, `line ${line}, item ${item}`);
      const parsed = text.isDamaged(json) ? problem(position, damage.message, damage.hint) : readItem(json, position);
      if (parsed.kind === 'problem') problems.push(parsed);
      else collect(parsed.item, undefined, position, resources, exams);
    }
    if (problems.length > 0) yield problems;
  }
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

/** An entry of a bundle, a bundle, or a resource. */
function collect(
  value: Resource,
  url: string | undefined,
  position: Position,
  resources: Resources,
  exams: Exam[],
): void {
  const { resourceType, resource, fullUrl } = value;
  if (resourceType === undefined) {
    if (isPlainObject(resource)) {
      collect(resource, typeof fullUrl === 'string' ? fullUrl : undefined, position, resources, exams);
    }
    return;
  }
  if (resourceType === 'Bundle') {
    const entries = Array.isArray(value['entry']) ? value['entry'] : [];
    for (const entry of entries.filter(isPlainObject)) collect(entry, undefined, position, resources, exams);
    return;
  }
  resources.add(value, url);
  if (resourceType === 'ServiceRequest' || resourceType === 'ImagingStudy') exams.push({ resource: value, position });
}

const requestOf = ({ resource }: Exam, resources: Resources): Resource | undefined => {
  const basedOn = resource['basedOn'];
  const references: readonly unknown[] = Array.isArray(basedOn) ? basedOn : [basedOn];
  return references
    .map((reference) => resources.resolve(reference, resource))
    .find((found) => found?.['resourceType'] === 'ServiceRequest');
};

/** A study and the request that it is based on become one item: they are one exam. */
function requestsOfStudies(exams: readonly Exam[], resources: Resources): ReadonlySet<Resource> {
  const studies = exams.filter(({ resource }) => resource['resourceType'] === 'ImagingStudy');
  return new Set(studies.map((study) => requestOf(study, resources)).filter((request) => request !== undefined));
}

function* inParts(
  exams: readonly Exam[],
  read: (exam: Exam) => Reading,
  reported: ReadonlySet<Resource>,
): Generator<readonly Reading[]> {
  const size = 500;
  const unreported = exams.filter(({ resource }) => !reported.has(resource));
  for (let at = 0; at < unreported.length; at += size) yield unreported.slice(at, at + size).map(read);
}

function readExam(exam: Exam, resources: Resources, times: Times): Reading {
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
