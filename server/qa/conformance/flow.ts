/** Shared parts of the flows of a check. */
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { endpoints } from '../../../src/contract/index.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import type { Probe, Observation } from './probe.ts';

export interface FlowContext {
  readonly probe: Probe;
  /** Whether the check covers the endpoint. */
  readonly has: (endpoint: Endpoint) => boolean;
  /** Generates a UUID. */
  readonly uuid: () => string;
  /** Registers a removal; all run at the end, in reverse order. */
  readonly cleanUp: (undo: () => Promise<unknown>) => void;
  /** Reports data that the API cannot remove. */
  readonly leave: (what: string) => void;
}

export interface Flow {
  readonly name: string;
  /** Whether the flow creates or changes data. */
  readonly writes: boolean;
  run(context: FlowContext): Promise<void>;
}

/** Endpoints that require an access token. */
export const bearers = endpoints.filter(({ access }) => access === 'bearer');

export const hasParams = ({ path }: Endpoint): boolean => path.includes('{');

/** A minimal value for a parameter. */
const pickValue = (schema: JsonSchema): unknown =>
  schema.enum?.[0] ?? (schema.type === 'integer' ? 1 : 'check_unknown_0');

/** Parameters of a resource that does not exist, and the required query. */
export const fillMissing = ({ params, query }: Endpoint) => ({
  params: pickValues(params?.properties),
  query: pickValues(query?.properties, query?.required ?? []),
});

function pickValues(properties: JsonSchema['properties'] = {}, names: readonly string[] = Object.keys(properties)) {
  const chosen = Object.entries(properties).filter(([name]) => names.includes(name));
  return Object.fromEntries(chosen.map(([name, schema]) => [name, pickValue(schema)]));
}

export const itemsOf = ({ data }: Observation): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(data['items']) ? (data['items'] as Readonly<Record<string, unknown>>[]) : [];

export const readProblems = ({ body }: Observation): readonly { field?: string; code?: string }[] => {
  const { error } = Object(body) as { error?: { details?: { errors?: unknown } } };
  const list = error?.details?.errors;
  return Array.isArray(list) ? (list as { field?: string; code?: string }[]) : [];
};

/** Reads a resource by its id, with GET and HEAD. */
export async function readOne(probe: Probe, endpoint: Endpoint, id: string): Promise<void> {
  const seen = await probe.ask(endpoint, { params: { id } }, { status: 200 });
  probe.expect(seen.data['id'] === id, seen, 'the id that was asked for', 'another id', '4.3');
  const head = await probe.ask(endpoint, { params: { id }, method: 'HEAD' }, { status: [200, 405] });
  if (head.status === 200)
    probe.expect(head.headers['etag'] === seen.headers['etag'], head, 'the ETag of GET', 'another', 'RFC 9110 9.3.2');
}
