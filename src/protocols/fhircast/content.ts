/** The content that applications share about an open context (2.10): resources by name, changed by bundles as a whole. */
import { CastRefusal, isResource, nameResource } from './messages.ts';
import type { CastEvent, Resource } from './messages.ts';

export interface SharedResource {
  readonly resource: Resource;
  /** Characters of its JSON. */
  readonly size: number;
}

export type SharedContent = ReadonlyMap<string, SharedResource>;

/** Resources that one context holds at most. */
const maxResources = 2000;

interface Entry {
  readonly fullUrl?: unknown;
  readonly request?: { readonly method?: unknown; readonly url?: unknown };
  readonly resource?: unknown;
}

/**
 * The content after the update, all of its entries or none. `opened`: names of the resources that the context was opened with, which
 * no update removes. CastRefusal 400 names the entry that can't be taken.
 */
export function applyUpdates(
  content: SharedContent,
  { context }: CastEvent,
  opened: ReadonlySet<string>,
): SharedContent {
  const bundle = context.find(({ key }) => key === 'updates')?.resource;
  const entries = bundle?.['entry'] ?? [];
  if (bundle?.resourceType !== 'Bundle' || !Array.isArray(entries))
    throw new CastRefusal(400, 'context has no part "updates" with a Bundle.');
  const next = new Map(content);
  const named = new Set<string>();
  for (const [at, entry] of (entries as Entry[]).entries()) {
    const change = readEntry(entry, `Entry ${at + 1} of the Bundle`);
    if (named.has(change.name)) throw new CastRefusal(400, `${change.name} is in the Bundle twice.`);
    named.add(change.name);
    const { name, resource } = change;
    if (resource) next.set(name, { resource, size: JSON.stringify(resource).length });
    else if (opened.has(name)) throw new CastRefusal(400, `${name} belongs to the open context, and can't be deleted.`);
    else next.delete(name);
  }
  if (next.size > maxResources) throw new CastRefusal(413, `A context holds at most ${maxResources} resources.`);
  return next;
}

function readEntry(
  entry: Entry | null,
  place: string,
): { readonly name: string; readonly resource: Resource | undefined } {
  const { method, url } = entry?.request ?? {};
  if (method !== 'PUT' && method !== 'DELETE')
    throw new CastRefusal(400, `${place} has no request with the method PUT or DELETE.`);
  if (method === 'DELETE') {
    const name = [entry?.fullUrl, url].map(nameAddress).find((each) => each !== undefined);
    if (name === undefined) throw new CastRefusal(400, `${place} doesn't say which resource it deletes.`);
    return { name, resource: undefined };
  }
  const resource = entry?.resource;
  const name = isResource(resource) ? nameResource(resource) : undefined;
  if (!isResource(resource) || name === undefined) throw new CastRefusal(400, `${place} has no resource with an id.`);
  return { name, resource };
}

/** `Observation/abc` from an absolute or a relative address. */
function nameAddress(address: unknown): string | undefined {
  if (typeof address !== 'string') return undefined;
  const [id, type] = address.split('/').toReversed();
  return id && type && /^[A-Z]/.test(type) ? `${type}/${id}` : undefined;
}

/** The content as a Bundle of type `collection` (2.9). */
export const collectContent = (content: SharedContent, id: string): Resource => ({
  resourceType: 'Bundle',
  id,
  type: 'collection',
  entry: Array.from(content, ([name, { resource }]) => ({ fullUrl: name, resource })),
});
