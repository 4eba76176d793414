/** Finds the user of an account at the login provider, or creates one at the first login. */
import { isoNow } from '../../../src/domain/clock.ts';
import { foldText } from '../../../src/domain/search-text.ts';
import { isFit } from '../../../src/domain/characters.ts';
import { ownIdOrNull } from '../../http/own-ids.ts';
import { serviceActor } from '../../storage/actor.ts';
import { providerKey } from '../../storage/collections.ts';
import type { Reader, Transaction } from '../../storage/store.ts';
import { findUser, normaliseUsername } from '../accounts.ts';
import type { AuthorizationServices, Sender } from '../exchange.ts';
import { endAccess } from '../grants.ts';
import { sha256 } from '../../runtime/secrets.ts';
import type { StoredUser } from '../stored-account.ts';
import { personRoles } from './provider-options.ts';
import type { OperatorRole, PersonRole } from './provider-options.ts';
import type { ProviderIdentity } from './provider.ts';

type Deps = Pick<AuthorizationServices, 'store' | 'clock' | 'ids'>;

/** The stored role of each role at the provider. */
const signingRoles = { resident: 'resident', attending: 'attending', physician: undefined } as const satisfies Readonly<
  Record<PersonRole, StoredUser['role']>
>;

const findByIdentity = async (
  reader: Reader,
  space: string,
  { issuer, subject }: Pick<ProviderIdentity, 'issuer' | 'subject'>,
): Promise<StoredUser | undefined> =>
  (await reader.find('users', { is: { space, provider: providerKey({ issuer, subject }) }, limit: 1 }))[0];

interface Place {
  readonly space: string;
  readonly from: Sender;
}

/**
 * The user of a person with a role that signs; `undefined` if they have none, or lost it: then all that they granted ends. The
 * provider decides the role at each login.
 */
export function admitPerson(
  { store, clock, ids }: Deps,
  identity: ProviderIdentity,
  { space, from }: Place,
): Promise<StoredUser | undefined> {
  const role = personRoles.find((each) => identity.roles.has(each));
  return store.transact(
    async (tx) => {
      const known = await findByIdentity(tx, space, identity);
      if (role === undefined) {
        if (known) await endAccess(tx, clock, { user: known.id });
        return undefined;
      }
      const signs = signingRoles[role];
      if (known && known.role === signs) return known;
      const { role: _former, ...user } = known ?? (await createUser(tx, { clock, ids }, identity, space));
      const admitted: StoredUser = { ...user, ...(signs && { role: signs }) };
      tx.put('users', admitted);
      return admitted;
    },
    () => createActor(from),
  );
}

/** Id of the setting that an operator has logged in by name. */
const namedId = 'named_operator';

export const hasNamedOperator = async ({ store }: Pick<Deps, 'store'>): Promise<boolean> =>
  (await store.get('settings', namedId)) !== undefined;

/** The user of an operator or auditor, whom the audit trail names; created at the first login. */
export function admitOperator(
  { store, clock, ids }: Deps,
  identity: ProviderIdentity,
  { space, from, role }: Place & { readonly role: OperatorRole },
): Promise<StoredUser> {
  return store.transact(
    async (tx) => {
      if (role === 'operator' && !(await tx.get('settings', namedId))) tx.put('settings', { id: namedId, value: true });
      const known = await findByIdentity(tx, space, identity);
      if (known) return known;
      const user = await createUser(tx, { clock, ids }, identity, space);
      tx.put('users', user);
      return user;
    },
    () => createActor(from),
  );
}

/** Ends all that the person granted; returns the user's id. `undefined`: nobody here has the account. */
export function endPerson(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  account: Pick<ProviderIdentity, 'issuer' | 'subject'>,
  { space, from }: Place,
): Promise<string | undefined> {
  return store.transact(
    async (tx) => {
      const known = await findByIdentity(tx, space, account);
      if (known) await endAccess(tx, clock, { user: known.id });
      return known?.id;
    },
    () => ({ ...createActor(from), action: 'provider_logout' }),
  );
}

const createActor = ({ address, request_id }: Sender) => ({
  ...serviceActor('provider_login'),
  address,
  request_id: ownIdOrNull(request_id),
});

/** A user without a password. The names of others are never taken over: a namesake gets a number. */
async function createUser(
  tx: Transaction,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  { issuer, subject, username, display_name }: ProviderIdentity,
  space: string,
): Promise<StoredUser> {
  const own = toName('identifier', normaliseUsername(username ?? ''), 80) ?? `user-${sha256(subject).slice(0, 8)}`;
  const shown = toName('line', display_name?.trim() ?? '', 180) ?? own;
  const displayed = new Set((await tx.find('users', { is: { space } })).map((user) => foldText(user.display_name)));
  return {
    id: ids('usr'),
    username: await findFree(
      own,
      (number) => `${own}-${number}`,
      async (name) => !(await findUser(tx, space, name)),
    ),
    display_name: await findFree(
      shown,
      (number) => `${shown} (${number})`,
      async (name) => !displayed.has(foldText(name)),
    ),
    space,
    created_at: isoNow(clock),
    password_hash: '',
    provider: { issuer, subject },
  };
}

/** The name shortened; `undefined` if it is none. */
function toName(kind: 'identifier' | 'line', name: string, maxLength: number): string | undefined {
  const short = name.slice(0, maxLength).trim();
  return short !== '' && isFit(kind, short) ? short : undefined;
}

async function findFree(
  name: string,
  numbered: (number: number) => string,
  isFree: (name: string) => Promise<boolean>,
): Promise<string> {
  let free = name;
  for (let number = 2; !(await isFree(free)); number++) free = numbered(number);
  return free;
}
