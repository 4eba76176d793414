/** Which calls the `path` of a fault means. */
import type { Endpoint, Method } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/index.ts';

/** The operator, who removes faults, monitors, and what describes the server are never struck. */
export const isStruckByFaults = ({ access, path }: Pick<Endpoint, 'access' | 'path'>): boolean =>
  access !== 'admin' && (path.startsWith('/api/') || path.startsWith('/.well-known/'));

export interface PathPattern {
  matches(endpoint: Endpoint, path: string): boolean;
  /** Endpoints whose calls it can match. */
  readonly endpoints: readonly Endpoint[];
}

/** `method`: the only one that counts; `undefined`: all. */
export function pathPattern(pattern: string, method: Method | undefined): PathPattern {
  const isTemplate = endpoints.some(({ path }) => path === pattern);
  const form = globOf(pattern);
  const matches = (endpoint: Endpoint, path: string): boolean =>
    isTemplate ? endpoint.path === pattern : form.test(path);
  return {
    matches,
    endpoints: endpoints.filter(
      (endpoint) => (method === undefined || endpoint.method === method) && mayMeet(endpoint.path, pattern),
    ),
  };
}

/** `*` and `{id}` stand for a part of a path, `**` for any number of parts. */
const globOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split(/(\*\*|\*|\{\w+\})/)
      .map((part, at) => (at % 2 === 0 ? escaped(part) : part === '**' ? '.*' : '[^/]+'))
      .join('')}/?$`,
  );

/** The text as a pattern that matches nothing else. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a path of the template can match the pattern: its ids are tried as any word, and as each word of the pattern. */
function mayMeet(template: string, pattern: string): boolean {
  const form = globOf(pattern);
  const ids = ['x', ...pattern.split('/').map((part) => part.replaceAll(/\*+|\{\w+\}/g, 'x'))].filter(Boolean);
  return ids.some((id) => form.test(template.replaceAll(/\{\w+\}/g, id)));
}
