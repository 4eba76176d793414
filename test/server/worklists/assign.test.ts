/** An exam that somebody gives to a colleague, and takes back. */
import * as fc from '../../support/properties.ts';
import { expect, test } from 'vitest';
import { decideAssignment } from '../../../src/domain/worklist-state.ts';
import { worklistStatuses } from '../../../src/contract/worklist.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

const [helena, rui, elsewhere] = ['Dra. Helena Prado', 'Dr. Rui Costa', 'Dr. Elsewhere'];
const asRui = { caller: { user: { id: 'usr_2', username: 'rui', display_name: rui } } };
const asDispatcher = { caller: { user: null } };

async function withExam() {
  const worklist = createWorklist();
  const user = (id: string, display_name: string, space: string) => ({
    id,
    username: id,
    display_name,
    space,
    created_at: '2026-03-02T11:00:00.000Z',
    password_hash: 'none',
  });
  await worklist.store.transact(async (tx) => {
    tx.put('users', user('usr_1', helena, 'local'));
    tx.put('users', user('usr_2', rui, 'local'));
    tx.put('users', user('usr_3', elsewhere, 'other'));
  });
  const { items } = await worklist.ingest(exam());
  const id = items[0]!.id!;
  const { routes, call } = worklist;
  const assign = async (
    to: string,
    more: { take_over?: boolean; reason?: string } = {},
    as: Parameters<typeof call>[0] = {},
  ) => (await routes.assign({ params: { id }, body: { to, ...more } }, call(as))).data;
  return { ...worklist, id, assign };
}

test('the colleague has the exam, the exam and its history name the giver, and readers are notified', async () => {
  const { id, assign, item, history, feed } = await withExam();
  const heard: unknown[] = [];
  feed.subscribe('local', (change) => heard.push(change));
  const given = await assign('usr_2', { reason: ' Neuro ' });
  expect(given).toMatchObject({
    status: 'in_progress',
    assigned_to: rui,
    assigned_by: helena,
    reason: 'Neuro',
    version: 2,
  });
  expect(await item(id)).toEqual(given);
  expect((await history(id))[0]).toMatchObject({
    who: helena,
    from: 'new',
    to: 'in_progress',
    assigned_to: rui,
    reason: 'Neuro',
  });
  expect(heard).toEqual([
    { space: 'local', id, accession_number: 'SL-1', status: 'in_progress', version: 2, change: 'status' },
  ]);
  expect(await assign('usr_2')).toEqual(given);
  expect(await history(id)).toHaveLength(1);
});

test('a colleague’s exam is given away, or taken back, only with an explicit takeover', async () => {
  const { id, assign, item, setStatus } = await withExam();
  await assign('usr_2');
  const refused = await refusal(assign('usr_1'));
  expect(refused).toMatchObject({ code: 'INVALID_TRANSITION', details: { assigned_to: rui } });
  expect((await refusal(assign('usr_1', {}, asDispatcher))).code).toBe('INVALID_TRANSITION');
  await setStatus(id, { status: 'in_progress', metadata: { take_over: true } });
  const back = await item(id);
  expect(back).toMatchObject({ assigned_to: helena });
  expect(back).not.toHaveProperty('assigned_by');
  await assign('usr_2');
  expect(await assign('usr_1', { take_over: true })).toMatchObject({ assigned_to: helena, assigned_by: helena });
});

test('the recipient of an exam passes it on, signs it or returns it; then it has no giver any more', async () => {
  const { id, assign, item, setStatus } = await withExam();
  await assign('usr_2', {}, asDispatcher);
  expect(await item(id)).toMatchObject({ assigned_to: rui, assigned_by: 'RIS São Lucas' });
  expect(await assign('usr_1', {}, asRui)).toMatchObject({ assigned_to: helena, assigned_by: rui });
  await setStatus(id, { status: 'new' });
  expect(await item(id)).toMatchObject({ assigned_to: null });
  expect(await item(id)).not.toHaveProperty('assigned_by');
});

test('a completed exam is assigned to nobody, and no exam to a stranger', async () => {
  const { id, assign, setStatus } = await withExam();
  for (const to of ['usr_3', 'usr_unknown'])
    expect(fieldErrorsOf(await refusal(assign(to)))).toMatchObject([{ field: 'to', code: 'INVALID_VALUE' }]);
  await setStatus(id, { status: 'cancelled' });
  expect((await refusal(assign('usr_2'))).code).toBe('INVALID_TRANSITION');
});

test('the colleagues are the users of the space: id and name, and no more', async () => {
  const { routes, call } = await withExam();
  const { items } = (await routes.colleagues({ query: {} }, call())).data;
  expect(items).toEqual([
    { id: 'usr_2', display_name: rui },
    { id: 'usr_1', display_name: helena },
  ]);
});

test('whatever the exam and the caller: it goes to the recipient, or stays where it is', () => {
  const person = fc.constantFrom(helena, rui, elsewhere);
  fc.assert(
    fc.property(
      fc.record({ status: fc.constantFrom(...worklistStatuses), assigned_to: fc.option(person) }),
      person,
      fc.record({ who: fc.option(person), takeOver: fc.boolean() }),
      (item, to, by) => {
        const decided = decideAssignment(item, to, by);
        if (decided.outcome === 'moved') expect(decided.assigned_to).toBe(to);
        if (decided.outcome === 'held') expect([to, by.who]).not.toContain(item.assigned_to);
        if (by.takeOver) expect(decided.outcome).not.toBe('held');
        expect(decided.outcome === 'refused').toBe(item.status === 'completed' || item.status === 'cancelled');
      },
    ),
  );
});
