/** The calls for the wordbook of a person or a space: macros and vocabulary. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import type { macros } from '../../src/contract/macro.ts';
import { owners } from '../../src/contract/wordbook.ts';
import type { Owner } from '../../src/contract/wordbook.ts';
import type { vocabulary } from '../../src/contract/vocabulary.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { textSearch } from '../../src/domain/search-text.ts';
import type { Call } from '../http/call.ts';
import { pageAmong } from '../http/paging.ts';
import type { PageRequest } from '../http/paging.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import { macroKind } from '../records/wordbook/macros.ts';
import {
  claimKey,
  invalid,
  listUsableItems,
  listItems,
  assignOwner,
  readItem,
  toApiItem,
  toSpaceUser,
} from '../records/wordbook/wordbook-item.ts';
import type { Claim, Input, WordbookItem, WordbookKind, SpaceUser } from '../records/wordbook/wordbook-item.ts';
import { termKind } from '../records/wordbook/vocabulary.ts';
import type { RecordDeps } from '../records/deps.ts';

type Keeping = Pick<RecordDeps, 'store' | 'ids' | 'clock'>;

export const macroRoutes = (services: Keeping): Handlers<typeof macros, Call> => ownedRoutes(services, macroKind);

export const vocabularyRoutes = (services: Keeping): Handlers<typeof vocabulary, Call> =>
  ownedRoutes(services, termKind);

interface Listing extends PageRequest {
  readonly owner?: Owner;
  readonly language?: WordbookItem['language'];
  readonly q?: string;
}

function ownedRoutes<T extends WordbookItem, In extends Input<T>>(
  { store, ids, clock }: Keeping,
  kind: WordbookKind<T, In>,
) {
  const { collection } = kind;
  const editor = createItemEditor(kind, { ids, clock });
  const withTag = (item: T) => ({ data: toApiItem(item), headers: { ETag: etagOf(item) } });

  return {
    async list({ query }: { query: Listing }, { caller }: Call) {
      const { owner, language, q } = query;
      const user = toSpaceUser(caller);
      const kept = await (owner ? listItems(kind, store, user, owner) : listUsableItems(kind, store, user));
      const matches = textSearch(q ?? '');
      const listed = kept.filter(
        (item) =>
          (language === undefined || (item.language ?? language) === language) && matches(kind.searchTexts(item)),
      );
      // The cursor includes the person: it is of no use to another one.
      const scope = `${collection}\n${caller.space}\n${caller.user?.id ?? ''}`;
      return { status: 200 as const, data: pageAmong(listed, scope, query, toApiItem<T>) };
    },

    async get({ params }: { params: { id: string } }, { caller }: Call) {
      return { status: 200 as const, ...withTag(await readItem(kind, store, toSpaceUser(caller), params.id)) };
    },

    async create({ body }: { body: In }, call: Call) {
      const input = kind.normalise(body);
      refuse(kind.findProblems(input));
      const user = toSpaceUser(call.caller);
      return call.commit(async (tx) => {
        const item = editor.create(input, user);
        const others = await listItems(kind, tx, user, item.owner);
        checkClaims(kind, item, others);
        kind.checkCount([...others, item]);
        kind.put(tx, item);
        return { status: 201 as const, ...withTag(item) };
      });
    },

    async import({ body }: { body: { items: readonly In[]; replace?: boolean } }, call: Call) {
      const user = toSpaceUser(call.caller);
      const inputs = body.items.map((item) => kind.normalise(item));
      refuse(inputs.flatMap((input, at) => kind.findProblems(input, `items.${at}.`)));
      return call.commit(async (tx) => {
        const made = inputs.map((input) => editor.create(input, user));
        const stored = await listUsableItems(kind, tx, user);
        const { kept, changed, counts, problems } = mergeItems(kind, editor, stored, made, body.replace);
        refuse(problems);
        for (const owner of owners) kind.checkCount(kept.filter((item) => item.owner === owner));
        for (const item of changed) kind.put(tx, item);
        return { status: 200 as const, data: counts };
      });
    },

    update: ({ params, body }: { params: { id: string }; body: Input<T> }, call: Call) => {
      const user = toSpaceUser(call.caller);
      const input = kind.normalise(body);
      return call.commit(async (tx) => {
        const before = await readItem(kind, tx, user, params.id);
        checkIfMatch(call.header('if-match'), before);
        const owned = assignOwner(input.owner ?? before.owner, user);
        const item = editor.change(before, { ...input, ...owned } as Partial<T>);
        refuse(kind.findProblems(item as unknown as In));
        if (editor.isSame(item, before)) return { status: 200 as const, ...withTag(before) };
        const others = await listItems(kind, tx, user, item.owner);
        checkClaims(kind, item, others);
        kind.checkCount([...others.filter(({ id }) => id !== item.id), item]);
        kind.put(tx, item);
        return { status: 200 as const, ...withTag(item) };
      });
    },

    delete: ({ params }: { params: { id: string } }, call: Call) =>
      call.commit(async (tx) => {
        const item = await readItem(kind, tx, toSpaceUser(call.caller), params.id);
        checkIfMatch(call.header('if-match'), item);
        tx.remove(collection, item.id);
        return { status: 200 as const, data: { id: item.id, deleted: true as const } };
      }),
  };
}

/** New items, and changed ones as their next versions. */
function createItemEditor<T extends WordbookItem, In extends Input<T>>(
  kind: WordbookKind<T, In>,
  { ids, clock }: Pick<Keeping, 'ids' | 'clock'>,
) {
  return {
    create(input: In, user: SpaceUser): T {
      const now = isoNow(clock);
      return {
        id: ids(kind.prefix),
        ...kind.withDefaults(input),
        version: 1,
        created_at: now,
        updated_at: now,
        ...assignOwner(input.owner ?? 'person', user),
      } as unknown as T;
    },
    change: (item: T, to: Partial<T>): T => ({
      ...item,
      ...to,
      version: item.version + 1,
      updated_at: isoNow(clock),
    }),
    /** Whether the change has no visible effect. */
    isSame: (one: T, other: T): boolean =>
      kind.fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field])),
  };
}

