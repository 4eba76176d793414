/** HTML as a tagged template: inserted values are escaped, unless they are HTML themselves. */
import { escapeHtml } from '../../../src/domain/escape-html.ts';

export interface Html {
  readonly html: string;
}

type Value = Html | readonly Html[] | string | number | false | undefined;

/** `false` and `undefined` insert nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: parts }, ...values.map(render)),
});

function render(value: Value): string {
  if (value === false || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}
