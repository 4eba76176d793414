/** The note that a person has to read before going on: why a form is shown again, or what to look at. */
import { html } from './html.ts';
import type { Html } from './html.ts';

export const warning = html`<svg viewBox="0 0 24 24" aria-hidden="true">
  <path d="M12 4 3.5 19h17zM12 10v4M12 16.8h.01" />
</svg>`;

/** Read out at once; the fields at fault name it by `aria-describedby`. */
export const problemNote = (text: string): Html =>
  html`<p class="note" id="problem" role="alert">${warning}<span>${text}</span></p>`;

/** Read in its turn. */
export const cautionNote = (text: string): Html => html`<p class="note">${warning}<span>${text}</span></p>`;
