/** The API reference, rendered from the OpenAPI document. */
import type { FastifyInstance } from 'fastify';
import { contract } from '../../src/contract/index.ts';
import { createFixedContent } from '../../src/node/http/fixed-content.ts';
import { findSenderAddress } from '../http/client-address.ts';
import { openapiDocument } from '../http/openapi.ts';
import { getHeader } from '../http/request-call.ts';
import type { RateLimiter } from '../http/plugins/rate-limit.ts';
import { html } from '../http/page/html.ts';
import type { Html } from '../http/page/html.ts';
import { inlineStyle } from '../http/page/inline-style.ts';
import { createReferenceParts } from './openapi-parts.ts';
import {
  listBadges,
  componentsOf,
  listFields,
  headersOf,
  operationsOf,
  renderProse,
  webhooksOf,
} from './openapi-reading.ts';
import type { Json, Operation } from './openapi-reading.ts';
import { style } from '../http/page/style.ts';

/** The style of the reference, added to that of all pages. */
const referenceStyle = `
body{display:grid;grid-template-columns:264px minmax(0,1fr);grid-template-rows:auto 1fr}
header{grid-column:1/3;border-bottom:1px solid var(--line);background:var(--surface)}
nav{padding:16px 12px 40px 20px;border-right:1px solid var(--line);position:sticky;top:0;height:100vh;overflow:auto;font-size:13px}
nav h2{font-size:12px;font-weight:600;color:var(--ink-2);margin:16px 0 4px}
nav a{display:block;padding:4px 8px;border-radius:7px;color:inherit;text-decoration:none}
nav a:hover{background:var(--accent-soft);color:var(--accent-text)}
main{max-width:880px;margin:0;padding:24px 32px 80px}
main>section>h2{font-size:21px;font-weight:640;letter-spacing:-.02em;margin:40px 0 4px}
article{border:1px solid var(--line);border-radius:14px;background:var(--surface);padding:18px 20px;margin-top:16px}
article h3{font-size:15px;font-weight:640;display:flex;flex-wrap:wrap;gap:8px;align-items:baseline}
article p{color:var(--ink-2);margin-top:6px;max-width:70ch}
.method{font:600 12px/1.6 ui-monospace,Menlo,Consolas,monospace;color:var(--accent-text);background:var(--accent-soft);border-radius:5px;padding:0 7px}
.path{font:13px/1.6 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.tags{display:flex;flex-wrap:wrap;gap:6px;margin-top:10px}
.tag,.required{font-size:12px;padding:1px 8px;border-radius:99px;border:1px solid var(--line-strong);color:var(--ink-2)}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;margin-top:12px;font-size:13px}
th{text-align:left;font-weight:530;color:var(--ink-2);padding:4px 12px 4px 0;border-bottom:1px solid var(--line)}
td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word}
td:last-child{min-width:22ch;overflow-wrap:anywhere}
td code{overflow-wrap:normal}
td:last-child code{overflow-wrap:anywhere}
details{margin-top:12px}
summary{cursor:pointer;font-weight:530;font-size:13px;min-height:28px}
pre{margin-top:8px;padding:12px;border-radius:9px;background:var(--sunken);overflow:auto;font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}
@media(max-width:760px){body{display:block}nav{position:static;height:auto;border-right:0;border-bottom:1px solid var(--line)}main{padding:16px}}
`;

