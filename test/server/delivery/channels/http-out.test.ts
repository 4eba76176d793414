import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { startHttpServer } from '../../../support/http-server.ts';
import type { Asked, Reply } from '../../../support/http-server.ts';
import { createOutbox } from '../../../support/outbox.ts';
import { channelOutSuite } from '../../../suites/channel-out.suite.ts';
import type { OutPeer } from '../../../suites/channel-out.suite.ts';

interface Resource {
  resourceType: string;
  id?: string;
  status: string;
  identifier: { system?: string; value: string }[];
  entry: { resource: Resource; request: { method: string; url: string } }[];
}

const letters: Readonly<Record<string, string>> = { preliminary: 'P', final: 'F', appended: 'C' };
const told = ({ identifier, status }: Resource): string => `${identifier[1]?.value} ${letters[status]}`;
const said = 'TESTE SILVA';
const troubles: Readonly<Record<string, Reply>> = {
  full: { status: 503, headers: { 'retry-after': '3' }, body: said },
  silent: { status: 500, body: said },
  gone: { cut: true },
  refusing: { status: 422, body: said },
};

/** A server that takes what `take` takes, unless told otherwise. */
async function server(take: (asked: Asked) => Reply): Promise<{ url: string; asked: Asked[]; be: OutPeer['be'] }> {
  let mode = 'well';
  const { url, asked, close } = await startHttpServer((each) => (mode === 'well' ? take(each) : troubles[mode]!));
  onTestFinished(close);
  return { url, asked, be: (next) => void (mode = next) };
}

const expected = { troubles: ['full', 'silent', 'gone'], refuses: true } as const;

describe('http-out', () => {
  channelOutSuite({
    kind: 'http-out',
    ...expected,
    async peer() {
      const received: string[] = [];
      const { url, be } = await server(({ method, body }) => {
        if (method === 'POST') received.push(told(JSON.parse(body)));
        return { status: 204 };
      });
      return { settings: { url: `${url}/in` }, received: () => received, be };
    },
  });

  test('sends the ids, the token and the name of the message; follows no redirect', async () => {
    const outbox = createOutbox();
    const { url, asked } = await server(({ path }) =>
      path.endsWith('/2')
        ? { status: 307, headers: { location: '/elsewhere' } }
        : { status: path.endsWith('/3') ? 501 : 201 },
    );
    const settings = { url: `${url}/r/{record_id}/{version}`, method: 'PUT', format: 'pdf', token: 'secret' };
    await outbox.attach(await outbox.channel('http-out', settings));
    await outbox.document('A B', 'P');
    await outbox.document('A B', 'F');
    await eventually(async () =>
      expect((await outbox.messages())[1]).toMatchObject({ state: 'refused', error: { code: 'HTTP_307' } }),
    );
    const [first, second] = await outbox.messages();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /r/rec_A%20B/1', 'PUT /r/rec_A%20B/2']);
    expect(asked[0]!.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/pdf',
      'idempotency-key': first!.id,
      'laudio-record-version': '1',
      'laudio-accession-number': 'A%20B',
    });
    expect(asked[0]!.body.slice(0, 5)).toBe('%PDF-');
    expect(JSON.stringify([first, second, outbox.log])).not.toContain('secret');
    await outbox.document('A B', 'F');
    await eventually(async () =>
      expect((await outbox.messages())[2]).toMatchObject({ state: 'refused', error: { code: 'HTTP_501' } }),
    );
  });
});

describe.each(['single', 'transaction'] as const)('fhir-out, %s', (mode) => {
  channelOutSuite({
    kind: 'fhir-out',
    ...expected,
    async peer() {
      const received: string[] = [];
      const stored = new Map<string, Resource>();
      /** A conditional update of a report, or an update of a Binary. */
      const put = (url: string, resource: Resource): void => {
        const [path, query] = url.split('?');
        if (path === 'Binary/rec-A' || path === 'Binary/rec-B') return;
        const [own] = resource.identifier;
        expect(path).toBe('DiagnosticReport');
        expect(new URLSearchParams(query).get('identifier')).toBe(`${own?.system}|${own?.value}`);
        expect(resource.id).toBeUndefined();
        stored.set(own!.value, resource);
        expect(stored.size).toBeLessThanOrEqual(2);
        received.push(told(resource));
      };
      const { url, be } = await server(({ path, method, query, headers, body }) => {
        if (path.endsWith('/metadata')) return { body: { resourceType: 'CapabilityStatement' } };
        expect(headers['authorization']).toBe('Bearer secret');
        const resource = JSON.parse(body) as Resource;
        if (mode === 'single') {
          expect(method).toBe('PUT');
          put(`${path.replace('/fhir/', '')}?${query}`, resource);
        } else {
          expect([path, method]).toEqual(['/fhir/', 'POST']);
          for (const each of resource.entry) put(each.request.url, each.resource);
        }
        return { status: 200, body: { resourceType: 'OperationOutcome' } };
      });
      return { settings: { base_url: `${url}/fhir`, token: 'secret', mode }, received: () => received, be };
    },
  });
});
