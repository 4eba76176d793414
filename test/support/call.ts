/** Handlers called directly: a caller, headers and a store, without HTTP around them. */
import type { Call, Caller } from '../../server/http/call.ts';
import { parseJobFault } from '../../server/qa/faults/faults.ts';
import { parseSimulation } from '../../server/qa/faults/simulate.ts';
import { serviceActor } from '../../server/storage/actor.ts';
import type { Store } from '../../server/storage/store.ts';
import { allScopes } from '../../src/contract/scopes.ts';

export interface CallOptions {
  readonly caller?: Partial<Caller>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const testCaller: Caller = {
  client_id: 'ris',
  client_name: 'RIS São Lucas',
  grant_id: 'grt_1',
  token_id: 'tok_1',
  user: { id: 'usr_1', username: 'helena', display_name: 'Dra. Helena Prado' },
  space: 'local',
  scopes: allScopes,
  test_mode: false,
  expires_at: Date.parse('2026-03-03T00:00:00Z'),
};

export function fakeCall(store: Store, { caller, headers = {}, signal }: CallOptions = {}): Call {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const until = signal ?? new AbortController().signal;
  return {
    request_id: 'req_test',
    address: '127.0.0.1',
    base_url: 'http://127.0.0.1:4000',
    caller: { ...testCaller, ...caller },
    upload: undefined,
    signal: until,
    whileAllowed: until,
    header: (name) => byName.get(name.toLowerCase()),
    // No rules and no fault for stuck jobs: the header alone.
    jobFault() {
      const header = byName.get('x-laudio-simulate');
      const job = header === undefined || !caller?.test_mode ? undefined : parseSimulation(header).job;
      return job === undefined ? undefined : parseJobFault(job, 'X-Laudio-Simulate');
    },
    actor: () => serviceActor('test'),
    commit: (work) => store.transact(work),
  };
}
