/** The operator's calls for the people who log in: src/contract/admin.ts. */
import { beforeEach, expect, test } from 'vitest';
import type { User } from '../../../src/contract/admin.ts';
import {
  adminToken,
  authorizeUrl,
  createAuthorizationApp,
  logIn,
  statusWith,
  usualHashing,
} from '../../support/authorization-app.ts';
import type { AuthorizationApp } from '../../support/authorization-app.ts';

const path = '/api/v1/admin/users';
let server: AuthorizationApp;
beforeEach(async () => {
  server = await createAuthorizationApp();
});

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
  server.app.inject({ method, url, headers: { authorization: `Bearer ${adminToken}` }, ...(payload && { payload }) });
const testUser = async () => (await server.services.store.find('users', {}))[0]!;

test('a user is created in the space of the organisation, and the password is never shown', async () => {
  server = await createAuthorizationApp(undefined, () => usualHashing);
  const answer = await call('POST', path, {
    username: ' nunes ',
    password: 'correct horse',
    display_name: 'Dra. Nunes',
  });
  expect(answer.statusCode).toBe(201);
  expect(answer.json().data).toEqual({
    id: expect.stringMatching(/^usr_/),
    username: 'nunes',
    display_name: 'Dra. Nunes',
    space: 'local',
    created_at: '2026-03-02T11:30:00.000Z',
  });
  const kept = JSON.stringify(await server.services.store.find('users', {}));
  expect(kept).not.toContain('correct horse');
  expect(kept).toContain('scrypt$32768$8$3$');
  const { items } = (await call('GET', path)).json().data as { items: User[] };
  expect(items.map(({ username }) => username)).toEqual(['nunes', 'test-physician']);
});

test('the lines under a signature are set, changed field by field, and removed', async () => {
  const made = await call('POST', path, { username: 'nunes', password: 'correct horse', licence: 'CRM-SP 1' });
  const { id, ...user } = made.json().data as User;
  expect(user).toMatchObject({ licence: 'CRM-SP 1' });
  const changed = async (body: object) => (await call('PATCH', `${path}/${id}`, body)).json().data;
  expect(await changed({ place: 'Santos' })).toEqual({ id, ...user, place: 'Santos' });
  const { licence: _licence, ...unlicensed } = user;
  expect(await changed({ licence: null, place: 'Niterói' })).toEqual({ id, ...unlicensed, place: 'Niterói' });
  expect((await call('PATCH', `${path}/${id}`, {})).statusCode).toBe(400);
  expect((await call('PATCH', `${path}/usr_none`, { place: 'Santos' })).statusCode).toBe(404);
});

test('a role is given, changed and removed, and no other word is one', async () => {
  const made = await call('POST', path, { username: 'caio', password: 'correct horse', role: 'resident' });
  const { id, ...user } = made.json().data as User;
  expect(user).toMatchObject({ role: 'resident' });
  const changed = async (body: object) => (await call('PATCH', `${path}/${id}`, body)).json().data;
  expect(await changed({ role: 'attending' })).toEqual({ id, ...user, role: 'attending' });
  expect((await call('PATCH', `${path}/${id}`, { role: 'chief' })).statusCode).toBe(400);
  const { role: _role, ...plain } = user;
  expect(await changed({ role: null })).toEqual({ id, ...plain });
});

test('a name is taken once in a space, in whatever case or Unicode form', async () => {
  const password = 'correct horse';
  expect((await call('POST', path, { username: 'joão', password })).statusCode).toBe(201);
  for (const username of ['joão', 'JOÃO', 'joa\u0303o', '  joão']) {
    const answer = await call('POST', path, { username, password });
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { errors: [{ field: 'username', code: 'INVALID_VALUE' }] },
    });
  }
  expect((await call('POST', path, { username: 'joão', password, space: 'elsewhere' })).statusCode).toBe(201);
});

test('a display name is unique in a space, since it identifies the owner of an exam', async () => {
  const password = 'correct horse';
  const person = (username: string, more: object = {}) => ({ username, password, display_name: 'Dra. Ana', ...more });
  expect((await call('POST', path, person('ana'))).statusCode).toBe(201);
  const answer = await call('POST', path, person('ana2', { display_name: 'dra. ANA' }));
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error.details.errors).toMatchObject([{ field: 'display_name', code: 'INVALID_VALUE' }]);
  expect((await call('POST', path, person('ana2', { space: 'elsewhere' }))).statusCode).toBe(201);
});

test.each([
  ['a short password', { username: 'x', password: '1234567' }],
  ['a blank name', { username: '   ', password: 'correct horse' }],
])('%s is refused', async (_name, body) => {
  expect((await call('POST', path, body)).statusCode).toBe(400);
  expect(await server.services.store.count('users')).toBe(1);
});

test('a new password ends what was granted under the old one, codes included', async () => {
  const { access_token } = await logIn(server.app);
  await server.app.inject(authorizeUrl());
  const { id, password_hash } = await testUser();
  const answer = await call('POST', `${path}/${id}/password`, { password: 'another one' });
  expect(answer.json().data).toMatchObject({ id, username: 'test-physician' });
  expect((await testUser()).password_hash).not.toBe(password_hash);
  expect(await statusWith(server.app, access_token)).toBe(401);
  const codes = await server.services.store.find('codes', {});
  expect(codes.filter(({ grant_id: grant }) => grant === null)).toEqual([]);
});

test('a deleted user’s tokens end', async () => {
  const { access_token } = await logIn(server.app);
  const { id } = await testUser();
  expect((await call('DELETE', `${path}/${id}`)).json().data).toEqual({ id, deleted: true });
  expect(await statusWith(server.app, access_token)).toBe(401);
  expect((await call('DELETE', `${path}/${id}`)).statusCode).toBe(404);
  expect((await call('POST', `${path}/${id}/password`, { password: 'another one' })).statusCode).toBe(404);
});
