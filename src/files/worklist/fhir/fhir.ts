/** FHIR R4, R5, STU3 and DSTU2: a Bundle of any type, single resources, or NDJSON of bulk exports, and XML; ServiceRequest, ImagingStudy, Appointment. */
import type { Message } from '../../../contract/messages/message.ts';
import { fileMessage } from '../../../contract/messages/files.ts';
import { isPlainObject } from '../../../domain/normalise.ts';
import { checkSubjects, tooLarge } from '../bytes.ts';
import { findEntry } from '../../../domain/find-entry.ts';
import { fill, finished, newDraft, put } from '../draft.ts';
import type { Mapping } from '../draft.ts';
import type { Times } from '../kinds.ts';
import { jsonValues } from '../json-values.ts';
import { ignoredPlaces, mappedTable, statusPlace, statusReader } from '../mapping.ts';
import type { StatusOf } from '../mapping.ts';
import { readItem } from '../ndjson.ts';
import { isLaboratoryTest, laboratoryOrder } from '../other-work.ts';
import { takeModalityFromWords } from '../procedure-words.ts';
import type { Input, Reader } from '../reader.ts';
import { problem } from '../reading.ts';
import { takeSystems } from './identifier-systems.ts';
import { placesOfRules, skipped, skipReader } from '../skip-rules.ts';
import type { FindSkip } from '../skip-rules.ts';
import type { Position, Reading } from '../reading.ts';
import { damage } from '../text.ts';
import { cancelledStatuses, examProgress, fhirMappings, noOrders, standingStatuses } from './elements.ts';
import type { TextAtPath } from './fhirpath.ts';
import { inR4 } from './older.ts';
import { isFhirPath, isFhirXml, presentPath, rootResources } from './paths.ts';
import { createResources, isTyped } from './resources.ts';
import type { Resource, Resources } from './resources.ts';
import { listResources } from './resources-of-exam.ts';
import { textBefore } from '../../../domain/text-before.ts';

/** A resource, and its place in the file. */
export interface FoundResource {
  readonly resource: Resource;
  readonly position: Position;
}

/** References may point forward, so the reader yields no item before the end of the file. */
export const readFhir: Reader = async function* ({ text, limits, times, options: { mapping, server }, guess }) {
  const resources = createResources();
  const found: FoundResource[] = [];
  yield* gather({ text, limits }, rootResources, resources, found);
  const exams = found.filter((exam) => !isPast(exam, resources));
  if (found.length === 0) {
    yield [problem({}, nothingIn(resources), fileMessage('with_patients'))];
  }
  const ignored = ignoredPlaces(mapping, fhirPlaceOf);
  if (ignored) guess(ignored);
  const table = mappedTable(fhirMappings, mapping, fhirPlaceOf);
  const statusOf = statusReader(mapping, fhirPlaceOf);
  const placeOfStatus = statusPlace(mapping, fhirPlaceOf);
  const others = [...(placeOfStatus === undefined ? [] : [placeOfStatus]), ...placesOfRules(mapping, fhirPlaceOf)];
  const paths = [...table.flatMap(({ from }) => from), ...others]
    .filter((source) => source.startsWith(byPath))
    .map((source) => source.slice(byPath.length));
  const textAtPath =
    paths.length > 0 ? await (await import('./fhirpath.ts')).fhirPathReader(paths, resources) : undefined;
  const reading: FhirReading = {
    table,
    statusOf,
    findSkip: skipReader(mapping, fhirPlaceOf, true),
    textAtPath,
    resources,
    times,
    ...(server !== undefined && { server }),
  };
  yield* inParts(exams, (exam) => readExam(exam, reading), findRequests(exams, resources));
};

/** A previous version, or a record that was entered in error while its request is in the file and remains valid. */
const isPast = (exam: FoundResource, resources: Resources): boolean =>
  resources.isFormerVersion(exam.resource) || (isMistake(exam) && findRequest(exam, resources) !== undefined);

/** A study or an appointment that was entered in error; its request remains valid, wherever it is. */
const isMistake = ({ resource: { resourceType, status, basedOn } }: FoundResource): boolean =>
  resourceType !== 'ServiceRequest' && status === 'entered-in-error' && [basedOn ?? []].flat().length > 0;

const maxNamed = 5;
/** Says what the file holds instead: names of types, without patient data. */
function nothingIn({ types }: Resources): Message {
  const named = [...types].filter((type) => /^[A-Z][A-Za-z]{1,40}$/.test(type)).slice(0, maxNamed);
  if (named.length === 0) return fileMessage('no_fhir');
  return fileMessage(types.size > named.length ? 'no_fhir_among' : 'no_fhir_but', { types: named.join(', ') });
}

