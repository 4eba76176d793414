/** Requests to a FHIR server. Errors name the server, and contain no patient data. */
import type { IncomingAnswer } from '../../../../../src/client/transport.ts';
import { AppError } from '../../../../../src/contract/errors.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import { createWebClient, refuse } from '../web/client.ts';
import type { WebServiceSettings } from '../web/settings.ts';

/** Maximum size of an answer in bytes. */
const maxBytes = 32 * 1024 * 1024;

export type Resource = Readonly<Record<string, unknown>>;

export interface FhirAnswer {
  readonly resource: Resource;
  /** Time of the server, in ms since 1970; `undefined`: it sent none. */
  readonly at: number | undefined;
}

export interface WriteAnswer {
  readonly status: number;
  /** The `Retry-After` header. */
  readonly wait: string | undefined;
  /** Id of the resource, which a server names by `Location` or in its answer. */
  readonly id: string | undefined;
}

export interface AskOptions {
  readonly prefer?: string;
}

export interface FhirClient {
  /** URL of a resource or a search, such as `ServiceRequest?…`. */
  urlOf(path: string): URL;
  /** `undefined`: there is no such resource. Rejects with NETWORK or RATE_LIMIT_EXCEEDED. */
  get(url: URL, signal: AbortSignal): Promise<FhirAnswer | undefined>;
  /** Rejects with NETWORK if there is no answer. `match`: the entity tag of the only version that is changed. */
  write(method: 'POST' | 'PUT', url: URL, resource: object, signal: AbortSignal, match?: string): Promise<WriteAnswer>;
  /** The answer, whatever its status. Rejects with NETWORK if there is none. */
  ask(method: 'GET' | 'DELETE', url: URL, signal: AbortSignal, options?: AskOptions): Promise<IncomingAnswer>;
  /** The bytes of an NDJSON file while they arrive. Rejects with NETWORK or RATE_LIMIT_EXCEEDED. */
  download(url: URL, needsToken: boolean, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

/** Rejects with CONFIGURATION if the settings contradict each other. Calls only the server and `token_url`. */
export async function createFhirClient(settings: WebServiceSettings, now: () => number): Promise<FhirClient> {
  const web = await createWebClient({ ...settings, scope: settings.scope ?? 'system/*.read' }, now);
  const accept = 'application/fhir+json';
  return {
    urlOf: (path) => web.urlOf(path),
    async get(url, signal) {
      const answer = await web.ask(url, { method: 'GET', accept }, signal);
      const text = await answer.text(maxBytes);
      if (answer.status === 404 || answer.status === 410) return undefined;
      if (answer.status !== 200) throw refuse(url, answer.status, answer.headers['retry-after'], now());
      return { resource: parseResource(text, url), at: Date.parse(answer.headers['date'] ?? '') || undefined };
    },
    async write(method, url, resource, signal, match) {
      const request = { method, accept, contentType: accept, body: JSON.stringify(resource), match };
      const answer = await web.ask(url, request, signal);
      const text = await answer.text(maxBytes);
      return {
        status: answer.status,
        wait: answer.headers['retry-after'],
        id: readId(answer.headers['location'], text),
      };
    },
    ask: (method, url, signal, { prefer } = {}) => web.ask(url, { method, accept, prefer }, signal),
    async download(url, needsToken, signal) {
      const answer = await web.askFile(url, { accept: 'application/fhir+ndjson', needsToken }, signal);
      if (answer.status === 200) return answer.body;
      await answer.text(maxBytes);
      throw refuse(url, answer.status, answer.headers['retry-after'], now());
    },
    close: () => web.close(),
  };
}

function readId(location: string | undefined, text: string): string | undefined {
  const named = /\/([A-Za-z0-9.-]{1,64})(?:\/_history\/[^/]+)?$/.exec(location ?? '')?.[1];
  if (named !== undefined) return named;
  const id = parseObject(text)?.['id'];
  return typeof id === 'string' ? id : undefined;
}

/** `undefined`: the text is not a JSON object. */
export function parseObject(text: string): Resource | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function parseResource(text: string, { origin }: URL): Resource {
  const value = parseObject(text);
  if (typeof value?.['resourceType'] === 'string') return value;
  // Without its content.
  throw new AppError('BAD_ANSWER', { message: `${origin} does not answer with FHIR resources.` });
}
