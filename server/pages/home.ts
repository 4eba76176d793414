/** The home page: describes the server and shows newcomers the next step. */
import type { FastifyInstance } from 'fastify';
import { html } from '../http/page/html.ts';
import { pageOutput } from '../http/page/layout.ts';
import { sendPage } from '../http/page/send-page.ts';

export interface HomeFacts {
  readonly version: string;
  readonly testClient: { readonly client_id: string; readonly client_secret: string } | undefined;
}

const operatorLinks = [
  ['/portal', 'Portal', 'Partner applications and webhooks, for the operator of this server'],
  ['/inspector', 'Inspector', 'The calls that reached this server'],
] as const;

const links = [
  ['/docs', 'API reference', 'Every call, its fields and its errors'],
  ['/openapi.json', 'OpenAPI 3.1 document', 'For generators and tools'],
  ['/.well-known/oauth-authorization-server', 'Authorization server metadata', 'RFC 8414'],
  ['/healthz', 'Health', 'For monitors'],
] as const;

export function registerHome(app: FastifyInstance, { version, testClient }: HomeFacts): void {
  const draw = () =>
    html` <h1>Laudio</h1>
      <p class="lead">Medical transcription and worklist service, version ${version}.</p>
      ${
        testClient !== undefined &&
        html`<div class="detail">
          Test client, for test patients only <code>${testClient.client_id}</code
          ><code>${testClient.client_secret}</code>
        </div>`
      }
      <nav class="links" aria-label="More">
        ${[...operatorLinks.filter(([url]) => app.hasRoute({ method: 'GET', url })), ...links].map(
          ([href, title, summary]) => html`<a href="${href}"><strong>${title}</strong><span>${summary}</span></a>`,
        )}
      </nav>
      <p class="small">
        In a terminal: <code>laudio login</code>, then <code>laudio worklist ingest samples/worklist.json</code> and
        <code>laudio worklist list</code>.
      </p>`;
  app.get('/', (_request, reply) => sendPage(reply, pageOutput({ language: 'en', title: 'Home', content: draw() })));
}
