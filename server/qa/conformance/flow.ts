/** What the flows of a check have in common. */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import type { Probe, Seen } from './probe.ts';

export interface FlowContext {
  readonly probe: Probe;
  /** Whether the service has the endpoint, as far as the check goes. */
  readonly has: (endpoint: Endpoint) => boolean;
  /** A fresh UUID. */
  readonly uuid: () => string;
  /** Removes what was made; called at the end, the last first. */
  readonly cleanUp: (undo: () => Promise<unknown>) => void;
  /** What cannot be removed by a call of the API. */
  readonly leave: (what: string) => void;
}

export interface Flow {
  readonly name: string;
  /** Whether the flow makes or changes anything. */
  readonly writes: boolean;
  run(context: FlowContext): Promise<void>;
}

/** The endpoints that take an access token. */
export const bearers = endpoints.filter(({ access }) => access === 'bearer');

export const hasParams = ({ path }: Endpoint): boolean => path.includes('{');

/** The least that the schema of a parameter takes. */
const leastOf = (schema: JsonSchema): unknown =>
  schema.enum?.[0] ?? (schema.type === 'integer' ? 1 : 'check_unknown_0');

/** Parameters that name nothing, and what a query needs. */
export const nowhere = ({ params, query }: Endpoint) => ({
  params: Object.fromEntries(Object.entries(params?.properties ?? {}).map(([name, schema]) => [name, leastOf(schema)])),
  query: Object.fromEntries((query?.required ?? []).map((name) => [name, leastOf(query!.properties![name]!)])),
});

export const itemsOf = ({ data }: Seen): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data['items']) ? (data['items'] as Readonly<Record<string, unknown>>[]) : [];

export const problemsOf = ({ body }: Seen): readonly { field?: string; code?: string }[] => {
  const { error } = Object(body) as { error?: { details?: { errors?: unknown } } };
  const list = error?.details?.errors;
  return Array.isArray(list) ? (list as { field?: string; code?: string }[]) : [];
};

/** A document by its id, and what HEAD says of it. */
export async function readOne(probe: Probe, endpoint: Endpoint, id: string): Promise<void> {
  const seen = await probe.ask(endpoint, { params: { id } }, { status: 200 });
  probe.expect(seen.data['id'] === id, seen, 'the id that was asked for', 'another id', '4.3');
  const head = await probe.ask(endpoint, { params: { id }, method: 'HEAD' }, { status: [200, 405] });
  if (head.status === 200)
    probe.expect(head.headers['etag'] === seen.headers['etag'], head, 'the ETag of GET', 'another', 'RFC 9110 9.3.2');
}
