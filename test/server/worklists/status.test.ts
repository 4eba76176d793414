import { describe, expect, test } from 'vitest';
import type { ItemChange } from '../../../server/storage/feeds.ts';
import { worklistStatuses } from '../../../src/contract/worklist.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

const rui = { caller: { user: { id: 'usr_2', username: 'rui', display_name: 'Dr. Rui Costa' } } };

async function withExam() {
  const worklist = createWorklist();
  const { items } = await worklist.ingest(exam());
  return { ...worklist, id: items[0]!.id! };
}

describe('4.2 PATCH /api/v1/worklists/items/{id}', () => {
  test('new to in_progress: the answer, the item, its history and the feed', async () => {
    const { id, clock, feed, setStatus, item, history } = await withExam();
    const heard: ItemChange[] = [];
    feed.subscribe('local', (change) => heard.push(change));
    clock.advance(1000);
    const metadata = { station: 4 };
    const answer = await setStatus(
      id,
      { status: 'in_progress', reason: ' Exam started ', metadata },
      { headers: { 'X-Source-System': 'RIS' } },
    );
    expect(answer).toEqual({
      id,
      accession_number: 'SL-1',
      status: 'in_progress',
      previous_status: 'new',
      updated_at: '2026-03-02T11:00:01.000Z',
      reason: 'Exam started',
    });
    expect(await item(id)).toMatchObject({
      status: 'in_progress',
      reason: 'Exam started',
      assigned_to: 'Dra. Helena Prado',
      updated_at: '2026-03-02T11:00:01.000Z',
      version: 2,
    });
    expect(await history(id)).toMatchObject([
      {
        id: expect.stringMatching(/^his_/),
        at: '2026-03-02T11:00:01.000Z',
        who: 'Dra. Helena Prado',
        from: 'new',
        to: 'in_progress',
        reason: 'Exam started',
        source_system: 'RIS',
        metadata,
      },
    ]);
    expect(heard).toEqual([
      { space: 'local', id, accession_number: 'SL-1', status: 'in_progress', version: 2, change: 'status' },
    ]);
  });

  /** How to bring a new exam to each status. */
  const wayTo = {
    new: [],
    in_progress: ['in_progress'],
    completed: ['in_progress', 'completed'],
    cancelled: ['cancelled'],
  } as const satisfies Record<WorklistStatus, readonly WorklistStatus[]>;
  /** The contract's table, cell by cell. */
  const table: Record<WorklistStatus, Record<WorklistStatus, 'no change' | 'yes' | 'no'>> = {
    new: { new: 'no change', in_progress: 'yes', completed: 'yes', cancelled: 'yes' },
    in_progress: { new: 'yes', in_progress: 'no change', completed: 'yes', cancelled: 'yes' },
    completed: { new: 'no', in_progress: 'yes', completed: 'no change', cancelled: 'no' },
    cancelled: { new: 'yes', in_progress: 'no', completed: 'no', cancelled: 'no change' },
  };
  const cells = worklistStatuses.flatMap((from) => worklistStatuses.map((to) => [from, to, table[from][to]] as const));

  test.each(cells)('%s to %s: %s', async (from, to, expected) => {
    const { id, setStatus, item, history, feed } = await withExam();
    for (const status of wayTo[from]) await setStatus(id, { status });
    const before = { item: await item(id), history: await history(id) };
    const heard: ItemChange[] = [];
    feed.subscribe('local', (change) => heard.push(change));
    const moving = setStatus(id, { status: to, reason: 'Because' });
    if (expected === 'no') {
      expect(await refusal(moving)).toMatchObject({
        code: 'INVALID_TRANSITION',
        details: { status: from, requested: to },
      });
    } else {
      expect(await moving).toMatchObject({ status: to, previous_status: from });
    }
    if (expected !== 'yes') {
      expect({ item: await item(id), history: await history(id) }).toEqual(before);
      expect(heard).toEqual([]);
      return;
    }
    expect(await item(id)).toMatchObject({ status: to, reason: 'Because', version: before.item.version + 1 });
    expect((await item(id)).assigned_to).toBe(
      to === 'in_progress' ? 'Dra. Helena Prado' : to === 'completed' ? before.item.assigned_to : null,
    );
    const [latest, ...earlier] = await history(id);
    expect(latest).toMatchObject({ who: 'Dra. Helena Prado', from, to, reason: 'Because' });
    expect(earlier).toEqual(before.history);
    expect(heard).toMatchObject([{ id, status: to, change: 'status' }]);
  });

  test('the same status: 200, and nothing is written', async () => {
    const { id, clock, feed, setStatus, item, history } = await withExam();
    await setStatus(id, { status: 'in_progress', reason: 'Exam started' });
    const before = await item(id);
    clock.advance(1000);
    feed.subscribe('local', () => expect.unreachable());
    expect(await setStatus(id, { status: 'in_progress', reason: 'Again' })).toMatchObject({
      status: 'in_progress',
      previous_status: 'in_progress',
      updated_at: before.updated_at,
      reason: 'Exam started',
    });
    expect(await item(id)).toEqual(before);
    expect(await history(id)).toHaveLength(1);
  });

  test('a second person gets 409 with the holder’s name, unless the exam is taken over', async () => {
    const { id, setStatus, item, history } = await withExam();
    await setStatus(id, { status: 'in_progress' });
    for (const metadata of [{}, { take_over: 'yes' }, { take_over: false }]) {
      const error = await refusal(setStatus(id, { status: 'in_progress', metadata }, rui));
      expect(error).toMatchObject({
        code: 'INVALID_TRANSITION',
        status: 409,
        details: { status: 'in_progress', assigned_to: 'Dra. Helena Prado' },
      });
    }
    await setStatus(id, { status: 'in_progress', metadata: { take_over: true } }, rui);
    expect(await item(id)).toMatchObject({ assigned_to: 'Dr. Rui Costa', version: 3 });
    expect(await history(id)).toMatchObject([
      { who: 'Dr. Rui Costa', from: 'in_progress', to: 'in_progress' },
      { who: 'Dra. Helena Prado', from: 'new', to: 'in_progress' },
    ]);
  });

  test('a released exam may be taken by anybody', async () => {
    const { id, setStatus, item } = await withExam();
    await setStatus(id, { status: 'in_progress' });
    await setStatus(id, { status: 'new' });
    expect(await item(id)).toMatchObject({ assigned_to: null, reason: null });
    expect(await setStatus(id, { status: 'in_progress' }, rui)).toMatchObject({ previous_status: 'new' });
  });

  test('a move that the status does not allow: 409 with the present state', async () => {
    const { id, setStatus, history } = await withExam();
    await setStatus(id, { status: 'cancelled' });
    const error = await refusal(setStatus(id, { status: 'completed' }));
    expect(error).toMatchObject({
      code: 'INVALID_TRANSITION',
      details: { status: 'cancelled', requested: 'completed', allowed: ['new'] },
    });
    expect(await history(id)).toHaveLength(1);
  });

  test('the person is the application if no user is logged in, and nobody holds the exam', async () => {
    const { id, setStatus, item, history } = await withExam();
    await setStatus(id, { status: 'in_progress' }, { caller: { user: null } });
    expect((await item(id)).assigned_to).toBeNull();
    expect((await history(id))[0]).toMatchObject({ who: 'RIS São Lucas' });
  });

  test('two people at the same time: one of them gets the exam', async () => {
    const { id, setStatus, item } = await withExam();
    const [first, second] = await Promise.allSettled([
      setStatus(id, { status: 'in_progress' }),
      setStatus(id, { status: 'in_progress' }, rui),
    ]);
    expect([first.status, second.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await item(id)).toMatchObject({ version: 2 });
  });

  test('a reason with control characters is refused', async () => {
    const { id, setStatus } = await withExam();
    const error = await refusal(setStatus(id, { status: 'cancelled', reason: 'patient\0' }));
    expect(fieldErrorsOf(error)).toMatchObject([{ field: 'reason', code: 'INVALID_FORMAT' }]);
    expect(await setStatus(id, { status: 'cancelled', reason: 'first line\nsecond line' })).toMatchObject({
      reason: 'first line\nsecond line',
    });
  });

  test('an unknown item and one of another space are both not found', async () => {
    const { id, setStatus, item, history } = await withExam();
    const stranger = { caller: { space: 'other' } };
    const refusals = await Promise.all([
      refusal(setStatus('wli_0', { status: 'cancelled' })),
      refusal(setStatus(id, { status: 'cancelled' }, stranger)),
      refusal(item(id, stranger)),
      refusal(history(id, stranger)),
    ]);
    for (const error of refusals) expect(error).toEqual(refusals[0]);
    expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});
