/** Two servers over one store in memory. */
import { onTestFinished } from 'vitest';
import { manualClock } from '../../src/domain/clock.ts';
import { startApi, startOfTests } from './api.ts';
import type { Api, ApiOptions } from './api.ts';
import { createCluster } from './cluster.ts';
import { controlledEngine } from './controlled-engine.ts';

/** `minutesAhead`: how far the clock of the first one is ahead of the other's, which `clock` is. */
export async function startTwo(options: ApiOptions = {}, minutesAhead = 0) {
  const clock = manualClock(Date.parse(startOfTests));
  const ahead = minutesAhead === 0 ? clock : manualClock(clock.now() + minutesAhead * 60_000);
  const cluster = createCluster(clock);
  const engine = controlledEngine();
  const start = async (more: ApiOptions = {}): Promise<Api> => {
    const api = await startApi({ ...options, clock, ...more, cluster, engine }, onTestFinished);
    cluster.hub.locateLast(api.server.url);
    return api;
  };
  cluster.hub.leadNext(minutesAhead * 60_000);
  const servers: readonly [Api, Api] = [await start({ clock: ahead }), await start()];
  return { ...cluster, clock, engine, start, servers };
}
