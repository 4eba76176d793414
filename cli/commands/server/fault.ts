import { AppError } from '../../../src/contract/errors.ts';
import { faultEffects } from '../../../src/contract/fault-effects.ts';
import { faultProfileNames, faultProfiles, isFaultProfile, rememberedStrikes } from '../../../src/contract/fault.ts';
import type { Fault, FaultInput } from '../../../src/contract/fault.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, flag, integer, optional } from '../../command.ts';
import type { Context } from '../../context.ts';
import { faultOptions, readFault } from '../../serving/fault-fields.ts';
import { faultColumns, strikeColumns } from '../../resources/fault.ts';
import { wholeList } from '../../shell/paging.ts';
import type { PagingInput } from '../../shell/paging.ts';
import { listView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const faultActions = ['add', 'list', 'remove', 'log'] as const;
type Action = (typeof faultActions)[number];

const profiles = faultProfileNames.map((name) => `${name}: ${faultProfiles[name].summary}`).join('; ');

export const command = defineCommand({
  description: `Tests how a client handles failures. A fault matches calls, counts them, and strikes some: it delays, refuses, cuts off or corrupts the answer; it fails jobs (--job) or blocks webhooks (--webhook). It strikes only calls of test clients, unless --all-clients is given, and never those of the operator. Faults end when they are removed or the server stops; delayed work then continues. If several faults strike a call, all take effect; of two effects of one kind, the first. Profiles: ${profiles}.`,
  arguments: {
    action: optional(`${faultActions.join(', ')}; default list`, faultActions),
    name: optional('Name of a fault or of a profile; with add, a profile or a new name', faultProfileNames),
  },
  options: {
    ...faultOptions,
    all: flag('With remove: every fault'),
    limit: integer(`With log: maximum number; default ${rememberedStrikes}`),
    yes: flag('Do not ask', { short: 'y' }),
  },
  examples: [
    ['laudio server fault add flaky --seed 42', 'the same calls go wrong in each run'],
    ['laudio server fault add --path /api/oauth/token --times 2 --status 503', 'does a login survive a busy server?'],
    [
      'laudio server fault add busy --method POST --path "/api/v1/worklists/*" --every 3 --cut after',
      'is an exam sent twice?',
    ],
    [
      'laudio server fault add --times 1 --status 200 --content @login.html --header "Server: proxy"',
      'does a client notice the page of a proxy?',
    ],
    ['laudio server fault add --job stuck', 'until laudio server fault remove --all'],
    ['laudio server fault log --jq ".[]"', 'strikes, one JSON line each'],
  ],
  async run(context, input): Promise<View> {
    const { action: word = 'list', name, all, limit, yes } = input;
    const action = faultActions.find((known) => known === word);
    if (!action) throw unknownWord(`A fault takes ${faultActions.join(', ')}, not ${word}.`, word, faultActions);
    const asked = await readFault(context.io, input);
    refuseForeign(action, { asked, all, limit, name });
    switch (action) {
      case 'add':
        refuseMistypedProfile(name, asked);
        return add(context, { ...asked, ...named(name) }, yes);
      case 'list':
        return list(await listFaults(context));
      case 'remove':
        return remove(context, name);
      case 'log':
        return log(context, name, { limit, all });
    }
  },
});

const named = (name: string | undefined): FaultInput =>
  name === undefined ? {} : isFaultProfile(name) ? { profile: name } : { name };

interface TypedOptions {
  readonly asked: object;
  readonly all: boolean;
  readonly limit: number | undefined;
  readonly name: string | undefined;
}

/** Rejects options of another action, which would otherwise be silently ignored. */
function refuseForeign(action: Action, { asked, all, limit, name }: TypedOptions): void {
  const refuse = (message: string, hint = 'See laudio server fault --help.') =>
    new AppError('USAGE', { message, hint });
  if (action !== 'add' && Object.keys(asked).length > 0) throw refuse(`${action} takes no rule options.`);
  if (action !== 'remove' && all) throw refuse(`--all needs remove.`);
  if (action !== 'log' && limit !== undefined) throw refuse(`--limit needs log.`);
  if (action === 'list' && name !== undefined) throw refuse(`list takes no name.`);
  if (action === 'remove' && (name === undefined) === !all)
    throw refuse('remove takes the name of a fault, or --all.', 'laudio server fault list shows the names.');
}

/** A rule without an effect is mostly a mistyped profile. */
function refuseMistypedProfile(name: string | undefined, asked: object): void {
  if (name === undefined || isFaultProfile(name) || Object.keys(faultEffects).some((effect) => effect in asked)) return;
  const message = `${name} is not a profile, and a fault with that name needs an effect, such as --status 503.`;
  throw unknownWord(message, name, faultProfileNames, `Profiles are ${faultProfileNames.join(', ')}.`);
}

async function listFaults({ operator, signal }: Context): Promise<readonly Fault[]> {
  const { faults } = await operator();
  return (await faults.list({}, { signal })).data.items;
}

const list = (items: readonly Fault[]): View =>
  listView({ data: items, rows: items, columns: faultColumns, empty: 'The server has no faults.' });

async function add({ ask, io, operator, signal }: Context, body: FaultInput, yes: boolean): Promise<View> {
  const warning = 'This affects real clients and real patients.';
  if (body.all_clients === true && !yes && !(await ask.confirm(`${warning} Add the fault?`, '--yes'))) {
    throw new AppError('INTERRUPTED', { message: 'No fault was added.' });
  }
  const { clients, faults } = await operator();
  // A rule for a client that there is not would never strike.
  if (body.client_id !== undefined) await clients.get({ params: { id: body.client_id } }, { signal });
  const { items } = (await faults.add({ body }, { signal })).data;
  if (body.all_clients === true) io.notice(warning, 'warn');
  return list(items);
}

async function remove({ io, operator, signal }: Context, name: string | undefined): Promise<View> {
  const { faults } = await operator();
  const { items } = (
    name === undefined ? await faults.clear({}, { signal }) : await faults.remove({ params: { name } }, { signal })
  ).data;
  io.notice(`Removed ${counted(items.length, 'fault')}.`, 'faint');
  return list(items);
}

async function log({ operator, signal }: Context, name: string | undefined, paging: PagingInput): Promise<View> {
  const { faults } = await operator();
  const { items } = (await faults.log({ query: name === undefined ? {} : { fault: name } }, { signal })).data;
  return wholeList(paging, items, { columns: strikeColumns, empty: 'No fault has struck anything.' });
}
