/** The paths of the login pages. */
import type { PendingRequest } from '../oauth/pending-requests.ts';

export const paths = { login: '/login', consent: '/consent' } as const;

/** Carries the pending authorization request, which nobody can read, and which is of no use in another browser. */
export const pageAddress = (page: keyof typeof paths, { sealed }: Pick<PendingRequest, 'sealed'>): string =>
  `${paths[page]}?${new URLSearchParams({ request: sealed })}`;
