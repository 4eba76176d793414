/** The pages of the API, from the OpenAPI document that a server gives. */
import { html } from '../../server/http/page/html.ts';
import type { Html } from '../../server/http/page/html.ts';
import { createReferenceParts } from '../../server/pages/openapi-parts.ts';
import {
  listBadges,
  componentsOf,
  listFields,
  headersOf,
  isSuccess,
  operationsOf,
  renderProse,
  webhooksOf,
} from '../../server/pages/openapi-reading.ts';
import type { Json, Operation } from '../../server/pages/openapi-reading.ts';
import { detailCodeMeanings, errors } from '../../src/contract/errors.ts';
import type { Heading } from './pages.ts';
import { codeBlock } from './highlight.ts';
import { headingHtml, nameOfAnchor } from './site.ts';
import type { SitePage } from './site.ts';

type Example = Readonly<Record<string, { readonly value: unknown }>>;
type Content = Readonly<Record<string, { readonly schema?: Json; readonly examples?: Example }>>;

export function apiPages(openapi: Json): SitePage[] {
  const tags = openapi['tags'] as readonly { name: string; description: string }[];
  const operations = operationsOf(openapi);
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    url: `api/${nameOfAnchor(name)}.html`,
    operations: operations.filter(({ tags: [tag] }) => tag === name),
  }));
  return [
    overview(openapi, groups),
    ...groups.map((group) => groupPage(group, openapi)),
    groupPage(
      {
        name: 'Events for webhooks',
        description: 'What the service sends to the webhook of a partner application, signed as in Standard Webhooks.',
        url: 'api/events.html',
        operations: webhooksOf(openapi),
      },
      openapi,
    ),
    schemaPage(openapi),
    errorPage(),
  ];
}

interface Group {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly operations: readonly Operation[];
}

const headingOf = (operation: Operation): Heading => ({
  level: 2,
  text: operation.summary,
  anchor: nameOfAnchor(operation.operationId),
});

const h2 = (text: string): Heading => ({ level: 2, text, anchor: nameOfAnchor(text) });

