/** One request of a browser that is inside the portal, and how it is answered. */
import type { Client as Api } from '../../../src/client/client.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { seeOther } from '../../auth/redirect.ts';
import type { View } from './parts.ts';

/** What a session keeps between the answer to a form and the page that follows. */
export interface Kept {
  /** A secret that was just made, by the path of the page that shows it once. */
  secret: { readonly at: string; readonly value: string } | undefined;
  notice: { readonly at: string; readonly text: string } | undefined;
  /** Answers to forms: a form that is sent twice, as by a double click, acts once. */
  readonly answers: Map<string, Promise<RawOutput>>;
}

export interface Visit extends View {
  readonly api: Pick<Api, 'clients' | 'webhooks' | 'channels'>;
  readonly kept: Kept;
  /** Id of the application that the path names. */
  readonly id: string;
  readonly delivery: string;
  readonly message: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** The secret to show on the page at that path, this once. */
  secretAt(path: string): string | undefined;
}

export type Page = (visit: Visit) => Promise<RawOutput> | RawOutput;

/** Goes to the page at that path, which says what happened and shows the secret that came of it. */
export function goTo(
  { kept }: Visit,
  path: string,
  { notice, secret }: { notice?: string; secret?: string | undefined } = {},
) {
  kept.notice = notice === undefined ? undefined : { at: path, text: notice };
  if (secret !== undefined) kept.secret = { at: path, value: secret };
  return seeOther(path);
}
