/**
 * PINs for signing. A user with a PIN gives it with each signature. Only the user sets it, with the password; the
 * operator can remove it. After a few consecutive wrong PINs it is locked until then.
 */
import { AppError } from '../../src/contract/errors.ts';
import type { PinState } from '../../src/contract/signature.ts';
import { createOrders } from '../../src/domain/in-order.ts';
import { createAttempts, passwordPolicy } from './attempts.ts';
import type { Call } from '../http/call.ts';
import { getPersonId } from '../http/caller.ts';
import type { Hashing } from './hashing.ts';
import type { Counters, CountTime } from '../storage/counters.ts';
import type { Store } from '../storage/store.ts';
import type { StoredUser } from './stored-account.ts';

/** Wrong PINs in a row before the lock. */
const maxFailures = 5;
/** A member that dies during a comparison leaves it counted that long. */
const comparisonTime: CountTime = { ms: 30_000, renewed: true };

export interface Pins {
  state(call: Call): Promise<PinState>;
  /** `pin: null` removes it. FORBIDDEN if the password is wrong. */
  set(call: Call, password: string, pin: string | null): Promise<PinState>;
  /** Throws FORBIDDEN with `details.reason` if the PIN is missing, wrong or locked. */
  check(call: Call, pin: string | undefined): Promise<void>;
}

interface Deps {
  readonly store: Store;
  readonly counters: Counters;
  readonly hashing: Hashing;
}

export function createPins({ store, counters, hashing }: Deps): Pins {
  const passwords = createAttempts(counters, passwordPolicy);
  /** One PIN per person is compared at a time in this member. */
  const inOrder = createOrders<string>();

  const loadUser = async ({ caller }: Call): Promise<StoredUser> => {
    const { id } = getPersonId(caller, 'has a PIN', 'Log in as the physician.');
    const user = await store.get('users', id);
    if (!user) throw new AppError('NOT_FOUND', { message: 'There is no such user.' });
    return user;
  };
  /** Changes the stored user's PIN. */
  const updatePin = (
    call: Call,
    id: string,
    pin: (present: StoredUser) => StoredUser['pin'],
  ): Promise<{ data: PinState }> =>
    call.commit(async (tx) => {
      const present = await tx.get('users', id);
      if (!present) throw new AppError('NOT_FOUND', { message: 'There is no such user.' });
      const { pin: _former, ...rest } = present;
      const next = pin(present);
      const user: StoredUser = { ...rest, ...(next && { pin: next }) };
      tx.put('users', user);
      return { status: 200, data: stateOf(user) };
    });

  /** Counts the comparison while it runs, so that guesses in several members at once don't exceed the failures before the lock. */
  async function compareCounted(call: Call, id: string, pin: string): Promise<void> {
    const counter = `pin ${id}`;
    const { n } = await counters.add(counter, 1, comparisonTime);
    try {
      await compare(call, id, pin, n);
    } finally {
      await counters.add(counter, -1, comparisonTime);
    }
  }

  /** `running`: comparisons of this person's PIN at the moment, with this one. */
  async function compare(call: Call, id: string, pin: string, running: number): Promise<void> {
    const user = await store.get('users', id);
    if (!user?.pin) return;
    const { hash, failures } = user.pin;
    if (failures >= maxFailures) throw createRefusal('pin_locked');
    if (failures + running > maxFailures)
      throw new AppError('SERVER_BUSY', { message: 'Other signatures of this person are checked.', retryAfter: 1 });
    const asked = { kind: 'password', address: call.address } as const;
    const isRight = await hashing.verify(pin, hash, asked);
    if (isRight && failures === 0) return;
    // A PIN that was replaced meanwhile has its own count.
    await updatePin(call, id, ({ pin: present }) =>
      present?.hash === hash ? { hash, failures: isRight ? 0 : present.failures + 1 } : present,
    );
    if (!isRight) throw createRefusal(failures + 1 >= maxFailures ? 'pin_locked' : 'pin_wrong');
  }

  return {
    state: async (call) => stateOf(await loadUser(call)),
    async set(call, password, pin) {
      const { id, password_hash } = await loadUser(call);
      const { waitSeconds, undo } = await passwords.begin(id);
      if (waitSeconds > 0)
        throw new AppError('SERVER_BUSY', { message: 'Too many wrong passwords.', retryAfter: waitSeconds });
      const asked = { kind: 'password', address: call.address } as const;
      let isRight: boolean;
      try {
        isRight = await hashing.verify(password, password_hash, asked);
      } catch (error) {
        // A busy server compares nothing.
        await undo();
        throw error;
      }
      if (!isRight) throw createRefusal('password_wrong');
      await passwords.recordSuccess(id);
      const hash = pin === null ? undefined : await hashing.hash(pin, 'password');
      return (await updatePin(call, id, () => (hash === undefined ? undefined : { hash, failures: 0 }))).data;
    },
    async check(call, pin) {
      const { user } = call.caller;
      if (!user || !(await store.get('users', user.id))?.pin) return;
      if (pin === undefined) throw createRefusal('pin_missing');
      await inOrder(user.id, () => compareCounted(call, user.id, pin));
    },
  };
}

const stateOf = ({ pin }: Pick<StoredUser, 'pin'>): PinState => ({
  has_pin: pin !== undefined,
  locked: pin !== undefined && pin.failures >= maxFailures,
});

const refusals = {
  pin_missing: ['This signature needs your PIN.', 'Send it as pin.'],
  pin_wrong: ['The PIN is wrong.', `After ${maxFailures} wrong ones in a row it is locked.`],
  pin_locked: ['The PIN is locked.', 'Set another one with your password, or ask the operator to take it away.'],
  password_wrong: ['The password is wrong.', 'Give the password with which you log in.'],
} as const;

const createRefusal = (reason: keyof typeof refusals): AppError =>
  new AppError('FORBIDDEN', { message: refusals[reason][0], hint: refusals[reason][1], details: { reason } });
