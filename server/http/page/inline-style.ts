/** A page's own style sheet, and how a policy allows it and no other (CSP Level 3, 8.4): by the hash of the element's text. */
import { createHash } from 'node:crypto';

export interface InlineStyle {
  /** `<style>…</style>`: the text between the tags was hashed, to the last space. */
  readonly element: { readonly html: string };
  /** For `style-src`. */
  readonly source: string;
}

export const inlineStyle = (css: string): InlineStyle => ({
  element: { html: `<style>${css}</style>` },
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
});
