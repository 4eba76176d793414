/** What a person or a space keeps for dictating (macros, words): whose it is, who sees it, and what may not stand twice. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import type { Owner } from '../../../src/contract/wordbook.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Caller } from '../../http/call.ts';
import type { Reader, Transaction } from '../../storage/store.ts';

/** A person in a space. */
export interface SpaceUser {
  readonly space: string;
  /** Absent: nobody knows who it is, and only what belongs to the space is found. */
  readonly user_id?: string;
}

export const userOf = ({ space, user }: Pick<Caller, 'space' | 'user'>): SpaceUser => ({
  space,
  ...(user && { user_id: user.id }),
});

export interface Owned {
  readonly id: string;
  readonly space: string;
  /** Whose it is; `null`: the space's. */
  readonly user_id: string | null;
  readonly owner: Owner;
  readonly language: Language | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The fields that the service sets. */
type ServiceField = Exclude<keyof Owned, 'owner' | 'language'>;
export type Input<T extends Owned> = Partial<Omit<T, ServiceField>>;

/** A kind of what is kept: a collection of the store, and the rules of what is in it. */
export interface OwnedKind<T extends Owned, In extends Input<T> = Input<T>> {
  readonly collection: 'macros' | 'vocabulary';
  readonly noun: string;
  readonly prefix: 'mac' | 'trm';
  readonly get: (reader: Reader, id: string) => Promise<T | undefined>;
  readonly find: (reader: Reader, is: { space: string; user?: string; shared?: string }) => Promise<readonly T[]>;
  readonly put: (tx: Transaction, item: T) => void;
  /** The fields of a new one, with their defaults. */
  readonly made: (input: In) => Omit<T, ServiceField | 'owner'>;
  /** The fields that people see change. */
  readonly fields: readonly (keyof T)[];
  /** The fields that an import replaces. */
  readonly replaced: readonly (keyof T)[];
  /** The texts in the form in which they are stored. */
  readonly normal: <I extends Input<T>>(input: I) => I;
  /** What is wrong beyond the schema; `at` stands before the names of the fields. */
  readonly problems: (input: In, at?: string) => FieldError[];
  /**
   * What no other of the same owner in the same language may have: field, and its value as values are compared. An import
   * replaces by the first.
   */
  readonly claims: (item: T) => readonly Claim[];
  /** The texts that a search reads. */
  readonly searched: (item: T) => string[];
  /** 413 where an owner would have more than one may. */
  readonly checkCount: (items: readonly T[]) => void;
}

export interface Claim {
  readonly field: string;
  readonly value: string;
}

/** As the API shows it. */
export const shown = <T extends Owned>({ space: _space, user_id: _user, ...item }: T): Omit<T, 'space' | 'user_id'> =>
  item;

/** VALIDATION_FAILED where nobody is there to whom it could belong. */
export function ownedBy(owner: Owner, { space, user_id }: SpaceUser): Pick<Owned, 'owner' | 'space' | 'user_id'> {
  if (owner === 'space') return { owner, space, user_id: null };
  if (user_id === undefined)
    throw validationFailed([invalid('', 'owner', 'must be space: no user is logged in whose it could be')]);
  return { owner, space, user_id };
}

/** What one owner has, newest first. */
export const itemsOf = async <T extends Owned, In extends Input<T>>(
  { find }: Pick<OwnedKind<T, In>, 'find'>,
  reader: Reader,
  { space, user_id: user }: SpaceUser,
  owner: Owner,
): Promise<readonly T[]> => {
  if (owner === 'space') return find(reader, { space, shared: space });
  return user === undefined ? [] : find(reader, { space, user });
};

/** All that the person may use: first what belongs to the person, then what belongs to the space; of each the newest first. */
export const itemsFor = async <T extends Owned, In extends Input<T>>(
  kind: Pick<OwnedKind<T, In>, 'find'>,
  reader: Reader,
  user: SpaceUser,
): Promise<readonly T[]> =>
  (await Promise.all([itemsOf(kind, reader, user, 'person'), itemsOf(kind, reader, user, 'space')])).flat();

/** Reads one that the person may see. 404 for another person's, whose existence is nobody's business. */
export async function readItem<T extends Owned, In extends Input<T>>(
  { get, noun }: Pick<OwnedKind<T, In>, 'get' | 'noun'>,
  reader: Reader,
  { space, user_id: user }: SpaceUser,
  id: string,
): Promise<T> {
  const item = await get(reader, id);
  if (item?.space !== space || (item.user_id !== null && item.user_id !== user)) {
    throw new AppError('NOT_FOUND', { message: `There is no such ${noun}.` });
  }
  return item;
}

/** A claim among all of its owner, in its language. */
export const claimKey = ({ language }: Pick<Owned, 'language'>, { value }: Claim): string =>
  `${language ?? ''} ${value}`;

export const invalid = (at: string, field: string, message: string): FieldError => ({
  field: `${at}${field}`,
  message: `${at}${field} ${message}`,
  code: 'INVALID_VALUE',
});