/** All pages of the API lie in one folder. */
const fileOf = (url: string): string => url.replace(/^api\//, '');

function overview(openapi: Json, groups: readonly Group[]): SitePage {
  const url = 'api/index.html';
  const { description, version } = openapi['info'] as { description: string; version: string };
  const headers = h2('Headers of answers');
  const headings = [...groups.map(({ name }) => h2(name)), headers];
  return {
    url,
    title: 'API reference',
    short: 'All calls',
    section: 'API',
    body: html`<h1>API reference</h1>
      <p class="lead">
        ${renderProse(description)} This is version ${version}; a running server has the same at <code>/docs</code>, and
        <a href="../openapi.json">OpenAPI 3.1</a> for programs.
      </p>
      <p>
        How to log in and call is in the <a href="../guide-developer.html#oauth-step-by-step">guide for developers</a>.
        <code>laudio api METHOD PATH</code> makes any call with your login.
      </p>
      ${groups.map(
        (group) =>
          html`${headingHtml(h2(group.name))}
            <dl class="listed calls">${group.operations.map((operation) => listed(operation, group.url))}</dl>`,
      )}
      ${headingHtml(headers)}
      <p>Every answer has the first two, and every answer to an access token those of the limit.</p>
      ${parts.fieldTable('Header', headersOf(openapi))}`,
    headings,
    found: [
      {
        url: `${url}#${headers.anchor}`,
        page: 'API',
        heading: headers.text,
        text: headersOf(openapi)
          .map((header) => `${header.name} ${header.description ?? ''}`)
          .join(' '),
      },
    ],
  };
}

const listed = (operation: Operation, url: string): Html =>
  html`<div>
    <dt>
      <span class="method">${operation.method}</span>
      <a href="${fileOf(url)}#${headingOf(operation).anchor}"><code>${operation.path}</code></a>
    </dt>
    <dd>${operation.summary}</dd>
  </div>`;

function groupPage({ name, description, url, operations }: Group, openapi: Json): SitePage {
  return {
    url,
    title: name,
    section: 'API',
    body: html`<h1>${name}</h1>
      <p class="lead">${renderProse(description)}</p>
      ${operations.map((operation) => article(operation, openapi))}`,
    headings: operations.map(headingOf),
    found: operations.map((operation) => ({
      url: `${url}#${headingOf(operation).anchor}`,
      page: `API, ${name}`,
      heading: operation.summary,
      text: [
        `${operation.method} ${operation.path}.`,
        operation.description,
        ...(operation.parameters ?? []).map((parameter) => `${parameter.name} ${parameter.description ?? ''}`),
      ]
        .join(' ')
        .replaceAll('`', ''),
    })),
  };
}

function article(operation: Operation, openapi: Json): Html {
  const content: Content = operation.requestBody?.content ?? {};
  const json = content['application/json'] ?? Object.values(content)[0];
  return html`<section class="operation">
    ${headingHtml(headingOf(operation))}
    <p class="call"><span class="method">${operation.method}</span> <code>${operation.path}</code></p>
    <p class="badges">${listBadges(operation).map((badge) => html`<span>${badge}</span> `)}</p>
    ${operation.description !== undefined && html`<p>${renderProse(operation.description)}</p>`}
    ${
      operation.parameters !== undefined &&
      parts.fieldTable(
        'Parameter',
        operation.parameters.map((parameter) => ({ ...parameter, place: parameter.in })),
      )
    }
    ${json?.schema !== undefined && parts.body(json.schema, openapi)} ${examples('Request', json?.examples)}
    ${parts.answers(operation.responses, withErrorLinks)}
    ${Object.entries(operation.responses)
      .filter(([status]) => isSuccess(status))
      .flatMap(([status, answer]) =>
        examples(`Answer ${status}`, (answer.content as Content | undefined)?.['application/json']?.examples),
      )}
  </section>`;
}

/** Codes of errors lead to what they mean. */
const withErrorLinks = (text: string): Html =>
  html`${text
    .split(/\b([A-Z][A-Z_]{5,})\b/)
    .map((part) =>
      part in errors ? html`<a href="errors.html#${nameOfAnchor(part)}"><code>${part}</code></a>` : renderProse(part),
    )}`;

const examples = (of: string, shown: Example | undefined): Html[] =>
  Object.entries(shown ?? {}).map(
    ([name, { value }]) =>
      html`<details>
        <summary>${of}, for example: ${name.replaceAll('_', ' ')}</summary>
        ${codeBlock(JSON.stringify(value, null, 2), 'json')}
      </details>`,
  );

const componentLink = (name: string): Html => html`<a href="schemas.html#${nameOfAnchor(name)}">${name}</a>`;

const parts = createReferenceParts(componentLink);

function schemaPage(openapi: Json): SitePage {
  const url = 'api/schemas.html';
  const components = Object.entries(componentsOf(openapi)).map(([name, schema]) => ({
    name,
    schema,
    heading: h2(name),
    fields: listFields(schema, openapi),
  }));
  return {
    url,
    title: 'Schemas',
    section: 'API',
    body: html`<h1>Schemas</h1>
      <p class="lead">The objects that calls take and return.</p>
      ${components.map(
        ({ schema, heading, fields }) =>
          html`<section>${headingHtml(heading)} ${parts.schema(schema, fields)}</section>`,
      )}`,
    headings: components.map(({ heading }) => heading),
    found: components.map(({ name, schema, heading, fields }) => ({
      url: `${url}#${heading.anchor}`,
      page: 'API, schemas',
      heading: name,
      text: [String(schema['description'] ?? ''), ...fields.map((field) => `${field.name} ${field.description ?? ''}`)]
        .join(' ')
        .replaceAll('`', ''),
    })),
  };
}

function errorPage(): SitePage {
  const url = 'api/errors.html';
  const service = h2('Errors of the service');
  const fields = h2('Codes of fields and items');
  const client = h2('Errors that only the command line has');
  const rows = Object.entries(errors);
  /** A code of a field may be that of an error as well. */
  const fieldAnchor = (code: string): string => `field.${nameOfAnchor(code)}`;
  const tableOf = (
    head: readonly string[],
    cells: readonly (readonly [string, ...(string | number)[]])[],
    anchorOf: (code: string) => string = nameOfAnchor,
  ): Html =>
    html`<div class="scroll" tabindex="0">
      <table class="terms">
        <thead>
          <tr>
            ${head.map((word) => html`<th scope="col">${word}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${cells.map(
            ([code, ...others]) =>
              html`<tr id="${anchorOf(code)}">
                <td><code>${code}</code></td>
                ${others.map((other) => html`<td>${other}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  return {
    url,
    title: 'Errors',
    section: 'API',
    body: html`<h1>Errors</h1>
      <p class="lead">
        Decide by the code, show the message, follow the hint, and quote the request id. The form is in the
        <a href="../guide-developer.html#errors">guide for developers</a>.
      </p>
      ${headingHtml(service)}
      ${tableOf(
        ['code', 'status', 'exit code', 'meaning'],
        rows.flatMap(([code, { status, exit, title }]) =>
          status === null ? [] : [[code, status, exit, title] as const],
        ),
      )}
      ${headingHtml(fields)}
      ${tableOf(
        ['code', 'meaning'],
        Object.entries(detailCodeMeanings).map(([code, meaning]) => [code, meaning] as const),
        fieldAnchor,
      )}
      ${headingHtml(client)}
      ${tableOf(
        ['code', 'exit code', 'meaning'],
        rows.flatMap(([code, { status, exit, title }]) => (status === null ? [[code, exit, title] as const] : [])),
      )}`,
    headings: [service, fields, client],
    found: [
      ...rows.map(([code, { title }]) => ({ code, title, anchor: nameOfAnchor(code) })),
      ...Object.entries(detailCodeMeanings).map(([code, title]) => ({ code, title, anchor: fieldAnchor(code) })),
    ].map(({ code, title, anchor }) => ({ url: `${url}#${anchor}`, page: 'API, errors', heading: code, text: title })),
  };
}
