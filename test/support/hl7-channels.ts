/** Channels of hl7-in over an API, with senders that are connected, and what their acknowledgements say. */
import { expect, onTestFinished } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import type { WorklistMapping } from '../../src/contract/worklist-mapping.ts';
import { succeeded } from './api.ts';
import type { Api } from './api.ts';
import { connectMllp } from './mllp.ts';
import type { MllpPeer } from './mllp.ts';

const { channels, worklists } = contract;
let count = 0;

export function hl7Channels(apiOf: () => Api) {
  /** A channel of its own, and a sender that is connected. */
  async function listening(settings: Record<string, unknown> = {}, mapping?: WorklistMapping) {
    const name = `hl7-${++count}`;
    const added = await apiOf().call(channels.endpoints.add, {
      body: {
        name,
        kind: 'hl7-in',
        space: 'test_tc_local',
        settings: { port: 0, time_zone: 'America/Sao_Paulo', ...settings },
        ...(mapping && { mapping }),
      },
    });
    const { state } = succeeded(added, 201);
    expect(state).toMatchObject({ status: 'open', error: null });
    const address = state.address!;
    const connect = async (): Promise<MllpPeer> => {
      const peer = await connectMllp(address);
      onTestFinished(peer.close);
      return peer;
    };
    const params = { channel: name };
    return {
      name,
      address,
      connect,
      params,
      peer: 'tls_key' in settings ? undefined! : await connect(),
      queue: async () => succeeded(await apiOf().call(channels.endpoints.queue, { params })).items,
      logged: () =>
        apiOf()
          .logged.filter(({ channel }) => channel === name)
          .map(({ event }) => event),
    };
  }

  const examOf = async (accession: string) => {
    const { items } = succeeded(await apiOf().call(worklists.endpoints.list, { query: { q: accession } }));
    return items.find(({ accession_number }) => accession_number === accession);
  };

  return { listening, examOf };
}

export const segment = (answer: string | undefined, name: string): string[] =>
  answer
    ?.split('\r')
    .find((line) => line.startsWith(name))
    ?.split('|') ?? [];
export const field = (answer: string | undefined, name: string, number: number): string =>
  segment(answer, name)[name === 'MSH' ? number - 1 : number] ?? '';
