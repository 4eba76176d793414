/** The calls for macros: those of the caller, and those of the caller's space. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { validationFailed } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { macroOwners } from '../../src/contract/macro.ts';
import type { macros, MacroInput, MacroOwner } from '../../src/contract/macro.ts';
import { isoNow } from '../../src/domain/clock.ts';
import { textSearch } from '../../src/domain/search-text.ts';
import type { Call } from '../http/call.ts';
import { pageAmong } from '../http/paging.ts';
import { checkIfMatch, etagOf } from '../http/versions.ts';
import {
  callOf,
  checkCount,
  checkName,
  macrosFor,
  macrosOf,
  normalTexts,
  problemsOf,
  readMacro,
  toMacro,
  userOf,
} from '../macros/stored-macro.ts';
import type { MacroUser, StoredMacro } from '../macros/stored-macro.ts';
import type { Services } from '../services.ts';

const withTag = (macro: StoredMacro) => ({ data: toMacro(macro), headers: { ETag: etagOf(macro) } });

/** Whether the change leaves everything that people see of the macro as it was. */
const isSame = (one: StoredMacro, other: StoredMacro): boolean =>
  (['name', 'text', 'section', 'language', 'owner'] as const).every((field) => one[field] === other[field]);

export function macroRoutes({
  store,
  ids,
  clock,
}: Pick<Services, 'store' | 'ids' | 'clock'>): Handlers<typeof macros, Call> {
  const newMacro = (input: MacroInput, user: MacroUser): StoredMacro => {
    const { name, text, section = null, language = null, owner = 'person' } = input;
    const now = isoNow(clock);
    return {
      id: ids('mac'),
      name,
      text,
      section,
      language,
      version: 1,
      created_at: now,
      updated_at: now,
      ...ownedBy(owner, user),
    };
  };
  const changed = (macro: StoredMacro, to: Partial<StoredMacro>): StoredMacro => ({
    ...macro,
    ...to,
    version: macro.version + 1,
    updated_at: isoNow(clock),
  });

  return {
    async list({ query }, { caller }) {
      const { owner, language, q } = query;
      const user = userOf(caller);
      const known = await (owner ? macrosOf(store, user, owner) : macrosFor(store, user));
      const matches = textSearch(q ?? '');
      const listed = known.filter(
        (macro) =>
          (language === undefined || (macro.language ?? language) === language) && matches([macro.name, macro.text]),
      );
      // Whose macros they are is part of the listing: a cursor of one person is of no use to another.
      return { status: 200, data: pageAmong(listed, `macros\n${caller.space}\n${caller.user.id}`, query, toMacro) };
    },

    async get({ params }, { caller }) {
      return { status: 200, ...withTag(await readMacro(store, userOf(caller), params.id)) };
    },

    async create({ body }, call) {
      const input = normalTexts(body);
      refuse(problemsOf(input));
      const user = userOf(call.caller);
      return call.commit(async (tx) => {
        const macro = newMacro(input, user);
        const others = await macrosOf(tx, user, macro.owner);
        checkName(macro, others);
        checkCount(others.length + 1);
        tx.put('macros', macro);
        return { status: 201, ...withTag(macro) };
      });
    },

    async import({ body }, call) {
      const user = userOf(call.caller);
      const items = body.items.map(normalTexts);
      refuse(items.flatMap((item, at) => problemsOf(item, `items.${at}.`)));
      return call.commit(async (tx) => {
        const known = new Map((await macrosFor(tx, user)).map((macro) => [placeOf(macro), macro]));
        const done = { created: 0, replaced: 0, unchanged: 0 };
        const places = new Set<string>();
        const problems: FieldError[] = [];
        for (const [at, item] of items.entries()) {
          const made = newMacro(item, user);
          const place = placeOf(made);
          const present = known.get(place);
          if (places.has(place)) problems.push(taken(at, 'is that of another macro before it'));
          else if (present && !body.replace) problems.push(taken(at, 'is that of a macro that is there already'));
          places.add(place);
          const { name, text, section } = made;
          const macro = present ? changed(present, { name, text, section }) : made;
          const outcome = !present ? 'created' : isSame(macro, present) ? 'unchanged' : 'replaced';
          done[outcome] += 1;
          if (outcome === 'unchanged') continue;
          known.set(place, macro);
          tx.put('macros', macro);
        }
        refuse(problems);
        for (const owner of macroOwners) {
          checkCount(Array.from(known.values()).filter((macro) => macro.owner === owner).length);
        }
        return { status: 200, data: done };
      });
    },

    update: ({ params, body }, call) => {
      const user = userOf(call.caller);
      const input = normalTexts(body);
      return call.commit(async (tx) => {
        const before = await readMacro(tx, user, params.id);
        checkIfMatch(call.header('if-match'), before);
        const macro = changed(before, { ...input, ...ownedBy(input.owner ?? before.owner, user) });
        refuse(problemsOf(macro));
        if (isSame(macro, before)) return { status: 200, ...withTag(before) };
        const others = await macrosOf(tx, user, macro.owner);
        checkName(macro, others);
        checkCount(others.filter(({ id }) => id !== macro.id).length + 1);
        tx.put('macros', macro);
        return { status: 200, ...withTag(macro) };
      });
    },

    delete: ({ params }, call) =>
      call.commit(async (tx) => {
        const macro = await readMacro(tx, userOf(call.caller), params.id);
        checkIfMatch(call.header('if-match'), macro);
        tx.remove('macros', macro.id);
        return { status: 200, data: { id: macro.id, deleted: true } };
      }),
  };
}

const ownedBy = (
  owner: MacroOwner,
  { space, user_id }: MacroUser,
): Pick<StoredMacro, 'owner' | 'space' | 'user_id'> => ({
  owner,
  space,
  user_id: owner === 'person' ? user_id! : null,
});

/** Where a macro stands: no other macro may stand there. */
const placeOf = (macro: StoredMacro): string => `${macro.owner} ${callOf(macro)}`;

const taken = (at: number, why: string): FieldError => ({
  field: `items.${at}.name`,
  message: `items.${at}.name ${why}`,
  code: 'INVALID_VALUE',
});

function refuse(problems: readonly FieldError[]): void {
  if (problems.length > 0) throw validationFailed(problems);
}
