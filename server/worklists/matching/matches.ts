/** Matches the items of a batch to stored items by their identifiers. */
import type { FieldError } from '../../../src/contract/errors.ts';
import { identifierNames } from '../../../src/domain/normalise.ts';
import { accessionKey, accessionNames } from '../../storage/collections.ts';
import type { Documents, Names } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';
import { ordersOf } from '../ingest/message-orders.ts';
import { elementAt } from '../../../src/domain/elements.ts';

type StoredItem = Documents['items'];

/** A stored item in its current state. */
export interface Match {
  item: StoredItem;
  /** Whether an item of the batch has named it by an accession number. */
  isNamed: boolean;
}

/** The matching stored item, and whether the two identifiers match different ones. */
export interface MatchResult {
  readonly found: Match | undefined;
  readonly isConflict: boolean;
}

const unknown: MatchResult = { found: undefined, isConflict: false };

type Identifier = (typeof identifierNames)[number];
const indexOf = { accession_number: 'accession', study_uid: 'study' } as const satisfies Record<Identifier, string>;

/**
 * Indexes stored items by the batch's identifiers, and is kept up to date while the batch is applied. One round of
 * look-ups serves all.
 */
export async function loadMatches(reader: Reader, space: string, items: readonly CheckedItem[]) {
  const byAccession = new Map<string, Match>();
  const byStudy = new Map<string, Match>();
  const byIdentifier: Record<Identifier, Map<string, Match>> = { accession_number: byAccession, study_uid: byStudy };
  /** One match per stored item, even if the store returns two copies. */
  const byId = new Map<string, Match>();
  /** Exams created by the batch; few requests need them by id. */
  let brought: Match[] = [];
  const all = (): typeof byId => {
    for (const match of brought) byId.set(match.item.id, match);
    brought = [];
    return byId;
  };

  const sent = items.map(identifiersOf);
  /** Exams may have these numbers until their accession numbers arrive. */
  const placers = items.map(findPlacer);
  const take = (item: StoredItem): Match => {
    let match = all().get(item.id);
    if (!match) byId.set(item.id, (match = { item, isNamed: false }));
    return match;
  };

  const lookUp = async (name: Identifier, values: readonly string[]): Promise<void> => {
    const stored = await reader.findEach('items', indexOf[name], space, values);
    stored.forEach((item, at) => item && byIdentifier[name].set(elementAt(values, at), take(item)));
  };
  const lookUps: Promise<void>[] = [];
  for (const name of identifierNames) {
    const named = sent.map((identifiers) => identifiers[name]);
    const values = [...named, ...(name === 'accession_number' ? placers : [])].filter((value) => value !== undefined);
    if (values.length > 0) lookUps.push(lookUp(name, values));
  }
  // Most requests name their exams in one way, and to wait for a list of one takes several times as long.
  await (lookUps.length === 1 ? lookUps[0] : Promise.all(lookUps));

  return {
    take,
    /** Exams that the batch has found or created so far. */
    *items(): Generator<StoredItem> {
      for (const { item } of all().values()) yield item;
    },
    isNamed: ({ id }: StoredItem): boolean => all().get(id)?.isNamed ?? false,
    /** The match of the item with that index. */
    find(index: number): MatchResult {
      const { accession_number, study_uid } = elementAt(sent, index);
      const first = accession_number === undefined ? undefined : byAccession.get(accession_number);
      const second = study_uid === undefined ? undefined : byStudy.get(study_uid);
      if (!first && !second) return unknown;
      return { found: first ?? second, isConflict: first !== undefined && second !== undefined && first !== second };
    },
    /** The exam whose accession number is the placer's number of the item's orders. */
    findByPlacer(index: number): Match | undefined {
      const placer = placers[index];
      return placer === undefined ? undefined : byAccession.get(placer);
    },
    set(match: Match, item: StoredItem): void {
      if (match.item === item) brought.push(match);
      for (const name of identifierNames) {
        const index = byIdentifier[name];
        const previous = readNames(match.item, name);
        const present = readNames(item, name);
        if (previous !== present) for (const each of listed(previous)) index.delete(each);
        if (typeof present === 'string') index.set(present, match);
        else for (const each of listed(present)) index.set(each, match);
      }
      match.item = item;
    },
    /** Whether another item has one of the accession numbers. Sequential, because the first hit decides. */
    async areOthers(names: readonly string[], { id }: StoredItem): Promise<boolean> {
      for (const name of names) {
        const [stored] = byAccession.has(name) ? [] : await reader.findEach('items', 'accession', space, [name]);
        const other = byAccession.get(name)?.item ?? (stored && (all().get(stored.id)?.item ?? stored));
        if (other && other.id !== id && listed(accessionNames(other)).includes(name)) return true;
      }
      return false;
    },
  };
}

/** The index names of a stored item for that identifier. */
const readNames = (item: StoredItem, name: Identifier): Names =>
  name === 'accession_number' ? accessionNames(item) : item[name];

const listed = (names: Names): readonly string[] => (names === null ? [] : [names].flat());

/** The new accession numbers of an exam that has several; `undefined` if there are none. */
export function findNewNames(before: StoredItem | undefined, after: StoredItem): readonly string[] | undefined {
  const names = accessionNames(after);
  if (names === null || typeof names === 'string') return undefined;
  const known = before ? listed(accessionNames(before)) : [];
  const others = names.filter((name) => !known.includes(name));
  return others.length > 0 ? others : undefined;
}

/** The item's valid identifiers, as index names. */
const identifiersOf = ({ fields, errors }: CheckedItem): Record<Identifier, string | undefined> => ({
  accession_number: issuedBy(
    readIdentifier('accession_number', fields['accession_number'], errors),
    readIdentifier('accession_issuer', fields['accession_issuer'], errors),
  ),
  study_uid: readIdentifier('study_uid', fields['study_uid'], errors),
});

const issuedBy = (number: string | undefined, issuer: string | undefined): string | undefined =>
  number === undefined ? undefined : accessionKey(number, issuer);

/** The number of the orders' placer as an index name. */
function findPlacer(sent: CheckedItem): string | undefined {
  const orders = sent.errors.length === 0 ? ordersOf(sent) : undefined;
  const number = orders?.find((order) => order.placer_order_number !== undefined)?.placer_order_number;
  return number === undefined ? undefined : accessionKey(number, undefined);
}

function readIdentifier(
  name: Identifier | 'accession_issuer',
  value: unknown,
  errors: readonly FieldError[],
): string | undefined {
  if (typeof value !== 'string') return undefined;
  for (const { field } of errors) if (field === name) return undefined;
  return value;
}
