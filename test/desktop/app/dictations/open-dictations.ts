/** The dictations of somebody at a desk, and a service to which they go. */
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDictations } from '../../../../desktop/app/dictations/dictations.ts';
import { createRevisions } from '../../../../desktop/app/revisions.ts';
import type { DictationsDeps } from '../../../../desktop/app/dictations/context.ts';
import type { CallInput, CallOutput } from '../../../../desktop/bridge/calls.ts';
import type { Dictation } from '../../../../desktop/bridge/dictation.ts';
import type { LiveWords } from '../../../../desktop/bridge/live.ts';
import { createSealing } from '../../../../server/storage/sealing/sealing.ts';
import { createClient } from '../../../../src/client/client.ts';
import type { Client } from '../../../../src/client/client.ts';
import type { Transport } from '../../../../src/client/transport.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { systemClock } from '../../../../src/node/clock.ts';
import { createHttpCall } from '../../../../src/node/http/http-call.ts';
import { startApi } from '../../../support/api.ts';
import type { Api, ApiOptions } from '../../../support/api.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { testKey } from '../../../support/test-key.ts';

export const rate = 8000;
export const startOfTest = Date.parse('2026-03-02T11:30:00Z');

/** Samples of one value, which can be told apart again. */
export const samples = (value: number, count: number): Buffer => Buffer.from(new Int16Array(count).fill(value).buffer);

export const valuesOf = (pcm: Uint8Array): number[] => {
  const view = Buffer.from(pcm);
  return Array.from({ length: view.length / 2 }, (_, index) => view.readInt16LE(index * 2));
};

export async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The machine's clock, on which pauses of up to a few seconds take a fiftieth of that. */
export const hastyClock: Clock = {
  ...systemClock,
  schedule(at, task) {
    const delay = at - Date.now();
    return systemClock.schedule(delay < 8000 ? Date.now() + delay / 50 : at, task);
  },
};

export interface DeskOptions extends Partial<Omit<DictationsDeps, 'clock'>> {
  readonly clock?: Clock;
  readonly client?: () => Client;
}

/** The same for every desk: a directory is opened again, or copied and opened. */
export const sealing = createSealing(testKey);

/** What it keeps is encrypted unless `sealing` is given as `undefined`. */
export async function openDesk(options: DeskOptions = {}) {
  const directory = options.directory ?? (await temporaryDirectory());
  const told: Dictation[] = [];
  const words: LiveWords[] = [];
  const log: string[] = [];
  const online = new Set<() => void>();
  const waiting = new Set<() => void>();
  const dictations = createDictations({
    clock: manualClock(startOfTest),
    random: () => 0.5,
    uuid: randomUUID,
    revision: createRevisions(options.clock ?? manualClock(startOfTest)),
    log: ({ event }) => void log.push(event),
    connect: () => {
      if (!options.client) throw new AppError('NETWORK');
      return {
        client: options.client(),
        person: { id: 'usr_1', username: 'ana', display_name: 'Dr. Ana' },
        online: true,
      };
    },
    onOnline: (listener) => {
      online.add(listener);
      return () => online.delete(listener);
    },
    emit: (name, data) => {
      if (name === 'dictation') told.push(data as Dictation);
      if (name === 'live') words.push(data as LiveWords);
      for (const look of waiting) look();
    },
    uploadFormat: () => 'wav',
    isReported: () => false,
    sealing,
    ...options,
    directory,
  });
  onTestFinished(() => dictations.close());
  await dictations.start();
  const call = dictations.handlers;
  /** The take that was begun last, and how many of its samples were given. */
  let last = { take: '', from: 0 };
  const take = async (
    id: string,
    more: Partial<CallInput<'dictation.take'>> = {},
  ): Promise<CallOutput<'dictation.take'>> => {
    last = { take: more.take ?? randomUUID(), from: 0 };
    return call['dictation.take']({ id, take: last.take, mode: 'append', at: null, ...more });
  };
  const block = async (id: string, bytes: Uint8Array, more: Partial<CallInput<'dictation.block'>> = {}) => {
    const answer = await call['dictation.block']({ id, ...last, ...more }, bytes);
    if (Object.keys(more).length === 0) last = { ...last, from: last.from + bytes.length / 2 };
    return answer;
  };
  return {
    ...dictations,
    call,
    /** Announces a take, at the end and under a name of its own unless it is said otherwise. */
    take,
    /** The next samples of the take that was begun last. */
    block,
    directory,
    told,
    words,
    log,
    online: () => online.forEach((listener) => listener()),
    /** A new one in which these takes were recorded, a block each. */
    async dictate(item_id: string, ...blocks: Uint8Array[]): Promise<Dictation> {
      const { id } = await call['dictation.start']({
        item_id,
        sample_rate: rate,
        language: 'en-US',
        template_id: null,
      });
      for (const bytes of blocks) {
        await take(id);
        await block(id, bytes);
      }
      return call['dictation.pause']({ id });
    },
    send: (id: string) => call['dictation.send']({ id, language: 'en-US', template_id: null }),
    async get(id: string): Promise<Dictation | undefined> {
      return (await call['dictation.list']({})).items.find((one) => one.id === id);
    },
    /** The first that was told and is so, from now on or before. */
    until: (is: (dictation: Dictation) => boolean) =>
      new Promise<Dictation>((resolve) => {
        const look = (): void => {
          const found = told.find(is);
          if (!found) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async wav(id: string, range?: { start: number; end: number }): Promise<Buffer> {
      const file = await dictations.file(`dictations/${id}.wav`, range);
      return bytesOf(file!.stream);
    },
    /** Values of the samples that are heard. */
    async heard(id: string): Promise<number[]> {
      const file = await dictations.file(`dictations/${id}.wav`);
      return valuesOf((await bytesOf(file!.stream)).subarray(44));
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** The files of its dictations as they are now, for another process. */
export async function crashed({ directory }: Desk): Promise<string> {
  const copy = await temporaryDirectory();
  await cp(join(directory, 'dictations'), join(copy, 'dictations'), { recursive: true });
  return copy;
}

export const beginning = { item_id: 'wli_1', sample_rate: rate, language: 'pt-BR', template_id: null } as const;

/** Something that happens to requests on their way. */
export type Fault = (request: Parameters<Transport>[0], pass: () => ReturnType<Transport>) => ReturnType<Transport>;

/** A real server and clients of it, whose way there a test can disturb. */
export async function startService(
  options: ApiOptions = {},
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<
  Api & {
    client: () => Client;
    disturb(fault: Fault | undefined): void;
    /** Gives the new token, which the client has from now on. */
    logInAgain(): Promise<string>;
    readonly asked: string[];
  }
> {
  // The clock of a desk hastes through whatever comes late.
  const api = await startApi({ isPrompt: true, ...options, listen: true }, atEnd);
  const http = createHttpCall({ timeout: 60_000 });
  atEnd(() => http.close());
  let fault: Fault | undefined;
  let { token } = api;
  const asked: string[] = [];
  const transport: Transport = (request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    const pass = () => http.transport(request);
    return fault ? fault(request, pass) : pass();
  };
  const client = createClient({
    transport,
    server: api.server.url,
    clock: hastyClock,
    random: () => 0.5,
    uuid: randomUUID,
    token: async () => token,
    retry: { limit: 0 },
  });
  return {
    ...api,
    client: () => client,
    disturb: (next) => void (fault = next),
    logInAgain: async () => (token = (await api.tokens()).access_token),
    asked,
  };
}
