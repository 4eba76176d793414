/** What every kind of channel that sends keeps to: each document arrives once it is acknowledged, in order, or somebody sees why not. */
import { expect, test } from 'vitest';
import { AppError } from '../../src/contract/errors.ts';
import { eventually } from '../support/eventually.ts';
import { createOutbox } from '../support/outbox.ts';
import type { Outbox } from '../support/outbox.ts';

/** The other system. */
export interface OutPeer {
  readonly settings: Record<string, unknown>;
  /** What it took over, in that order: accession number, and P, F or C; `A P`. */
  received(): readonly string[] | Promise<readonly string[]>;
  /** From now on. `full`: it cannot take anything now; `silent`: it does not answer; `gone`: nobody is there. */
  be(mode: 'well' | 'full' | 'silent' | 'gone' | 'refusing'): void | Promise<void>;
}

export interface OutCase {
  readonly kind: string;
  /** Ends with the test. */
  readonly peer: () => Promise<OutPeer>;
  /** What goes wrong with such a peer, and whether it can refuse a message for good. */
  readonly troubles: readonly ('full' | 'silent' | 'gone')[];
  readonly refuses: boolean;
}

export function channelOutSuite({ kind, peer: open, troubles, refuses }: OutCase): void {
  const opened = async (): Promise<{ outbox: Outbox; peer: OutPeer; id: string; open: () => Promise<unknown> }> => {
    const outbox = createOutbox();
    const peer = await open();
    const channel = await outbox.channel(kind, peer.settings);
    return { outbox, peer, id: channel.id, open: () => outbox.attach(channel) };
  };
  const ofExam = (received: readonly string[], exam: string): string[] =>
    received.filter((each) => each.startsWith(exam)).filter((each, at, all) => each !== all[at - 1]);

  test('delivers each version of each document, in order', async () => {
    const { outbox, peer, open: attach } = await opened();
    await attach();
    for (const step of ['P', 'F', 'C'] as const) for (const exam of ['A', 'B']) await outbox.document(exam, step);
    await eventually(async () => expect(await peer.received()).toHaveLength(6));
    const received = await peer.received();
    for (const exam of ['A', 'B']) expect(ofExam(received, exam)).toEqual([`${exam} P`, `${exam} F`, `${exam} C`]);
    await eventually(async () =>
      expect((await outbox.messages()).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
        Array.from({ length: 6 }, () => 'delivered 1'),
      ),
    );
  });

  test.each(troubles)(
    'waits while the other side is %s, and then goes on in order, after a restart too',
    async (trouble) => {
      const { outbox, peer, open: attach } = await opened();
      await peer.be(trouble);
      await attach();
      await outbox.document('A', 'P');
      await outbox.document('A', 'F');
      await eventually(async () =>
        expect((await outbox.messages())[0]).toMatchObject({ state: 'waiting', attempts: 1, error: expect.anything() }),
      );
      await outbox.restart();
      await peer.be('well');
      await attach();
      await eventually(async () => {
        outbox.clock.advance(10_000);
        expect(ofExam(await peer.received(), 'A')).toEqual(['A P', 'A F']);
      });
      await eventually(async () =>
        expect((await outbox.messages()).map(({ state, error }) => ({ state, error }))).toEqual([
          { state: 'delivered', error: null },
          { state: 'delivered', error: null },
        ]),
      );
    },
  );

  // A kind that refuses nothing has nothing to show.
  if (refuses) {
    test('shows what the other side refuses, without its words, and sends the next version in its place', async () => {
      const { outbox, peer, open: attach } = await opened();
      await attach();
      await peer.be('refusing');
      await outbox.document('A', 'P');
      await eventually(async () => expect((await outbox.messages())[0]?.state).toBe('refused'));
      // Apart from what operators find it by.
      const [first] = (await outbox.messages()).map(({ subject: _, ...message }) => message);
      expect(JSON.stringify([first, outbox.log])).not.toMatch(/TESTE|SILVA|P-1\b|Test Patient/);
      await peer.be('well');
      await outbox.document('B', 'F');
      await eventually(async () => expect(await peer.received()).toEqual(['B F']));
      await outbox.document('A', 'F');
      await eventually(async () => expect(await peer.received()).toEqual(['B F', 'A F']));
      expect((await outbox.messages())[0]).toMatchObject({ state: 'dropped', error: { code: 'SUPERSEDED' } });
    });

    test('refuses nothing for ever: what was written while it was refused is sent in its place, after a restart too', async () => {
      const { outbox, peer, open: attach } = await opened();
      await peer.be('refusing');
      await outbox.document('A', 'P');
      await outbox.document('A', 'F');
      await attach();
      await eventually(async () =>
        expect((await outbox.messages()).map(({ state }) => state)).toEqual(['dropped', 'refused']),
      );
      await outbox.restart();
      await peer.be('well');
      await attach();
      await outbox.document('A', 'C');
      await eventually(async () => expect(await peer.received()).toEqual(['A C']));
    });
  }

  test('can be tried without sending anything', async () => {
    const { outbox, peer, id, open: attach } = await opened();
    const sender = (await attach()) as Awaited<ReturnType<Outbox['attach']>>;
    expect(await sender.test?.(AbortSignal.timeout(10_000))).toMatch(/\w/);
    expect(await peer.received()).toEqual([]);
    await peer.be('gone');
    await expect(sender.test?.(AbortSignal.timeout(10_000))).rejects.toBeInstanceOf(AppError);
    expect(await outbox.store.find('messages', { is: { channel: id } })).toEqual([]);
  });
}
