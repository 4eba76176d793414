/** What every kind of channel that brings exams keeps to: each is taken once, as it was said last, or somebody sees why not. */
import * as fc from '../support/properties.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import { startApi, succeeded } from '../support/api.ts';
import { controlledStore } from '../server/http/controlled-store.ts';

const { channels, worklists } = contract;

/** An exam, as the other system has it. */
export interface Said {
  readonly accession: string;
  readonly description: string;
  readonly modality: string;
}

/** The other system. */
export interface InPeer {
  readonly settings: Record<string, unknown>;
  /** From now on the exam is so; said as often as it takes. */
  say(exam: Said): void | Promise<void>;
  /** Time goes by. `address`: where the channel listens; `null`: it is closed. */
  goOn?(address: string | null): void;
}

export interface InCase {
  readonly kind: string;
  /** Ends with the test. */
  readonly peer: () => InPeer | Promise<InPeer>;
}

/** Longer than a round, and than a file has to rest, in ms. */
const aWhile = 6000;

type Step = { readonly exam: number } | 'fail' | 'recover' | 'close' | 'open' | 'wait';

export function channelInSuite({ kind, peer: openPeer }: InCase): void {
  /** A server of its own, for time goes by in it faster than a login lasts. */
  async function opened() {
    const storage = controlledStore();
    const api = await startApi({ store: storage.between }, onTestFinished);
    const peer = await openPeer();
    const name = 'other-system';
    const body = { name, kind, space: 'test_tc_local', settings: peer.settings };
    succeeded(await api.call(channels.endpoints.add, { body }), 201);
    const params = { channel: name };
    const state = async () => succeeded(await api.call(channels.endpoints.get, { params })).state;
    const goOn = async (): Promise<void> => {
      api.clock.advance(aWhile);
      peer.goOn?.((await state()).address);
      await new Promise(setImmediate);
    };
    const until = (holds: () => Promise<void>) =>
      vi.waitFor(
        async () => {
          await goOn();
          await holds();
        },
        { timeout: 30_000, interval: 10 },
      );
    const exams = async () =>
      succeeded(await api.call(worklists.endpoints.list, { query: { source_system: name, limit: 100 } })).items;
    return {
      api,
      storage,
      name,
      exams,
      goOn,
      say: (exam: number | string, description: string, modality = 'CT') =>
        peer.say({ accession: `${name}-${exam}`, description, modality }),
      /** What is stored, by the accession number. */
      stored: async () =>
        Object.fromEntries(
          (await exams()).map(({ accession_number, exam_description }) => [
            accession_number!.slice(name.length + 1),
            exam_description,
          ]),
        ),
      refused: async () =>
        succeeded(await api.call(channels.endpoints.queue, { params, query: { state: 'refused' } })).items,
      /** What is under way ends first, for which time may have to go by. */
      enable: async (enabled: boolean) => {
        let isDone = false;
        const changing = api
          .call(channels.endpoints.change, { params, body: { enabled } })
          .finally(() => (isDone = true));
        await until(async () => expect(isDone).toBe(true));
        succeeded(await changing);
      },
      until,
    };
  }

  test('each exam is taken once, and changed where the other system changes it', async () => {
    const { say, stored, exams, until, refused, name } = await opened();
    await say(1, 'CT of the head');
    await say(2, 'CT of the chest');
    await until(async () => expect(await stored()).toEqual({ 1: 'CT of the head', 2: 'CT of the chest' }));
    await say(2, 'CT of the abdomen');
    await until(async () => expect(await stored()).toEqual({ 1: 'CT of the head', 2: 'CT of the abdomen' }));
    expect((await exams()).map(({ version, source_system }) => [version, source_system]).toSorted()).toEqual([
      [1, name],
      [2, name],
    ]);
    expect(await refused()).toEqual([]);
  });

  test('unusable messages wait without a word of them in the log, and are accepted once corrected', async () => {
    const { api, say, stored, until, refused } = await opened();
    await say(1, 'CT of the head', 'NONSENSE');
    await say(2, 'CT of the chest');
    await until(async () => expect(await stored()).toEqual({ 2: 'CT of the chest' }));
    await until(async () => expect(await refused()).toHaveLength(1));
    const { error } = (await refused())[0]!;
    expect(error).toMatchObject({ code: expect.any(String), message: expect.stringContaining('modality') });
    expect(JSON.stringify([error, api.logged])).not.toMatch(/TESTE|PACIENTE|CT of the head|19800102|1980-01-02/);
    await say(1, 'CT of the head');
    await until(async () => expect(await stored()).toEqual({ 1: 'CT of the head', 2: 'CT of the chest' }));
  });

  test('nothing is lost, doubled or turned back, whatever fails in between', async () => {
    const steps: fc.Arbitrary<Step>[] = [
      fc.record({ exam: fc.integer({ min: 1, max: 3 }) }),
      ...(['fail', 'recover', 'close', 'open', 'wait'] as const).map((each) => fc.constant(each)),
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(...steps), { minLength: 3, maxLength: 12 }), async (run) => {
        const { api, storage, say, stored, exams, until, goOn, enable } = await opened();
        const last: Record<string, string> = {};
        let isFailing = false;
        for (const [at, step] of run.entries()) {
          if (typeof step === 'object') {
            last[step.exam] = `CT number ${at}`;
            await say(step.exam, last[step.exam]!);
          } else if (step === 'fail') {
            storage.fail(new AppError('STORAGE_UNAVAILABLE'));
            isFailing = true;
          } else if (step === 'recover') {
            storage.recover();
            isFailing = false;
          } else if (step === 'wait') await goOn();
          // The operator changes nothing either while nothing can be stored.
          else if (!isFailing) await enable(step === 'open');
        }
        storage.recover();
        await enable(true);
        await until(async () => expect(await stored()).toEqual(last));
        // What was said before does not come after it.
        await goOn();
        await goOn();
        expect(await stored()).toEqual(last);
        const times = (exam: number): number =>
          run.filter((step) => typeof step === 'object' && step.exam === exam).length;
        for (const { accession_number, version } of await exams()) {
          expect(version).toBeLessThanOrEqual(times(Number(accession_number!.split('-').at(-1))));
        }
        await api.close();
      }),
      { numRuns: 3 },
    );
  });
}
