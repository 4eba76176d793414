/** Data of a simulated time and data of real clients stay apart, over restarts. */
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import type { Server, ServerOptions } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import { madeAt } from '../../../server/storage/ids.ts';
import { simulatedClock } from '../../../src/node/simulated-clock.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const startIn = async (dataDir: string, options: Partial<ServerOptions> = {}): Promise<Server> => {
  const server = await createServer({ version: '0.0.0-test', dataDir, secretCosts: cheapSecrets, ...options });
  onTestFinished(() => server.close());
  return server;
};

const register = async ({ inject, adminToken }: Server, name: string): Promise<string> => {
  const answer = await inject({
    method: 'POST',
    url: contract.clients.endpoints.create.path,
    headers: { authorization: `Bearer ${adminToken}` },
    payload: { name, redirect_uris: ['http://127.0.0.1/callback'] },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ data: { id: string } }>().data.id;
};

const simulated = (time = '2026-03-02T09:00:00Z') => ({ clock: simulatedClock(`fixed:${time}`), seed: 'demo' });

test('data of real clients takes no simulated time, and no seed', async () => {
  const directory = await temporaryDirectory();
  const real = await startIn(directory);
  await register(real, 'RIS');
  await real.close();
  for (const options of [simulated(), { seed: 'demo' }, { clock: simulatedClock('offset:0s') }])
    await expect(startIn(directory, options)).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringContaining('belongs to real clients') as string,
    });
  await (await startIn(directory)).close();
});

test('data of a simulated time goes on with one, at an earlier time too, and is for no other computer', async () => {
  const directory = await temporaryDirectory();
  const first = await startIn(directory, simulated());
  await first.clock.advance(30 * 24 * 3_600_000);
  const one = await register(first, 'RIS A');
  await first.close();
  const second = await startIn(directory, simulated());
  const other = await register(second, 'RIS B');
  expect(other > one).toBe(true);
  expect(madeAt(other)).toBeGreaterThan(madeAt(one));
  await second.close();
  await expect(startIn(directory, { publicUrl: 'https://laudio.example.com' })).rejects.toMatchObject({
    code: 'CONFIGURATION',
    message: expect.stringContaining('with --clock or --seed') as string,
  });
  const logged: unknown[] = [];
  await startIn(directory, { log: (entry) => void logged.push(entry) });
  expect(logged).toContainEqual({ level: 'warn', event: 'data_of_a_simulated_time' });
});
