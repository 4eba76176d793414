/** Ids of an exam's resources on their server. Contained resources have none there. */
import type { ExamResources } from '../../../domain/fhir-references.ts';
import { isPlainObject } from '../../../domain/normalise.ts';
import type { Resource, Resources } from './resources.ts';
import { textBefore } from '../../../domain/text-before.ts';

/** `resource`: the study, request or appointment that was found; `request`: the one on which it is based. */
export function listResources(
  resource: Resource,
  request: Resource | undefined,
  resources: Resources,
  server: string,
): ExamResources {
  const findId = (type: string, reference: unknown, from: Resource): string | undefined => {
    const target = isPlainObject(reference) ? reference['reference'] : undefined;
    if (typeof target !== 'string') return undefined;
    const [, home, named, id] =
      /^(?:(.*)\/)?([A-Za-z]+)\/([A-Za-z0-9.-]{1,64})$/.exec(textBefore(target, '/_history/')) ?? [];
    if (named !== type || (home !== undefined && home !== server)) return undefined;
    // A patient whom another replaced is that one.
    const found = resources.resolve(reference, from);
    return found?.['resourceType'] === type ? ownId(found) : id;
  };
  const findFirst = (type: string, name: string): string | undefined =>
    [resource, request]
      .flatMap((from) => (from ? [findId(type, from[name], from)] : []))
      .find((id) => id !== undefined);
  const actors = [resource['participant']].flat().flatMap((each) => (isPlainObject(each) ? [each['actor']] : []));
  const patient =
    findFirst('Patient', 'subject') ??
    actors.map((actor) => findId('Patient', actor, resource)).find((id) => id !== undefined);
  const encounter = findFirst('Encounter', 'encounter');
  const { resourceType: type } = resource;
  const study = type === 'ImagingStudy' ? ownId(resource) : undefined;
  const requests =
    type === 'ServiceRequest'
      ? [ownId(resource)]
      : [resource['basedOn']].flat().map((reference) => findId('ServiceRequest', reference, resource));
  return {
    server,
    requests: requests.filter((id) => id !== undefined),
    ...(patient !== undefined && { patient }),
    ...(study !== undefined && { study }),
    ...(encounter !== undefined && { encounter }),
  };
}

const ownId = ({ id }: Resource): string | undefined =>
  typeof id === 'string' && /^[A-Za-z0-9.-]{1,64}$/.test(id) ? id : undefined;
