/** The paths of the login pages. */
import type { PendingRequest } from '../pending-requests.ts';

export const paths = {
  login: '/login',
  consent: '/consent',
  device: '/device',
  /** Leads to the login provider, which leads the browser back to the second. */
  provider: '/login/provider',
  providerCallback: '/oauth/provider/callback',
  /** Where the provider says that a session has ended there. */
  providerLogout: '/oauth/provider/logout',
} as const;
/** The pages of a pending request. */
export type RequestPage = 'login' | 'consent';

/** The form for a device's code; `code` is filled in. */
export const deviceAddress = (code?: string): string =>
  code === undefined ? paths.device : `${paths.device}?${new URLSearchParams({ user_code: code })}`;

/** The address carries the pending request, encrypted and of no use in another browser. */
export const pageAddress = (
  page: RequestPage | 'provider',
  { sealed }: Pick<PendingRequest, 'sealed'>,
  more: Readonly<Record<string, string>> = {},
): string => `${paths[page]}?${new URLSearchParams({ request: sealed, ...more })}`;
