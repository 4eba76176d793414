/** What a server says of itself. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { system } from '../../src/contract/system.ts';
import type { Call } from '../call.ts';
import type { Services } from '../services.ts';
import { collectionNames } from '../store/collections.ts';

export interface SystemFacts {
  readonly version: string;
  readonly rateLimit: number;
  /** ms since 1970. */
  readonly startedAt: number;
  readonly openapi: Record<string, unknown>;
}

export function systemRoutes({ store, clock, engine }: Services, facts: SystemFacts): Handlers<typeof system, Call> {
  const uptime = () => Math.floor((clock.now() - facts.startedAt) / 1000);
  const health = () => ({ status: 'ok' as const, version: facts.version, uptime_s: uptime() });
  return {
    health: async () => ({ status: 200, data: health() }),
    async ready() {
      // A store that cannot be read makes this a 503.
      await store.count('settings');
      return { status: 200, data: health() };
    },
    openapi: async () => ({ status: 200, data: facts.openapi }),
    async status() {
      const counts = await Promise.all(collectionNames.map(async (name) => [name, await store.count(name)] as const));
      return {
        status: 200,
        data: {
          version: facts.version,
          started_at: new Date(facts.startedAt).toISOString(),
          uptime_s: uptime(),
          rate_limit: facts.rateLimit,
          engine: engine.name,
          store: store.name,
          memory_bytes: process.memoryUsage.rss(),
          stored: Object.fromEntries(counts),
        },
      };
    },
  };
}
