/** The part of json-server 1 that is measured; the package brings no types. */
declare module 'json-server/lib/app.js' {
  import type { Server } from 'node:http';
  import type { Low } from 'lowdb';

  export function createApp(
    db: Low<Record<string, unknown[]>>,
    options: { readonly logger: boolean },
  ): { listen(port: number, ready: () => void, host: string): Server };
}
