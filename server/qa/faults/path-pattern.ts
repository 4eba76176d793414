/** Matches calls against the `path` of a fault. */
import type { Endpoint, Method } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/index.ts';

/** Operator calls, which remove faults, monitoring, and descriptions of the server are exempt from faults. */
export const isStruckByFaults = ({ access, path }: Pick<Endpoint, 'access' | 'path'>): boolean =>
  access !== 'admin' && /^\/(?:api|fhir|\.well-known)\//.test(path);

export interface PathPattern {
  matches(endpoint: Endpoint, path: string): boolean;
  /** Endpoints that it can match. */
  readonly endpoints: readonly Endpoint[];
}

/** `method`: the only method that matches; `undefined`: all. */
export function pathPattern(pattern: string, method: Method | undefined): PathPattern {
  const isTemplate = endpoints.some(({ path }) => path === pattern);
  const form = toGlob(pattern);
  const matches = (endpoint: Endpoint, path: string): boolean =>
    isTemplate ? endpoint.path === pattern : form.test(path);
  return {
    matches,
    endpoints: endpoints.filter(
      (endpoint) => (method === undefined || endpoint.method === method) && canMatch(endpoint.path, pattern),
    ),
  };
}

/** `*` and `{id}` match one segment, `**` any number of segments. */
const toGlob = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split(/(\*\*|\*|\{\w+\})/)
      .map((part, at) => (at % 2 === 0 ? escapeRegExp(part) : part === '**' ? '.*' : '[^/]+'))
      .join('')}/?$`,
  );

/** Escapes a text for a regular expression. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a path of the template can match the pattern: tries any id, and each segment of the pattern as an id. */
function canMatch(template: string, pattern: string): boolean {
  const form = toGlob(pattern);
  const ids = ['x', ...pattern.split('/').map((part) => part.replaceAll(/\*+|\{\w+\}/g, 'x'))].filter(Boolean);
  return ids.some((id) => form.test(template.replaceAll(/\{\w+\}/g, id)));
}
