/** Finds the endpoint to which an address belongs. */
import type { Endpoint, Method } from './endpoint.ts';
import { endpoints } from './index.ts';

export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  /** The decoded values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>;
}

interface Template {
  readonly endpoint: Endpoint;
  /** Each parameter is a group of its name. */
  readonly pattern: RegExp;
}

const countParameters = ({ path }: Endpoint): number => path.split('{').length - 1;

/** `/worklists/items` before `/worklists/{something}`: fewer parameters are the closer match. */
const templates: readonly Template[] = endpoints
  .toSorted((a, b) => countParameters(a) - countParameters(b))
  .map((endpoint) => {
    const pattern = endpoint.path.replace(/[.$]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    return { endpoint, pattern: new RegExp(`^${pattern}/?$`) };
  });

/** The endpoint for the method, if there is one; `methods`: those that the path accepts. */
export function endpointAt(
  method: string,
  path: string,
): { found: FoundEndpoint | undefined; methods: readonly Method[] } {
  const matching = templates.flatMap(({ endpoint, pattern }) => {
    const match = pattern.exec(path);
    if (!match) return [];
    const params = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decoded(value)]);
    return [{ endpoint, params: Object.fromEntries(params) as Record<string, string> }];
  });
  return {
    found: matching.find(({ endpoint }) => endpoint.method === method.toUpperCase()),
    methods: [...new Set(matching.map(({ endpoint }) => endpoint.method))],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
