/** A small FHIR server: searches by `_lastUpdated` in pages, with includes, reads, and gives tokens for assertions. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import type { CryptoKey, KeyObject } from 'jose';
import { onTestFinished } from 'vitest';

export type Resource = Record<string, unknown> & { resourceType: string; id: string };

export interface FhirServer {
  readonly url: string;
  /** Addresses that were asked for, the token's included. */
  readonly asked: string[];
  /** What others stored there. */
  readonly written: unknown[];
  /** Resources that it had, as others changed them. */
  readonly changed: Resource[];
  /** Stores a resource as a new version, changed at that time (default: the server's present time). */
  put(resource: Resource, at?: number): void;
  /** Time of the server, in ms since 1970. */
  now: number;
  /** Answers the next request, instead of the server; `undefined`: the server does. */
  intervene: (url: URL) => { status: number; headers?: Record<string, string>; body?: unknown } | undefined;
}

/** `key`: whoever asks for a token has to prove that they have its private half; absent: nobody needs a token. */
export async function startFhirServer({ key, pageSize = 2 }: { key?: CryptoKey | KeyObject; pageSize?: number } = {}) {
  const stored = new Map<string, { resource: Resource; at: number }>();
  let tokens = 0;
  let subscriptions = 0;
  const server: FhirServer = {
    url: '',
    asked: [],
    written: [],
    changed: [],
    now: Date.parse('2026-03-02T11:30:00Z'),
    put(resource, at = server.now) {
      const name = `${resource.resourceType}/${resource.id}`;
      const versionId = String(
        Number((stored.get(name)?.resource['meta'] as { versionId?: string })?.versionId ?? 0) + 1,
      );
      stored.set(name, { resource: { ...resource, meta: { versionId, lastUpdated: new Date(at).toISOString() } }, at });
    },
    intervene: () => undefined,
  };

  const search = (url: URL, type: string) => {
    const from = Date.parse(url.searchParams.get('_lastUpdated')?.slice(2) ?? '1970-01-01');
    const focus = url.searchParams.get('focus');
    const isFound = ({ resourceType, focus: about }: Resource): boolean =>
      resourceType === type && (focus === null || (about as { reference?: string } | undefined)?.reference === focus);
    const offset = Number(url.searchParams.get('_offset') ?? 0);
    const found = [...stored.values()].filter(({ resource, at }) => isFound(resource) && at >= from);
    const page = found.slice(offset, offset + pageSize).map(({ resource }) => resource);
    const next = new URL(url);
    next.searchParams.set('_offset', String(offset + pageSize));
    const included = new Set(
      url.searchParams.getAll('_include').flatMap((each) => {
        const field = each.split(':')[1]!;
        return page.map((resource) => (resource[field] as { reference?: string } | undefined)?.reference ?? '');
      }),
    );
    return {
      resourceType: 'Bundle',
      type: 'searchset',
      link: found.length > offset + pageSize ? [{ relation: 'next', url: next.href }] : [],
      entry: [
        ...page.map((resource) => ({ resource, search: { mode: 'match' } })),
        ...[...included].flatMap((name) => {
          const other = stored.get(name);
          return other ? [{ resource: other.resource, search: { mode: 'include' } }] : [];
        }),
      ],
    };
  };

  async function token(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const form = new URLSearchParams(await text(request));
    const assertion = form.get('client_assertion') ?? '';
    try {
      const expected = { issuer: 'laudio', subject: 'laudio', audience: `${server.url}/token` };
      await jwtVerify(assertion, key!, { ...expected, currentDate: new Date(server.now), clockTolerance: 86_400 });
      if (decodeProtectedHeader(assertion).kid !== 'k1') throw new Error('another key');
    } catch {
      return { status: 400, body: { error: 'invalid_client' } };
    }
    return { status: 200, body: { access_token: `token-${++tokens}`, token_type: 'bearer', expires_in: 300 } };
  }

  async function answer(
    request: IncomingMessage,
  ): Promise<{ status: number; headers?: Record<string, string>; body?: unknown }> {
    const url = new URL(request.url!, server.url);
    server.asked.push(url.pathname + url.search);
    if (url.pathname === '/token') return token(request);
    const intervened = server.intervene(url);
    if (intervened) return intervened;
    if (key && request.headers.authorization !== `Bearer token-${tokens}`) return { status: 401 };
    if (request.method !== 'GET') {
      const resource = JSON.parse(await text(request)) as Resource;
      if (resource.resourceType === 'Subscription') {
        const id = resource.id ?? `sub-${++subscriptions}`;
        server.put({ ...resource, id });
        server.written.push({ ...resource, id });
        return {
          status: request.method === 'POST' ? 201 : 200,
          headers: { location: `${server.url}/fhir/Subscription/${id}` },
        };
      }
      const known = stored.get(url.pathname.replace('/fhir/', ''));
      if (known) {
        const { versionId } = known.resource['meta'] as { versionId: string };
        if (request.headers['if-match'] !== `W/"${versionId}"`) return { status: 412 };
        server.put(resource);
        server.changed.push(resource);
      } else server.written.push(resource);
      return { status: 200 };
    }
    const [type = '', id] = url.pathname.replace('/fhir/', '').split('/');
    if (type === 'metadata') return { status: 200, body: { resourceType: 'CapabilityStatement' } };
    if (id === undefined) return { status: 200, body: search(url, type) };
    const found = stored.get(`${type}/${id}`);
    return found ? { status: 200, body: found.resource } : { status: 404 };
  }

  const listening = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request).then(({ status, headers = {}, body = { resourceType: 'OperationOutcome' } }) => {
      response.writeHead(status, {
        'content-type': 'application/fhir+json',
        date: new Date(server.now).toUTCString(),
        ...headers,
      });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  Object.assign(server, { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` });
  return server;
}
