/** Wordbook items of a person or space (macros, words): ownership, visibility and uniqueness. */
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import type { Owner } from '../../../src/contract/wordbook.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Caller } from '../../http/call.ts';
import type { Reader, Transaction } from '../../storage/store.ts';

/** A person in a space. */
export interface SpaceUser {
  readonly space: string;
  /** Absent if the person is unknown: only the space's items are found. */
  readonly user_id?: string;
}

export const toSpaceUser = ({ space, user }: Pick<Caller, 'space' | 'user'>): SpaceUser => ({
  space,
  ...(user && { user_id: user.id }),
});

export interface WordbookItem {
  readonly id: string;
  readonly space: string;
  /** The owner; `null` for the space. */
  readonly user_id: string | null;
  readonly owner: Owner;
  readonly language: Language | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Fields that the service sets. */
type ServiceField = Exclude<keyof WordbookItem, 'owner' | 'language'>;
export type Input<T extends WordbookItem> = Partial<Omit<T, ServiceField>>;

/** A kind of wordbook item: its collection in the store, and its rules. */
export interface WordbookKind<T extends WordbookItem, In extends Input<T> = Input<T>> {
  readonly collection: 'macros' | 'vocabulary';
  readonly noun: string;
  readonly prefix: 'mac' | 'trm';
  readonly get: (reader: Reader, id: string) => Promise<T | undefined>;
  readonly find: (reader: Reader, is: { space: string; user?: string; shared?: string }) => Promise<readonly T[]>;
  readonly put: (tx: Transaction, item: T) => void;
  /** The fields of a new item, with defaults. */
  readonly withDefaults: (input: In) => Omit<T, ServiceField | 'owner'>;
  /** The fields that count as changes. */
  readonly fields: readonly (keyof T)[];
  /** The fields that an import replaces. */
  readonly replaced: readonly (keyof T)[];
  /** Normalises the texts for the store. */
  readonly normalise: <I extends Input<T>>(input: I) => I;
  /** Problems beyond the schema; `at` is the prefix of field names. */
  readonly findProblems: (input: In, at?: string) => FieldError[];
  /** Values that must be unique per owner and language, normalised for comparison. An import replaces by the first. */
  readonly listClaims: (item: T) => readonly [Claim, ...Claim[]];
  /** The searchable texts. */
  readonly searchTexts: (item: T) => string[];
  /** 413 if an owner would have too many. */
  readonly checkCount: (items: readonly T[]) => void;
}

export interface Claim {
  readonly field: string;
  readonly value: string;
}

/** The item as the API shows it. */
export const toApiItem = <T extends WordbookItem>({
  space: _space,
  user_id: _user,
  ...item
}: T): Omit<T, 'space' | 'user_id'> => item;

/** VALIDATION_FAILED if no user is logged in to own it. */
export function assignOwner(
  owner: Owner,
  { space, user_id }: SpaceUser,
): Pick<WordbookItem, 'owner' | 'space' | 'user_id'> {
  if (owner === 'space') return { owner, space, user_id: null };
  if (user_id === undefined)
    throw validationFailed([invalid('', 'owner', 'must be space: no user is logged in whose it could be')]);
  return { owner, space, user_id };
}

/** The items of one owner, newest first. */
export const listItems = async <T extends WordbookItem, In extends Input<T>>(
  { find }: Pick<WordbookKind<T, In>, 'find'>,
  reader: Reader,
  { space, user_id: user }: SpaceUser,
  owner: Owner,
): Promise<readonly T[]> => {
  if (owner === 'space') return find(reader, { space, shared: space });
  return user === undefined ? [] : find(reader, { space, user });
};

/** All items that the person may use: the person's, then the space's, each newest first. */
export const listUsableItems = async <T extends WordbookItem, In extends Input<T>>(
  kind: Pick<WordbookKind<T, In>, 'find'>,
  reader: Reader,
  user: SpaceUser,
): Promise<readonly T[]> =>
  (await Promise.all([listItems(kind, reader, user, 'person'), listItems(kind, reader, user, 'space')])).flat();

/** Reads an item that the person may see. 404 for another person's item, so that its existence is not revealed. */
export async function readItem<T extends WordbookItem, In extends Input<T>>(
  { get, noun }: Pick<WordbookKind<T, In>, 'get' | 'noun'>,
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

/** Identifies a claim; unique per owner and language. */
export const claimKey = ({ language }: Pick<WordbookItem, 'language'>, { value }: Claim): string =>
  `${language ?? ''} ${value}`;

export const invalid = (at: string, field: string, message: string): FieldError => ({
  field: `${at}${field}`,
  message: `${at}${field} ${message}`,
  code: 'INVALID_VALUE',
});