/** Throws 409 if another item of the same owner has the same name or words. */
function checkClaims<T extends WordbookItem, In extends Input<T>>(
  { noun, listClaims }: WordbookKind<T, In>,
  item: T,
  others: readonly T[],
): void {
  const own = listClaims(item);
  const [{ field }] = own;
  for (const other of others) {
    if (other.id === item.id || other.language !== item.language) continue;
    const taken = own.find(({ value }) => listClaims(other).some((claim) => claim.value === value));
    if (!taken) continue;
    throw new AppError('IDENTIFIER_CONFLICT', {
      message: `There is a ${noun} of this ${taken.field} already.`,
      details: { id: other.id, [field]: other[field as keyof T], language: other.language, owner: other.owner },
      hint: `Change that ${noun}, or choose another ${taken.field}.`,
    });
  }
}

/** The ids of the items that have a name or words. */
function createClaimRegister<T extends WordbookItem, In extends Input<T>>({
  listClaims,
}: Pick<WordbookKind<T, In>, 'listClaims'>) {
  const holders = new Map<string, string>();
  const ownedKey = (item: T, claim: Claim): string => `${item.owner} ${claimKey(item, claim)}`;
  return {
    add(item: T): void {
      for (const claim of listClaims(item)) holders.set(ownedKey(item, claim), item.id);
    },
    remove(item: T): void {
      for (const claim of listClaims(item)) holders.delete(ownedKey(item, claim));
    },
    findHolder: (item: T, claim: Claim): string | undefined => holders.get(ownedKey(item, claim)),
  };
}

/** Merges imported items into the stored ones, in order: one with the main claim of a stored item replaces its fields. */
function mergeItems<T extends WordbookItem, In extends Input<T>>(
  kind: WordbookKind<T, In>,
  editor: ReturnType<typeof createItemEditor<T, In>>,
  stored: readonly T[],
  imported: readonly T[],
  mayReplace = false,
) {
  const { noun } = kind;
  const kept = new Map(stored.map((item) => [item.id, item]));
  const register = createClaimRegister(kind);
  for (const item of stored) register.add(item);
  const counts = { created: 0, replaced: 0, unchanged: 0 };
  const done = new Set<string>();
  const changed: T[] = [];
  const problems: FieldError[] = [];
  for (const [at, made] of imported.entries()) {
    const [main, ...additional] = kind.listClaims(made);
    const present = kept.get(register.findHolder(made, main) ?? '');
    const problem = (field: string, whose: string): void =>
      void problems.push(invalid(`items.${at}.`, field, `is that of ${whose}`));
    if (present && done.has(present.id)) problem(main.field, `another ${noun} before it`);
    else if (present && !mayReplace) problem(main.field, `a ${noun} that is there already`);
    for (const claim of additional) {
      const other = register.findHolder(made, claim);
      if (other !== undefined && other !== present?.id) problem(claim.field, `another ${noun}`);
    }
    const fields = Object.fromEntries(kind.replaced.map((field) => [field, made[field]])) as Partial<T>;
    const item = present ? editor.change(present, fields) : made;
    const outcome = !present ? 'created' : editor.isSame(item, present) ? 'unchanged' : 'replaced';
    counts[outcome] += 1;
    done.add(item.id);
    if (outcome === 'unchanged') continue;
    if (present) register.remove(present);
    register.add(item);
    kept.set(item.id, item);
    changed.push(item);
  }
  return { kept: [...kept.values()], changed, counts, problems };
}

function refuse(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}
