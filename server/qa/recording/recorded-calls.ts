/**
 * Finds the recorded call that a call repeats. Calls match if they differ only in patient data: same method, path, enumerated
 * values, ids and fields, and the same pattern of repeated values. Of several matches, those consistent with earlier bindings of
 * values come first, then the next in recording order; the last one answers all further repetitions.
 */
import { Readable } from 'node:stream';
import type { HarEntry } from '../../../src/client/har.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { readContent } from './content.ts';
import type { Content } from './content.ts';
import { replaceRequest } from './exchange.ts';
import type { RecordedRequest, ReplacedRequest } from './exchange.ts';
import { createStandIns } from './stand-ins.ts';
import { elementAt, lastElement } from '../../../src/domain/elements.ts';

/** The common form of matching calls. */
interface Shape {
  /** Includes the body. */
  readonly whole: string;
  /** Excludes the body. */
  readonly address: string;
  readonly path: string;
  readonly method: string;
  readonly query: ReplacedRequest['query'];
  readonly values: readonly string[];
  /** Headers that the answer may depend on. */
  readonly headers: readonly string[];
}

interface Candidate {
  readonly entry: HarEntry;
  readonly shape: Shape;
  uses: number;
}

export interface FoundCall {
  readonly entry: HarEntry;
  /** Maps recorded values to values of this call, which replace them in the answer. */
  readonly bound: ReadonlyMap<string, string>;
}

export interface RecordedCalls {
  readonly size: number;
  find(call: RecordedRequest): FoundCall | undefined;
  /** Describes the most similar recorded call. */
  nearest(call: RecordedRequest): string;
}

export async function createRecordedCalls(entries: readonly HarEntry[]): Promise<RecordedCalls> {
  const byWhole = new Map<string, Candidate[]>();
  const byAddress = new Map<string, Candidate[]>();
  const all: Candidate[] = [];
  for (const entry of entries) {
    const call = await toRequest(entry);
    const candidate: Candidate = { entry, shape: toShape(call), uses: 0 };
    all.push(candidate);
    // A missing or partial body matches any body.
    const isWhole = !(call.content.kind === 'bytes' || entry.request.postData?.text?.includes('‹') === true);
    const [index, key] = isWhole ? [byWhole, candidate.shape.whole] : [byAddress, candidate.shape.address];
    const alike = index.get(key);
    if (alike) alike.push(candidate);
    else index.set(key, [candidate]);
  }
  const toLive = new Map<string, string>();
  const toRecorded = new Map<string, string>();

  const conflicts = ({ shape }: Candidate, live: Shape): number => {
    const ofHeaders = shape.headers.filter((value, at) => value !== live.headers[at]).length;
    const ofValues = shape.values.filter((recorded, at) => {
      const value = live.values[at];
      if (value === undefined || value === recorded) return false;
      const [bound, boundBack] = [toLive.get(recorded), toRecorded.get(value)];
      return (bound !== undefined && bound !== value) || (boundBack !== undefined && boundBack !== recorded);
    }).length;
    return ofHeaders * 1000 + ofValues;
  };

  const bind = ({ shape }: Candidate, live: Shape): void => {
    shape.values.forEach((recorded, at) => {
      const value = live.values[at];
      if (value === undefined) return;
      toLive.set(recorded, value);
      toRecorded.set(value, recorded);
    });
  };

  return {
    size: all.length,
    find(call) {
      const live = toShape(call);
      const candidates =
        byWhole.get(live.whole) ??
        byAddress.get(live.address) ??
        (call.method === 'HEAD' ? byWhole.get(toShape({ ...call, method: 'GET' }).whole) : undefined);
      if (!candidates) return undefined;
      const scored = candidates.map((candidate) => ({ candidate, score: conflicts(candidate, live) }));
      const lowest = Math.min(...scored.map(({ score }) => score));
      const alike = scored.filter(({ score }) => score === lowest).map(({ candidate }) => candidate);
      const found = alike.find(({ uses }) => uses === 0) ?? lastElement(alike);
      found.uses += 1;
      bind(found, live);
      return { entry: found.entry, bound: toLive };
    },
    nearest: (call) => describeNearest(toShape(call), all),
  };
}

const comparedHeaders = ['x-laudio-simulate', 'range', 'if-match'] as const;