/** Marks the paths of a mapping among those of the table. */
const byPath = 'path:';
const fhirPlaceOf = (place: string): string | undefined =>
  isFhirPath(place) ? `${byPath}${presentPath(place)}` : undefined;

interface FhirReading {
  readonly table: readonly Mapping[];
  readonly statusOf: StatusOf | undefined;
  readonly findSkip: FindSkip | undefined;
  readonly textAtPath: TextAtPath | undefined;
  readonly resources: Resources;
  readonly times: Times;
  readonly server?: string;
}

/** Takes all resources of a file, and of those of these types also where they stand; yields what cannot be read. */
export async function* gather(
  { text, limits }: Pick<Input, 'text' | 'limits'>,
  types: readonly string[],
  resources: Resources,
  found: FoundResource[],
): AsyncGenerator<readonly Reading[]> {
  let size = 0;
  let item = 0;
  /** An entry of a bundle, a bundle, or a resource. */
  const collect = (value: Resource, position: Position, isOfHistory: boolean, entry: Resource = {}): void => {
    const { resourceType, resource: inEntry } = value;
    if (resourceType === undefined) {
      if (isPlainObject(inEntry)) collect(inEntry, position, isOfHistory, value);
      return;
    }
    if (resourceType === 'Bundle') {
      const entries = [value['entry']].flat().filter(isPlainObject);
      // A bundle of XML is read at once, so the entries give the place.
      for (const [at, each] of entries.entries()) {
        collect(each, position.line === undefined ? { item: at + 1 } : position, value['type'] === 'history');
      }
      return;
    }
    const resource = inR4(value);
    const { fullUrl, request, response } = entry;
    // The type of a bundle may stand behind its entries; only those of a history have both (FHIR R4 bdl-3, bdl-4).
    const isVersion = isOfHistory || [request, response].every(isPlainObject);
    resources.add(resource, { fullUrl, request, response, isOfHistory: isVersion }, resourceType);
    if (types.some((type) => type === resource['resourceType'])) {
      found.push({ resource, position });
      checkSubjects(found.length, limits.subjects);
    }
  };
  if (isFhirXml(text.head)) {
    const { resourceInXml } = await import('./xml.ts');
    collect(await resourceInXml(text.chunks(), limits.bundle), { item: 1 }, false);
    return;
  }
  const isOfHistory = /"type"\s*:\s*"history"/.test(textBefore(text.head, '"entry"'));
  for await (const values of jsonValues(text.chunks(), { member: 'entry', limit: limits.item })) {
    const problems: Reading[] = [];
    for (const { json, line } of values) {
      item += 1;
      size += json.length;
      const position = { line, item };
      if (size > limits.bundle)
        throw tooLarge(fileMessage('fhir_file'), limits.bundle, fileMessage('at_line_and_item', { line, item }));
      const parsed = text.isDamaged(json) ? problem(position, damage.message, damage.hint) : readItem(json, position);
      if (parsed.kind === 'problem') problems.push(parsed);
      else collect(parsed.item, position, isOfHistory);
    }
    if (problems.length > 0) yield problems;
  }
}

const findRequest = ({ resource }: FoundResource, resources: Resources): Resource | undefined => {
  const basedOn = resource['basedOn'];
  const references: readonly unknown[] = Array.isArray(basedOn) ? basedOn : [basedOn];
  return references
    .map((reference) => resources.resolve(reference, resource))
    .find((found) => found?.['resourceType'] === 'ServiceRequest');
};

/** A study or an appointment and the request that it is based on become one item: they are one exam. */
function findRequests(exams: readonly FoundResource[], resources: Resources): ReadonlySet<Resource> {
  const others = exams.filter(({ resource }) => resource['resourceType'] !== 'ServiceRequest');
  return new Set(others.map((other) => findRequest(other, resources)).filter((request) => request !== undefined));
}

function* inParts(
  exams: readonly FoundResource[],
  read: (exam: FoundResource) => Reading,
  reported: ReadonlySet<Resource>,
): Generator<readonly Reading[]> {
  const size = 500;
  const unreported = exams.filter(({ resource }) => !reported.has(resource));
  for (let at = 0; at < unreported.length; at += size) yield unreported.slice(at, at + size).map(read);
}

const requirements: Readonly<Record<string, Message>> = {
  intent: fileMessage('taken_as_order'),
  doNotPerform: fileMessage('taken_if_allowed'),
};

