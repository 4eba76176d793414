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
  readonly pattern: RegExp;
  readonly names: readonly string[];
}

/** `/worklists/items` before `/worklists/{something}`: fewer parameters are the closer match. */
const templates: readonly Template[] = endpoints.map(parseTemplate).toSorted((a, b) => a.names.length - b.names.length);

function parseTemplate(endpoint: Endpoint): Template {
  const names: string[] = [];
  const pattern = endpoint.path.replace(/[.]/g, '\\.').replace(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  return { endpoint, pattern: new RegExp(`^${pattern}/?$`), names };
}

/** The endpoint for the method, if there is one; `methods`: those that the path accepts. */
export function endpointAt(
  method: string,
  path: string,
): { found: FoundEndpoint | undefined; methods: readonly Method[] } {
  const matching = templates.flatMap(({ endpoint, pattern, names }) => {
    const values = pattern.exec(path)?.slice(1);
    return values
      ? [{ endpoint, params: Object.fromEntries(names.map((name, at) => [name, decoded(values[at]!)])) }]
      : [];
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
