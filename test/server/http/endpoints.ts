/** Every endpoint of the contract, for tests that walk the table. */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/index.ts';

/** What vitest shows as `$name`. */
export interface NamedEndpoint {
  readonly name: string;
  readonly endpoint: Endpoint;
}

export const everyEndpoint: readonly NamedEndpoint[] = endpoints.map((endpoint) => ({
  name: `${endpoint.method} ${endpoint.path}`,
  endpoint,
}));

/** Not those whose body the handler reads as a stream, of any length. */
export const takesJson = ({ bodyTypes = ['application/json'] }: Endpoint): boolean =>
  bodyTypes.includes('application/json');

/** Well-formed, and of nothing that exists. */
export const someParams = ({ params }: Endpoint): Record<string, string | number> =>
  Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, name === 'n' ? 1 : 'some_id']));