export function registerReference(
  app: FastifyInstance,
  { version, rateLimiter }: { readonly version: string; readonly rateLimiter: RateLimiter },
): void {
  const look = inlineStyle(style + referenceStyle);
  const policy = `default-src 'none'; style-src ${look.source}; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;
  const page = createFixedContent(() => draw(openapiDocument(contract, version), version, look.element), {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-cache',
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs',
    async handler(request, reply) {
      await rateLimiter.count(`anonymous ${findSenderAddress(request)}`, reply);
      const { status, headers, body } = await page((name) => getHeader(request, name));
      return reply
        .code(status)
        .headers(headers)
        .send(body ?? undefined);
    },
  });
}

function draw(openapi: Json, version: string, look: Html): string {
  const operations = operationsOf(openapi);
  const tags = openapi['tags'] as readonly { name: string; description: string }[];
  const of = (tag: string) => operations.filter((operation) => operation.tags.includes(tag));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <title>API reference · Laudio</title>
        ${look}
      </head>
      <body>
        <header><span class="mark">Laudio</span><span>API reference, version ${version}</span></header>
        <nav aria-label="Calls">
          ${tags.map(
            ({ name }) =>
              html`<h2>${name}</h2>
                ${of(name).map(({ operationId, summary }) => html`<a href="#${operationId}">${summary}</a>`)}`,
          )}
          <h2>Events for webhooks</h2>
          ${webhooksOf(openapi).map(({ operationId, path }) => html`<a href="#${operationId}">${path}</a>`)}
          <h2>Schemas</h2>
          ${Object.keys(componentsOf(openapi)).map((name) => html`<a href="#${anchorOf(name)}">${name}</a>`)}
        </nav>
        <main>
          <h1>Laudio API</h1>
          <p class="lead">
            ${renderProse(String((openapi['info'] as Json)['description']))} The same as
            <a href="/openapi.json">OpenAPI 3.1</a>.
          </p>
          ${tags.map(
            ({ name, description }) =>
              html`<section>
                <h2>${name}</h2>
                <p class="lead">${renderProse(description)}</p>
                ${of(name).map((operation) => article(operation, openapi))}
              </section>`,
          )}
          <section>
            <h2>Headers of answers</h2>
            <p class="lead">
              Every answer has the first two; answers to calls with an access token also have those of the rate limit.
            </p>
            ${parts.fieldTable('Header', headersOf(openapi))}
          </section>
          <section>
            <h2>Events for webhooks</h2>
            <p class="lead">Signed requests that the service sends to webhooks of partner applications.</p>
            ${webhooksOf(openapi).map((operation) => article(operation, openapi))}
          </section>
          <section>
            <h2>Schemas</h2>
            <p class="lead">The objects that calls take and return.</p>
            ${Object.entries(componentsOf(openapi)).map(([name, schema]) => schemaArticle(name, schema, openapi))}
          </section>
        </main>
      </body>
    </html> `.html;
}

function article(operation: Operation, openapi: Json): Html {
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json'] ?? Object.values(content)[0];
  return html`<article id="${operation.operationId}">
    <h3><span class="method">${operation.method}</span><span class="path">${operation.path}</span></h3>
    <p>${operation.summary}.${operation.description !== undefined && html` ${renderProse(operation.description)}`}</p>
    <div class="tags">${listBadges(operation).map((badge) => html`<span class="tag">${badge}</span>`)}</div>
    ${
      operation.parameters !== undefined &&
      parts.fieldTable(
        'Parameters',
        operation.parameters.map((parameter) => ({ ...parameter, place: parameter.in })),
      )
    }
    ${json !== undefined && parts.body(json.schema, openapi)}
    ${Object.entries(json?.examples ?? {}).map(
      ([name, { value }]) =>
        html`<details>
          <summary>Example: ${name.replaceAll('_', ' ')}</summary>
          <pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>
        </details>`,
    )}
    ${parts.answers(operation.responses, renderProse)}
  </article>`;
}

const anchorOf = (component: string): string => `schema.${component}`;

const componentLink = (name: string): Html => html`<a href="#${anchorOf(name)}">${name}</a>`;

const parts = createReferenceParts(componentLink);

function schemaArticle(name: string, schema: Json, openapi: Json): Html {
  return html`<article id="${anchorOf(name)}">
    <h3>${name}</h3>
    ${parts.schema(schema, listFields(schema, openapi))}
  </article>`;
}
