/** The paths of the login pages. */
import type { PendingRequest } from '../pending-requests.ts';

export const paths = { login: '/login', consent: '/consent', device: '/device' } as const;
/** The pages that show a pending request. */
export type RequestPage = Exclude<keyof typeof paths, 'device'>;

/** Where a person types the code of a device; `code` fills it in. */
export const deviceAddress = (code?: string): string =>
  code === undefined ? paths.device : `${paths.device}?${new URLSearchParams({ user_code: code })}`;

/** Carries the pending authorization request, which nobody can read, and which is of no use in another browser. */
export const pageAddress = (page: RequestPage, { sealed }: Pick<PendingRequest, 'sealed'>): string =>
  `${paths[page]}?${new URLSearchParams({ request: sealed })}`;
