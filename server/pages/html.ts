/** HTML as a tagged template: inserted values are escaped, unless they are HTML themselves. */
export interface Html {
  readonly html: string;
}

type Value = Html | readonly Html[] | string | number | false | undefined;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** `false` and `undefined` insert nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: parts }, ...values.map(render)),
});

function render(value: Value): string {
  if (value === false || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
}
