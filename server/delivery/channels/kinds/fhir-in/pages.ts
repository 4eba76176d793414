/** Reads the pages of a FHIR search, and the resources that each match refers to. */
import { AppError } from '../../../../../src/contract/errors.ts';
import { deepestReference, namesIn } from '../../../../../src/domain/fhir-references.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';

/** Maximum of referenced resources cached during a poll. */
const maxCached = 2000;
const maxPages = 10_000;

/** Matches of a search and other resources on the page; `at`: time of the server, in ms since 1970. */
interface Page {
  readonly matches: readonly Resource[];
  readonly others: readonly Resource[];
  readonly at: number | undefined;
}

/** All pages of a search. Rejects with BAD_ANSWER if a page links to another server, which would get the token. */
export async function* readPages(client: FhirClient, first: URL, signal: AbortSignal): AsyncGenerator<Page> {
  const visited = new Set<string>();
  for (let url: URL | undefined = first; url;) {
    if (visited.has(url.href) || visited.size >= maxPages) {
      throw new AppError('BAD_ANSWER', { message: `The pages of ${first.origin} do not end.` });
    }
    visited.add(url.href);
    const answer = await client.get(url, signal);
    if (answer?.resource['resourceType'] !== 'Bundle') {
      throw new AppError('BAD_ANSWER', { message: `${first.origin} answers a search with something else.` });
    }
    yield { ...readEntries(answer.resource), at: answer.at };
    url = findNextPage(answer.resource, url);
    if (url && url.origin !== first.origin) {
      throw new AppError('BAD_ANSWER', { message: `A page of ${first.origin} leads to ${url.origin}.` });
    }
  }
}

const plainObjects = (value: unknown): Resource[] => (Array.isArray(value) ? value.filter(isPlainObject) : []);

function readEntries(bundle: Resource): Pick<Page, 'matches' | 'others'> {
  const matches: Resource[] = [];
  const others: Resource[] = [];
  for (const { resource, search } of plainObjects(bundle['entry'])) {
    if (!isPlainObject(resource) || resource['resourceType'] === 'OperationOutcome') continue;
    const isOther = isPlainObject(search) && search['mode'] !== undefined && search['mode'] !== 'match';
    (isOther ? others : matches).push(resource);
  }
  return { matches, others };
}

function findNextPage(bundle: Resource, from: URL): URL | undefined {
  const next = plainObjects(bundle['link']).find(({ relation }) => relation === 'next')?.['url'];
  return typeof next === 'string' ? new URL(next, from) : undefined;
}

export const nameOf = ({ resourceType, id }: Resource): string => `${String(resourceType)}/${String(id)}`;

/** Whether another attempt would get the same answer. */
const isRefusal = (status: unknown): boolean =>
  typeof status === 'number' && status < 500 && status !== 408 && status !== 429;

/** Resolves references of a resource: from the resources read so far, or by a request. */
export interface References {
  learn(resources: readonly Resource[]): void;
  /** The resources to which it refers, at any depth that counts. Rejects with NETWORK if one can't be read just now. */
  of(root: Resource): Promise<Resource[]>;
}

export function createReferences(client: FhirClient, signal: AbortSignal, max = maxCached): References {
  const cache = new Map<string, Resource | undefined>();
  const store = (name: string, resource: Resource | undefined): Resource | undefined => {
    if (cache.size >= max) cache.clear();
    cache.set(name, resource);
    return resource;
  };
  const find = async (name: string): Promise<Resource | undefined> => {
    if (cache.has(name)) return cache.get(name);
    try {
      return store(name, (await client.get(client.urlOf(name), signal))?.resource);
    } catch (error) {
      // A resource that may not be read is treated as missing; the reader reports what the order lacks.
      if (error instanceof AppError && isRefusal(error.details?.['status'])) return store(name, undefined);
      throw error;
    }
  };
  return {
    learn(resources: readonly Resource[]): void {
      for (const resource of resources) store(nameOf(resource), resource);
    },
    async of(root: Resource): Promise<Resource[]> {
      const found = new Map<string, Resource>();
      let level: readonly Resource[] = [root];
      for (let depth = 0; depth < deepestReference && level.length > 0; depth++) {
        const next: Resource[] = [];
        for (const name of new Set(level.flatMap(namesIn))) {
          if (found.has(name) || name === nameOf(root)) continue;
          const resource = await find(name);
          if (!resource) continue;
          found.set(name, resource);
          next.push(resource);
        }
        level = next;
      }
      return [...found.values()];
    },
  };
}
