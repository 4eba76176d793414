/** The PIN by which a person signs: set by the password, needed for each signature, locked after a few wrong ones. */
import { expect, onTestFinished, test } from 'vitest';
import { defaultSpace } from '../../../src/contract/admin.ts';
import { contract } from '../../../src/contract/index.ts';
import { dictated, startApi, succeeded } from '../../support/api.ts';

const { records, signatures, users } = contract;
const password = 'battery staple';

async function asPhysician() {
  const api = await startApi({}, onTestFinished);
  const user = await api.createUser({ username: 'helena', password, display_name: 'Dra. Helena', space: defaultSpace });
  const client = await api.createClient({ space: defaultSpace });
  const { access_token: token } = await api.tokens({ client, login: { username: 'helena', password } });
  return {
    api,
    user,
    state: async () => succeeded(await api.call(signatures.endpoints.pin, { token })),
    setPin: (pin: unknown, by = password) =>
      api.call(signatures.endpoints.setPin, { token, body: { password: by, pin } }),
    /** Signs a new record; gives the status of the answer, and why it was refused. */
    async sign(body: Record<string, unknown> = {}) {
      const { id } = await api.generate({ text: dictated }, { token });
      const call = { token, params: { id } };
      const { status, error } = await api.call(records.endpoints.update, {
        ...call,
        body: { status: 'final', ...body },
      });
      const record = succeeded(await api.call(records.endpoints.get, call));
      const isSigned = record.status === 'final' || record.signing !== undefined;
      expect(isSigned).toBe(status === 200);
      return status === 200 ? 'signed' : (error.details['reason'] ?? error.code);
    },
    edit: async (id: string) => api.call(records.endpoints.update, { token, params: { id }, body: { title: 'Other' } }),
  };
}

test('a user with a PIN signs with it, with or without a grace period; others sign as before', async () => {
  const { sign, setPin, state, api } = await asPhysician();
  expect(await state()).toEqual({ has_pin: false, locked: false });
  expect(await sign()).toBe('signed');
  // Longer than any number in the log.
  const pin = '471147114711';
  expect(succeeded(await setPin(pin))).toEqual({ has_pin: true, locked: false });
  expect(await sign()).toBe('pin_missing');
  expect(await sign({ grace_seconds: 60 })).toBe('pin_missing');
  expect(await sign({ pin: '471147114712' })).toBe('pin_wrong');
  expect(await sign({ pin })).toBe('signed');
  expect(await sign({ pin, grace_seconds: 60 })).toBe('signed');
  expect(succeeded(await setPin(null))).toEqual({ has_pin: false, locked: false });
  expect(await sign()).toBe('signed');
  expect(JSON.stringify(api.logged)).not.toContain(pin);
});

test('five wrong ones in a row lock it, however they come; its owner or the operator unlocks it', async () => {
  const { sign, setPin, state, api, user } = await asPhysician();
  await setPin('4711');
  for (const _ of [1, 2, 3, 4]) expect(await sign({ pin: '0000' })).toBe('pin_wrong');
  expect(await sign({ pin: '4711' })).toBe('signed');
  const guesses = await Promise.all(Array.from({ length: 8 }, (_, n) => sign({ pin: `100${n}` })));
  expect(guesses.filter((each) => each === 'pin_wrong')).toHaveLength(4);
  expect(guesses.filter((each) => each === 'pin_locked')).toHaveLength(4);
  expect(await sign({ pin: '4711' })).toBe('pin_locked');
  expect(await state()).toEqual({ has_pin: true, locked: true });
  expect(succeeded(await setPin('815815'))).toEqual({ has_pin: true, locked: false });
  expect(await sign({ pin: '815815' })).toBe('signed');
  succeeded(await api.call(users.endpoints.resetPin, { params: { id: user.id } }));
  expect(await state()).toEqual({ has_pin: false, locked: false });
  expect(await sign()).toBe('signed');
});

test('is set by who knows the password, and has 4 to 12 digits', async () => {
  const { setPin, state } = await asPhysician();
  expect((await setPin('4711', 'a wrong one')).error.details).toMatchObject({ reason: 'password_wrong' });
  for (const pin of ['', '123', '1234567890123', 'abcd', '12 34', 4711, '١٢٣٤'])
    expect([pin, (await setPin(pin)).status]).toEqual([pin, 400]);
  expect(await state()).toEqual({ has_pin: false, locked: false });
});

test('is nowhere in what the server shows of users, records and exports', async () => {
  const { setPin, api, sign } = await asPhysician();
  await setPin('4711');
  await sign({ pin: '4711' });
  const listed = await api.call(users.endpoints.list);
  expect(listed.text).not.toMatch(/pin|scrypt/);
});
