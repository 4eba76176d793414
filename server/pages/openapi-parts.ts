/** Parts of the reference that look alike on the page `/docs` and on the site of the documentation. */
import { html } from '../http/page/html.ts';
import type { Html } from '../http/page/html.ts';
import {
  componentOf,
  fieldsOf,
  isCommon,
  isSuccess,
  limitsOf,
  propertiesOf,
  prose,
  resolved,
  typeOf,
} from './openapi-reading.ts';
import type { Field, Json, Operation } from './openapi-reading.ts';

export interface ReferenceParts {
  /** `title`: of the column with the names. */
  fieldTable(title: string, fields: readonly Field[]): Html;
  /** The fields of a request body: its component says them, or else a table; a stream has a description alone. */
  body(schema: Json, openapi: Json): Html;
  /** Whatever there is to tell of a schema with a name, below that. */
  schema(schema: Json, fields: readonly Field[]): Html;
  /** The answers of a call. `describe` draws what the document says of one. */
  answers(responses: Operation['responses'], describe: (text: string) => Html): Html;
}

/** `link` leads to a component. */
export function referenceParts(link: (component: string) => Html): ReferenceParts {
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
                <td>${typeOf(schema, link)}${place !== undefined && `, in ${place}`}</td>
                <td>${prose([description, ...limitsOf(schema, description)].filter(Boolean).join(' '))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;

  return {
    fieldTable,
    body(schema, openapi) {
      // An event is the component of all events, with a type of its own.
      const [shape = schema] = (schema['allOf'] ?? []) as Json[];
      const name = componentOf(shape);
      const fields = name === undefined ? fieldsOf(schema, openapi) : [];
      if (fields.length > 0) return fieldTable('Body', fields);
      const description = prose(String(resolved(shape, openapi)['description'] ?? ''));
      return html`<p>Body: ${name !== undefined && html`${link(name)}. `}${description}</p>`;
    },
    schema(schema, fields) {
      const shapes = (schema['anyOf'] ?? []) as Json[];
      return html`<p>${prose(String(schema['description'] ?? ''))}</p>
        ${shapes.length > 0 && html`<p>Shapes: ${shapes.map((shape) => html`${typeOf(shape, link)}; `)}</p>`}
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

  /** The component that the answer holds, within the envelope where there is one, and the headers that are its own. */
  function successParts({ headers = {}, content = {} }: Operation['responses'][string]): Html {
    const schema = Object.values(content)[0]?.schema ?? {};
    const name = componentOf(propertiesOf(schema)['data'] ?? schema);
    const own = Object.keys(headers).filter((header) => !isCommon(header));
    return html`${name !== undefined && link(name)}
    ${own.length > 0 && html`<br />Headers: ${own.map((header) => html`<code>${header}</code> `)}`}`;
  }
}
