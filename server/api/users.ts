/** The operator's calls for users, the people who log in to this server. */
import { defaultSpace } from '../../src/contract/admin.ts';
import type { User, users } from '../../src/contract/admin.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { foldText } from '../../src/domain/search-text.ts';
import type { Call } from '../http/call.ts';
import { findUser, normaliseUsername } from '../auth/accounts.ts';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { endAccess } from '../auth/grants.ts';
import type { StoredUser } from '../auth/stored-account.ts';
import { readPage } from '../http/paging.ts';
import { providerKey } from '../storage/collections.ts';
import type { Reader } from '../storage/store.ts';

/** The account at the provider; `null` for none. VALIDATION_FAILED if it is another user's. */
async function findAccount(
  { provider }: Pick<AuthorizationServices, 'provider'>,
  reader: Reader,
  { id, space }: Pick<StoredUser, 'id' | 'space'>,
  subject: string | null,
): Promise<StoredUser['provider']> {
  const refuse = (message: string) => validationFailed([{ field: 'provider_subject', message, code: 'INVALID_VALUE' }]);
  if (subject === null) return undefined;
  if (!provider) throw refuse('this server has no login provider (laudio serve --provider)');
  if (provider.space !== space) throw refuse(`the login provider logs in people of the space ${provider.space} alone`);
  const account = { issuer: provider.issuer, subject };
  const [holder] = await reader.find('users', { is: { space, provider: providerKey(account) }, limit: 1 });
  if (holder && holder.id !== id) throw refuse(`that account is the one of the user ${holder.username}`);
  return account;
}

const sameName = (a: string, b: string): boolean => foldText(a) === foldText(b);

export function userRoutes(services: AuthorizationServices): Handlers<typeof users, Call> {
  const { store, clock, ids, hashing } = services;

  return {
    async create({ body }, call) {
      const username = normaliseUsername(body.username);
      if (username === '') {
        throw validationFailed([{ field: 'username', message: 'username must not be blank', code: 'INVALID_VALUE' }]);
      }
      const user: StoredUser = {
        id: ids('usr'),
        username,
        display_name: body.display_name ?? username,
        space: body.space ?? defaultSpace,
        created_at: isoNow(clock),
        ...(body.role !== undefined && { role: body.role }),
        ...(body.licence !== undefined && { licence: body.licence }),
        ...(body.place !== undefined && { place: body.place }),
        password_hash: await hashing.hash(body.password, 'password'),
      };
      return call.commit(async (tx) => {
        if (await findUser(tx, user.space, username)) {
          throw validationFailed([
            { field: 'username', message: 'username is taken in this space', code: 'INVALID_VALUE' },
          ]);
        }
        // A taken exam shows the display name of its holder, so display names must differ.
        const others = await tx.find('users', { is: { space: user.space } });
        if (others.some((other) => sameName(other.display_name, user.display_name))) {
          throw validationFailed([
            { field: 'display_name', message: 'display_name is taken in this space', code: 'INVALID_VALUE' },
          ]);
        }
        tx.put('users', user);
        return { status: 201, data: toUser(user) };
      });
    },
    async list({ query }) {
      return { status: 200, data: await readPage(store, 'users', '', {}, query, toUser) };
    },
    update: ({ params, body: { provider_subject: subject, ...body } }, call) =>
      call.commit(async (tx) => {
        const { role, licence, place, provider: account, ...rest } = await getUser(tx, params.id);
        const merged = { role, licence, place, ...body };
        const linked = subject === undefined ? account : await findAccount(services, tx, rest, subject);
        if (linked?.issuer !== account?.issuer || linked?.subject !== account?.subject)
          await endAccess(tx, clock, { user: rest.id });
        const user: StoredUser = {
          ...rest,
          ...(linked && { provider: linked }),
          ...(merged.role != null && { role: merged.role }),
          ...(merged.licence != null && { licence: merged.licence }),
          ...(merged.place != null && { place: merged.place }),
        };
        tx.put('users', user);
        return { status: 200, data: toUser(user) };
      }),
    async setPassword({ params, body }, call) {
      const password_hash = await hashing.hash(body.password, 'password');
      return call.commit(async (tx) => {
        const user = await getUser(tx, params.id);
        tx.put('users', { ...user, password_hash });
        await endAccess(tx, clock, { user: user.id });
        return { status: 200, data: toUser(user) };
      });
    },
    resetPin: ({ params }, call) =>
      call.commit(async (tx) => {
        const { pin: _taken, ...user } = await getUser(tx, params.id);
        tx.put('users', user);
        return { status: 200, data: toUser(user) };
      }),
    delete: ({ params }, call) =>
      call.commit(async (tx) => {
        const user = await getUser(tx, params.id);
        tx.remove('users', user.id);
        // The user's wordbook belongs to nobody else.
        for (const collection of ['macros', 'vocabulary'] as const)
          for (const { id } of await tx.find(collection, { is: { user: user.id } })) tx.remove(collection, id);
        await endAccess(tx, clock, { user: user.id });
        return { status: 200, data: { id: user.id, deleted: true } };
      }),
  };
}

async function getUser(reader: Reader, id: string): Promise<StoredUser> {
  const user = await reader.get('users', id);
  if (!user) throw new AppError('NOT_FOUND', { message: 'There is no such user.' });
  return user;
}

const toUser = ({ password_hash: _kept, pin: _hidden, ...user }: StoredUser): User => user;