function toShape(call: RecordedRequest): Shape {
  const standIns = createStandIns({ as: 'shape' });
  const { path, query, content } = replaceRequest(call, standIns);
  const address = JSON.stringify([call.method, path, query]);
  return {
    whole: `${address}${JSON.stringify(toContentShape(content))}`,
    address,
    path,
    method: call.method,
    query,
    values: standIns.replaced.map(({ actual }) => actual),
    headers: [
      call.headers['authorization'] === undefined ? '' : 'a token',
      ...comparedHeaders.map((name) => String(call.headers[name] ?? '')),
    ],
  };
}

/** Ignores sizes, which differ between files. */
function toContentShape(content: Content): unknown {
  switch (content.kind) {
    case 'json':
      return content.value;
    case 'form':
      return content.fields;
    case 'multipart':
      return [content.fields, content.files.map(({ name }) => name).toSorted()];
    default:
      return content.kind;
  }
}

/** Lower-case names, without HTTP/2 pseudo-headers (`:path`). */
export const headersOf = (pairs: HarEntry['request']['headers']): Record<string, string> =>
  Object.fromEntries(
    pairs.filter(({ name }) => !name.startsWith(':')).map(({ name, value }) => [name.toLowerCase(), String(value)]),
  );

/** Beginning of the API: a service may be below a base path. */
const apiStart = /\/(?:api|\.well-known)\//;

async function toRequest({ request }: HarEntry): Promise<RecordedRequest> {
  const { pathname, search } = new URL(request.url);
  const start = apiStart.exec(pathname)?.index ?? 0;
  return {
    method: request.method.toUpperCase(),
    address: `${pathname.slice(start)}${search}`,
    headers: headersOf(request.headers),
    content: await toContent(request),
  };
}

async function toContent({ postData, headers, bodySize }: HarEntry['request']): Promise<Content> {
  if (!isPlainObject(postData)) return bodySize > 0 ? { kind: 'bytes', size: bodySize } : { kind: 'none' };
  const { params, text = '', mimeType } = postData as NonNullable<HarEntry['request']['postData']>;
  if (Array.isArray(params) && params.length > 0) {
    const fields = params
      .filter(({ fileName }) => fileName === undefined)
      .map(({ name, value }) => [name, value ?? ''] as const);
    const files = params
      .filter(({ fileName }) => fileName !== undefined)
      .map(({ name, contentType = '' }) => ({ name, contentType, size: 0 }));
    return /multipart/i.test(mimeType) ? { kind: 'multipart', fields, files } : { kind: 'form', fields };
  }
  if (text === '') return bodySize === 0 ? { kind: 'none' } : { kind: 'bytes', size: Math.max(0, bodySize) };
  const type = mimeType || headersOf(headers)['content-type'] || 'application/json';
  return readContent(Readable.from([Buffer.from(text)]), { 'content-type': type });
}

/** Uses only the contract's vocabulary: values of the call are not repeated. */
function describeNearest(live: Shape, all: readonly Candidate[]): string {
  const describe = ({ shape: { method, path, query } }: Candidate): string =>
    `${method} ${path}${query.length === 0 ? '' : `?${query.map(([name, value]) => `${name}=${value}`).join('&')}`}`;
  const samePath = all.filter(({ shape }) => shape.method === live.method && shape.path === live.path);
  const sameAddress = samePath.find(({ shape }) => shape.address === live.address);
  if (sameAddress) return `It has ${describe(sameAddress)}, but with another body.`;
  if (samePath.length > 0) return `It has ${describe(elementAt(samePath, 0))}, but not with this query.`;
  const otherMethod = all.find(({ shape }) => shape.path === live.path);
  if (otherMethod) return `It has ${describe(otherMethod)}, but not ${live.method}.`;
  const parts = live.path.split('/');
  const common = ({ shape }: Candidate): number => {
    const others = shape.path.split('/');
    const at = parts.findIndex((part, place) => part !== others[place]);
    return (at < 0 ? parts.length : at) * 2 + Number(shape.method === live.method);
  };
  const [nearest] = all.toSorted((a, b) => common(b) - common(a));
  return nearest ? `The nearest is ${describe(nearest)}.` : 'It has no calls.';
}