function readExam(
  exam: FoundResource,
  { table, statusOf, findSkip, textAtPath, resources, times, server }: FhirReading,
): Reading {
  const { resource, position } = exam;
  const type = String(resource['resourceType']);
  const request = type === 'ServiceRequest' ? resource : findRequest(exam, resources);
  const roots: Readonly<Record<string, Resource | undefined>> = { ServiceRequest: request, [type]: resource };
  const lookup = (source: string): string | undefined => {
    const path = source.startsWith(byPath) ? source.slice(byPath.length) : source;
    const dot = path.indexOf('.');
    const root = roots[path.slice(0, dot)];
    if (!root) return undefined;
    const text = path === source ? resources.textAt(root, path.slice(dot + 1)) : textAtPath?.(root, path);
    // A mapping may take the id of a patient who is not in the file.
    return path.endsWith('.reference') ? text?.replace(/^.*\//, '').replace(/^urn:uuid:/, '') : text;
  };
  const passedOver = findSkip?.({ events: [type], lookup });
  if (passedOver) return skipped(position, passedOver);
  const unfit =
    type !== 'ImagingStudy' &&
    Object.entries(noOrders).find(([name, values]) => values.includes(String(resource[name])));
  if (unfit) {
    const [name] = unfit;
    const isAppointment = type === 'Appointment';
    return problem(
      position,
      fileMessage(isAppointment ? 'not_booked' : 'no_request', { what: `${name}: ${String(resource[name])}` }),
      requirements[name] ?? fileMessage('taken_in_status', { status: isAppointment ? 'booked' : 'active' }),
    );
  }
  if (isMistake(exam)) {
    return problem(position, fileMessage('a_mistake'), fileMessage('request_itself'));
  }
  const draft = newDraft();
  fill(draft, table, lookup, times, (source) => source.replace(byPath, ''));
  takeSystems(draft, { request, all: Object.values(roots).filter((root) => root !== undefined) }, resources);
  takeModalityFromWords(draft);
  const { modality, exam_description: description } = draft.fields;
  if (modality === undefined && request !== undefined) {
    if (isOfLaboratory(request)) return laboratoryOrder(position, 'ServiceRequest.category');
    if (isLaboratoryTest(description)) return laboratoryOrder(position, 'ServiceRequest.code');
  }
  const { status } = resource;
  const said = statusOf?.(lookup);
  const stated = said === undefined || said === 'unknown' ? undefined : said;
  // An appointment for a withdrawn request does not take place.
  const withdrawn = [status, request?.['status']].some((each) => cancelledStatuses.has(each));
  const isCancelled = stated === 'cancelled' || (stated === undefined && withdrawn);
  const examStatus = stated ?? findEntry(examProgress, String(status));
  if (examStatus !== undefined && examStatus !== 'cancelled' && !isCancelled) put(draft, 'exam_status', examStatus);
  return finished(draft, position, () => identifierHint(roots), {
    ...(isCancelled && { status: 'cancelled' }),
    ...(!isCancelled && standingStatuses.has(status) && { order: 'standing' }),
    ...(server !== undefined && { resources: listResources(resource, request, resources, server) }),
  });
}

/** Categories of laboratory work: SNOMED CT, HL7 table 0074, and words that systems use. */
const isOfLaboratory = ({ category }: Resource): boolean =>
  [category]
    .flat()
    .filter(isPlainObject)
    .flatMap(({ coding }) => [coding].flat())
    .some((coding) => isPlainObject(coding) && laboratoryCategories.has(String(coding['code']).toLowerCase()));
const laboratoryCategories = new Set(['108252007', 'lab', 'laboratory']);

/** Where the identifiers are read from, and what a mapping could name of what is there. */
function identifierHint(roots: Readonly<Record<string, Resource | undefined>>): Message {
  const places = Object.entries(roots).flatMap(([root, resource]) => (resource ? placesIn(root, resource) : []));
  if (places.length === 0) return fileMessage('read_from_types');
  const example = JSON.stringify({ fields: { accession_number: places } });
  return fileMessage('read_from_types_or_map', { example });
}

function placesIn(root: string, { identifier, id }: Resource): string[] {
  const all = [identifier].flat().filter(isPlainObject);
  const typed = orderNumbers.filter((code) => all.some((each) => isTyped(each, code)));
  const places = [
    ...typed.map((code) => `${root}.identifier.where(type='${code}').value`),
    ...(all.some(({ type }) => type === undefined) ? [`${root}.identifier.where(type.empty()).value`] : []),
  ];
  return places.length === 0 && id !== undefined ? [`${root}.id`] : places;
}

/** Types of numbers that are of one order: others are of a group of orders or of the patient. */
const orderNumbers = ['PLAC', 'FILL'];
