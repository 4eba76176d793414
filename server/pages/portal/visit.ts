/** A request within the portal, and how it is answered. */
import type { Client as Api } from '../../../src/client/client.ts';
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import type { BackupStatus } from '../../../src/contract/system.ts';
import { seeOther } from '../../auth/redirect.ts';
import type { View } from './parts.ts';

/** State of a session between the answer to a form and the next page. */
export interface SessionState {
  /** A newly created secret, with the path of the page that shows it once. */
  secret: { readonly at: string; readonly value: string } | undefined;
  notice: { readonly at: string; readonly text: string } | undefined;
  /** Answers to forms: a form that is sent twice, for example by a double click, acts once. */
  readonly answers: Map<string, Promise<RawOutput>>;
}

export interface Visit extends View {
  readonly api: Pick<Api, 'clients' | 'webhooks' | 'channels' | 'patients' | 'audit' | 'users'>;
  readonly findBackup: () => Promise<BackupStatus | undefined>;
  readonly kept: SessionState;
  /** Id of an application, a channel, or a document of a patient in the path. */
  readonly id: string;
  readonly delivery: string;
  readonly message: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** The secret for the page at that path; returned only once. */
  secretAt(path: string): string | undefined;
}

export type Page = (visit: Visit) => Promise<RawOutput> | RawOutput;

/** Redirects to the page at that path, which shows the result and any new secret. */
export function goTo(
  { kept }: Visit,
  path: string,
  { notice, secret }: { notice?: string; secret?: string | undefined } = {},
) {
  kept.notice = notice === undefined ? undefined : { at: path, text: notice };
  if (secret !== undefined) kept.secret = { at: path, value: secret };
  return seeOther(path);
}
