/** Where the pages of a login stand. */
export const paths = { login: '/login', consent: '/consent' } as const;

/** `request`: the id of a pending authorization request, unguessable and of no use in another browser. */
export const pageAddress = (page: keyof typeof paths, request: string): string =>
  `${paths[page]}?${new URLSearchParams({ request })}`;
