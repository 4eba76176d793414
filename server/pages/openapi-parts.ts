/** Parts of the reference that the page `/docs` and the documentation site share. */
import { html } from '../http/page/html.ts';
import type { Html } from '../http/page/html.ts';
import {
  componentOf,
  listFields,
  isCommon,
  isSuccess,
  describeLimits,
  propertiesOf,
  renderProse,
  resolveComponent,
  renderType,
} from './openapi-reading.ts';
import type { Field, Json, Operation } from './openapi-reading.ts';

export interface ReferenceParts {
  /** `title`: header of the name column. */
  fieldTable(title: string, fields: readonly Field[]): Html;
  /** The fields of a request body: a link to its component, or a table; a stream has only a description. */
  body(schema: Json, openapi: Json): Html;
  /** The details of a named schema. */
  schema(schema: Json, fields: readonly Field[]): Html;
  /** The answers of a call. `describe` renders a description. */
  answers(responses: Operation['responses'], describe: (text: string) => Html): Html;
}

/** `link` renders a link to a component. */
export function createReferenceParts(link: (component: string) => Html): ReferenceParts {
  const fieldTable: ReferenceParts['fieldTable'] = (title, fields) =>
    html`<div class="scroll" tabindex="0">
      <table class="terms">
        <thead>
          <tr>
            <th scope="col">${title}</th>
            <th scope="col">Type</th>
            <th scope="col">Notes</th>
          </tr>
        </thead>
        <tbody>
          ${fields.map(
            ({ name, required, description, schema, place }) =>
              html`<tr>
                <td><code>${name}</code>${required && html` <span class="required">required</span>`}</td>
                <td>${renderType(schema, link)}${place !== undefined && `, in ${place}`}</td>
                <td>${renderProse([description, ...describeLimits(schema, description)].filter(Boolean).join(' '))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;

  return {
    fieldTable,
    body(schema, openapi) {
      // An event is the component of all events with a specific type.
      const [shape = schema] = (schema['allOf'] ?? []) as Json[];
      const name = componentOf(shape);
      const fields = name === undefined ? listFields(schema, openapi) : [];
      if (fields.length > 0) return fieldTable('Body', fields);
      const description = renderProse(String(resolveComponent(shape, openapi)['description'] ?? ''));
      return html`<p>Body: ${name !== undefined && html`${link(name)}. `}${description}</p>`;
    },
    schema(schema, fields) {
      const shapes = (schema['anyOf'] ?? []) as Json[];
      return html`<p>${renderProse(String(schema['description'] ?? ''))}</p>
        ${shapes.length > 0 && html`<p>Shapes: ${shapes.map((shape) => html`${renderType(shape, link)}; `)}</p>`}
        ${fields.length > 0 && fieldTable('Field', fields)}`;
    },
    answers: (responses, describe) =>
      html`<div class="scroll" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Answer</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            ${Object.entries(responses)
              .filter(([, { description }]) => description !== undefined)
              .map(
                ([status, answer]) =>
                  html`<tr>
                    <td><code>${status}</code></td>
                    <td>${describe(answer.description)} ${isSuccess(status) && successParts(answer)}</td>
                  </tr>`,
              )}
          </tbody>
        </table>
      </div>`,
  };

  /** The component in the answer, unwrapped from the envelope, and its specific headers. */
  function successParts({ headers = {}, content = {} }: Operation['responses'][string]): Html {
    const schema = Object.values(content)[0]?.schema ?? {};
    const name = componentOf(propertiesOf(schema)['data'] ?? schema);
    const own = Object.keys(headers).filter((header) => !isCommon(header));
    return html`${name !== undefined && link(name)}
    ${own.length > 0 && html`<br />Headers: ${own.map((header) => html`<code>${header}</code> `)}`}`;
  }
}
