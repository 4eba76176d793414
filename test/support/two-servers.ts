/** Two servers over one store in memory. */
import { onTestFinished } from 'vitest';
import { manualClock } from '../../src/domain/clock.ts';
import { startApi, startOfTests } from './api.ts';
import type { Api, ApiOptions } from './api.ts';
import { createCluster } from './cluster.ts';
import { controlledEngine } from './controlled-engine.ts';

export async function startTwo(options: ApiOptions = {}) {
  const clock = manualClock(Date.parse(startOfTests));
  const cluster = createCluster(clock);
  const engine = controlledEngine();
  const start = async (more: ApiOptions = {}): Promise<Api> => {
    const api = await startApi({ ...options, ...more, clock, cluster, engine }, onTestFinished);
    cluster.hub.locateLast(api.server.url);
    return api;
  };
  const servers: readonly [Api, Api] = [await start(), await start()];
  return { ...cluster, clock, engine, start, servers };
}
