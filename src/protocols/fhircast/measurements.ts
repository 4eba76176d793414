/** The measurements that a viewer shares about a report (2.6.2, 2.10): Observations, and the images on which they were made. */
import type { Measurement } from '../../contract/measurement.ts';
import { isResource, listObjects } from './messages.ts';
import type { CastEvent, Resource } from './messages.ts';

/** `measurement: null`: it was deleted, or entered in error. */
export interface MeasurementChange {
  readonly id: string;
  readonly measurement: Measurement | null;
}

const maxValues = 10;
const maxText = 300;

/** The changes of measurements in an update, or in the shared content of a context; resources without a value are none. */
export function readMeasurements({ context }: Pick<CastEvent, 'context'>): MeasurementChange[] {
  const bundle = context.find(({ key }) => key === 'updates' || key === 'content')?.resource;
  const entries = listObjects(bundle?.['entry']);
  const selections = entries.flatMap(({ resource }) =>
    isResource(resource) && resource.resourceType === 'ImagingSelection' ? [resource] : [],
  );
  return entries.flatMap(({ resource, request, fullUrl }): MeasurementChange[] => {
    const { method, url } = readObject(request);
    if (method === 'DELETE') {
      const [, id] = /Observation\/([A-Za-z0-9.-]{1,64})$/.exec(String(fullUrl ?? url)) ?? [];
      return id === undefined ? [] : [{ id, measurement: null }];
    }
    if (!isResource(resource) || resource.resourceType !== 'Observation' || !isId(resource.id)) return [];
    const { id, status } = resource as { id: string; status?: unknown };
    if (status === 'entered-in-error' || status === 'cancelled') return [{ id, measurement: null }];
    const measurement = readObservation(id, resource, selections);
    return measurement ? [{ id, measurement }] : [];
  });
}

/** Ids of the Observations that a selection names. */
export const readSelection = ({ context }: Pick<CastEvent, 'context'>): string[] =>
  context.flatMap(({ key, reference, resource }) => {
    if (key !== 'select') return [];
    const names = [reference?.reference, resource && `${resource.resourceType}/${resource.id ?? ''}`];
    return names.flatMap((name) => /Observation\/([A-Za-z0-9.-]{1,64})$/.exec(name ?? '')?.[1] ?? []);
  });

function readObservation(id: string, observation: Resource, selections: readonly Resource[]): Measurement | undefined {
  const parts = [observation, ...listObjects(observation['component'])];
  // Without its comparator, a limit (“< 5 mm”) would become a value.
  if (parts.some((part) => readObject(part['valueQuantity'])['comparator'] !== undefined)) return undefined;
  const values = parts.flatMap((part) => readValue(part, part !== observation)).slice(0, maxValues);
  if (values.length === 0) return undefined;
  const { codings, title } = readConcept(observation['code']);
  const { codings: sites } = readConcept(observation['bodySite']);
  const tracking = readTrackingUid(observation['identifier']);
  return {
    id,
    ...(title !== undefined && { title }),
    ...(codings.length > 0 && { codes: codings.slice(0, maxValues) }),
    ...(sites.length > 0 && { sites: sites.slice(0, maxValues) }),
    ...(tracking !== undefined && { tracking_uid: tracking }),
    values,
    ...readImage(observation, selections),
  };
}

function readValue(part: Readonly<Record<string, unknown>>, isComponent: boolean): Measurement['values'] {
  const { value, unit, code } = readObject(part['valueQuantity']);
  const shown = readText(unit, 40) ?? readText(code, 40);
  if (typeof value !== 'number' || !Number.isFinite(value) || shown === undefined) return [];
  const ucum = readText(code, 40);
  const { title, codings } = readConcept(isComponent ? part['code'] : undefined);
  return [
    {
      value,
      unit: shown,
      ...(ucum !== undefined && { code: ucum }),
      ...(title !== undefined && { title }),
      ...(codings.length > 0 && { codes: codings.slice(0, maxValues) }),
    },
  ];
}

/** A CodeableConcept: its codes, and its words. */
function readConcept(value: unknown) {
  const { coding, text } = readObject(value);
  const codings = listObjects(coding).flatMap((each) => readCoding(each));
  return { codings, title: readText(text) ?? codings.find(({ display }) => display !== undefined)?.display };
}

function readCoding(coding: Readonly<Record<string, unknown>>): NonNullable<Measurement['codes']> {
  const code = readText(coding['code'], 100);
  const [system, display] = [readText(coding['system']), readText(coding['display'])];
  if (code === undefined) return [];
  return [{ code, ...(system !== undefined && { system }), ...(display !== undefined && { display }) }];
}

/** The image, from the ImagingSelection that the Observation was derived from. */
function readImage(
  observation: Resource,
  selections: readonly Resource[],
): Pick<Measurement, 'series_uid' | 'instance_uid' | 'class_uid'> {
  const names = listObjects(observation['derivedFrom']).map(({ reference }) => String(reference));
  const selection = selections.find(({ id }) => names.some((name) => name.endsWith(`ImagingSelection/${id ?? ''}`)));
  const series = readUid(selection?.['seriesUid']);
  const [image] = listObjects(selection?.['instance']);
  const [instance, sopClass] = [readUid(image?.['uid']), readUid(readObject(image?.['sopClass'])['code'])];
  return {
    ...(series !== undefined && { series_uid: series }),
    ...(instance !== undefined && { instance_uid: instance }),
    ...(sopClass !== undefined && { class_uid: sopClass }),
  };
}

/** The only UID among its identifiers: what DICOM SR calls the tracking UID. */
function readTrackingUid(identifiers: unknown): string | undefined {
  const uids = listObjects(identifiers).flatMap(({ system, value }) =>
    system === 'urn:dicom:uid' ? (readUid(value) ?? []) : [],
  );
  return uids.length === 1 ? uids[0] : undefined;
}

const isId = (id: unknown): id is string => typeof id === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(id);
const readUid = (value: unknown): string | undefined =>
  /^(?:urn:oid:)?([0-9.]{1,64})$/.exec(typeof value === 'string' ? value : '')?.[1];
const readObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function readText(value: unknown, max = maxText): string | undefined {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return text === '' || /\p{Cc}/u.test(text) ? undefined : text.slice(0, max);
}
