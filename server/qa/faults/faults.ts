/** The faults of a server: rules, what they strike, and a log of strikes. */
import type { FastifyReply } from 'fastify';
import type { AppError } from '../../../src/contract/errors.ts';
import type { EffectName, FaultEffects } from '../../../src/contract/fault-effects.ts';
import { faultMs } from '../../../src/contract/fault-effects.ts';
import { FaultInput, rememberedStrikes } from '../../../src/contract/fault.ts';
import type { Fault, FaultStrike } from '../../../src/contract/fault.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import type { Validator } from '../../runtime/validation.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import type { Log } from '../../runtime/log.ts';
import type { JobFault, Strike } from '../../http/call-faults.ts';
import { createLoneRateLimiter } from '../../http/plugins/rate-limit.ts';
import { escapeRegExp, pathPattern } from './path-pattern.ts';
import {
  effectsOf,
  effectWords,
  isUnconditional,
  matchesCall,
  matchesDelivery,
  countMatch,
  parseFaults,
} from './rule.ts';
import type { IncomingCall, OutgoingDelivery, Rule, NamedFault } from './rule.ts';
import { simulateHeader } from './simulate.ts';
import { elementAt } from '../../../src/domain/elements.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';

/** Faults as the operator manages them. */
export interface Faults {
  /** In order of precedence. */
  list(): Fault[];
  /** Adds all or none. VALIDATION_FAILED if one is invalid. */
  add(...asked: readonly FaultInput[]): Fault[];
  /** Removes and returns the fault of that name, or all faults of the profile. Delayed calls continue. */
  remove(name: string): Fault[];
  clear(): Fault[];
  /** Strikes, oldest first. */
  log(wish?: { after?: number; limit?: number; fault?: string }): FaultStrike[];
}

/** A call with the data that strikes depend on. */
export interface CallArrival extends IncomingCall {
  readonly request_id: string;
  /** Access token of the call. */
  readonly token: string | undefined;
  /** Identifies a token together with its successors. */
  readonly holder: string | undefined;
  readonly reply: FastifyReply;
  /** Effects that the call requests. */
  readonly simulated: FaultEffects | undefined;
}

/** Faults as the server applies them. */
export interface FaultSource {
  /** Whether there are no rules, which saves further checks. */
  readonly isEmpty: boolean;
  call(arrival: CallArrival): Promise<Strike | undefined>;
  /** The effect on a job that the call creates. */
  job(call: IncomingCall & { readonly request_id: string }, simulated: FaultEffects | undefined): JobStrike | undefined;
  delivery(met: OutgoingDelivery): DeliveryFault | undefined;
  /** Whether a fault still holds jobs; a simulation always does. */
  holdsJobs(name: string): boolean;
  /** Calls the listener after faults were removed. */
  onRemoved(listener: () => void): () => void;
}

export interface FaultDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly compile: (schema: Schema) => Validator;
  /** Seed of random strikes for faults without one. */
  readonly seed?: string | undefined;
}

/** Maximum of expired access tokens that a fault remembers. */
const maxTokens = 1000;

export function createFaults({ clock, log: tell, compile, seed = '' }: FaultDeps): Faults & FaultSource {
  let rules: readonly Rule[] = [];
  let validate: Validator | undefined;
  const strikes: FaultStrike[] = [];
  const listeners = createListeners();
  let newest = 0;
  let names = 0;

  const isTaken = (name: string): boolean => rules.some((rule) => rule.name === name || rule.profile === name);
  const newName = (): string => {
    do names++;
    while (isTaken(`fault-${names}`));
    return `fault-${names}`;
  };

  const note = (rule: string, effects: FaultEffects, of: Partial<FaultStrike> & Pick<FaultStrike, 'of'>): void => {
    strikes.push({
      number: ++newest,
      at: isoNow(clock),
      fault: rule,
      method: null,
      path: null,
      event: null,
      client_id: null,
      effects: effectWords(effects),
      request_id: null,
      ...of,
    });
    if (strikes.length > rememberedStrikes) strikes.shift();
  };

  const drop = (isMeant: (rule: Rule) => boolean): Fault[] => {
    const removed = rules.filter(isMeant);
    if (removed.length === 0) return [];
    rules = rules.filter((rule) => !removed.includes(rule));
    for (const { removal } of removed) removal.abort();
    tell({ level: 'info', event: 'faults_removed', faults: removed.map(({ name }) => name) });
    listeners.notify();
    return removed.map(toFault);
  };

  /** The first rule that strikes the job or delivery. */
  const findFirst = (of: Rule['of'], matches: (rule: Rule) => boolean): Rule | undefined =>
    // All rules count their matches, whichever strikes.
    rules.filter((rule) => rule.of === of && matches(rule) && countMatch(rule))[0];

  return {
    get isEmpty() {
      return rules.length === 0;
    },
    list: () => rules.map(toFault),
    add(...asked) {
      validate ??= compile(FaultInput);
      const added = parseFaults(asked, validate, { isTaken, newName }).map((wish) => createRule(wish, clock, seed));
      rules = [...rules, ...added];
      if (added.length > 0) {
        tell({
          level: 'warn',
          event: 'faults_added',
          faults: added.map(({ name }) => name),
          all_clients: added.some(({ asked: { all_clients: all } }) => all),
        });
      }
      return added.map(toFault);
    },
    remove: (name) => drop((rule) => rule.name === name || rule.profile === name),
    clear: () => drop(() => true),
    log: ({ after = 0, limit = rememberedStrikes, fault } = {}) =>
      strikes.filter(({ number, fault: by }) => number > after && (fault === undefined || by === fault)).slice(-limit),

    async call(arrival) {
      const decided = await decide(rules, arrival);
      if (!decided) return undefined;
      const { strike, by } = decided;
      for (const [rule, effects] of by) {
        if (rule) rule.struck++;
        note(rule?.name ?? simulateHeader, effects, { of: 'call', ...toLogFields(arrival) });
      }
      return strike;
    },
    job(call, simulated) {
      const rule = findFirst('job', (each) => matchesCall(each, call));
      const effect = simulated?.job ?? rule?.asked.job;
      if (effect === undefined) return undefined;
      const by = simulated?.job === undefined ? rule : undefined;
      const name = by?.name ?? simulateHeader;
      if (by) by.struck++;
      note(name, { job: effect }, { of: 'job', ...toLogFields(call) });
      return { name, becomes: parseJobFault(effect, name) };
    },
    delivery(met) {
      const rule = findFirst('delivery', (each) => matchesDelivery(each, met));
      const effect = rule?.asked.webhook;
      if (!rule || effect === undefined) return undefined;
      rule.struck++;
      note(rule.name, { webhook: effect }, { of: 'delivery', event: met.event, client_id: met.client_id });
      return { effect, signal: rule.removal.signal };
    },
    holdsJobs: (name) => name === simulateHeader || rules.some((rule) => rule.name === name && rule.of === 'job'),
    onRemoved: listeners.add,
  };
}

/** Log fields of a call. */
const toLogFields = ({ endpoint, client_id, request_id }: Pick<CallArrival, keyof IncomingCall | 'request_id'>) => ({
  method: endpoint.method,
  path: endpoint.path,
  client_id: client_id ?? null,
  request_id,
});

/** Effects on a call, and the rules that cause them; `undefined` is the header. */
interface Decision {
  readonly strike: Strike;
  readonly by: ReadonlyMap<Rule | undefined, FaultEffects>;
}

async function decide(rules: readonly Rule[], arrival: CallArrival): Promise<Decision | undefined> {
  const chosen = new Map<EffectName, Rule | undefined>();
  const effects: Partial<Record<EffectName, unknown>> = {};
  const take = (rule: Rule | undefined, own: FaultEffects): void => {
    for (const name of Object.keys(own) as EffectName[]) {
      if (chosen.has(name)) continue;
      // These complete the status of the same rule.
      if (name === 'retry_after' && chosen.get('status') !== rule) continue;
      if (name === 'content' && chosen.has('status') && chosen.get('status') !== rule) continue;
      chosen.set(name, rule);
      effects[name] = own[name];
    }
  };
  const drop = (names: readonly EffectName[]): void => {
    for (const name of names) {
      chosen.delete(name);
      delete effects[name];
    }
  };

  if (arrival.simulated) {
    const { job: _job, ...own } = arrival.simulated;
    take(undefined, own);
  }
  for (const rule of rules) {
    if (rule.of !== 'call') continue;
    const strikes = appliesTo(rule, arrival) && countMatch(rule);
    // An expired token stays expired for all calls.
    if (arrival.token !== undefined && rule.expired.has(arrival.token)) take(rule, { token: 'expired' });
    if (strikes) take(rule, strikingEffects(rule, arrival));
  }
  if (chosen.size === 0) return undefined;

  let overQuota: AppError | undefined;
  if (effects['cut'] === 'before') drop(['token', 'quota', 'status', 'retry_after', 'content', 'headers', 'body']);
  if (chosen.has('token')) drop(['quota', 'status', 'retry_after']);
  if (chosen.has('quota')) {
    overQuota = await chosen.get('quota')?.quota?.refusal(arrival.client_id ?? '', arrival.reply);
    drop(overQuota ? ['status', 'retry_after'] : ['quota']);
  }
  if (effects['cut'] === 'after') drop(['content', 'headers', 'body']);
  if (chosen.size === 0) return undefined;
  if (effects['token'] === 'expired') expire(chosen.get('token'), arrival);

  const by = new Map<Rule | undefined, Partial<Record<EffectName, unknown>>>();
  for (const [name, rule] of chosen) by.set(rule, { ...by.get(rule), [name]: effects[name] });
  const signals = [...by.keys()].flatMap((rule) => (rule ? [rule.removal.signal] : []));
  return {
    strike: {
      names: [...by.keys()].map((rule) => rule?.name ?? simulateHeader).join(', '),
      effects: effects as FaultEffects,
      overQuota,
      signal:
        signals.length === 1 ? elementAt(signals, 0) : signals.length === 0 ? neverAborted : AbortSignal.any(signals),
    },
    by: by as Decision['by'],
  };
}

/** Whether the rule matches the call. Calls without a token cannot lose one, and live audio has a separate quota. */
const appliesTo = (rule: Rule, arrival: CallArrival): boolean =>
  matchesCall(rule, arrival) &&
  (rule.asked.token === undefined || arrival.token !== undefined) &&
  (rule.asked.quota === undefined || arrival.endpoint.takesLiveSound !== true);

/**
 * The effects of a rule on the call. A rule that strikes all calls does not expire the token that a client got after an
 * expired one, or the client could never continue.
 */
function strikingEffects(rule: Rule, { holder }: CallArrival): FaultEffects {
  const { token, ...rest } = effectsOf(rule.asked);
  const isRefreshed =
    token === 'expired' && isUnconditional(rule) && [...rule.expired.values()].some((each) => each === holder);
  return token === undefined || isRefreshed ? rest : { ...rest, token };
}

function expire(rule: Rule | undefined, { token, holder }: CallArrival): void {
  if (!rule || token === undefined) return;
  rule.expired.set(token, holder ?? '');
  if (rule.expired.size > maxTokens) removeOldest(rule.expired);
}

function createRule({ name, profile, ...asked }: NamedFault, clock: Clock, defaultSeed: string): Rule {
  const { path, method, url, quota } = asked;
  return {
    name,
    profile,
    asked,
    defaultSeed,
    of: asked.webhook !== undefined ? 'delivery' : asked.job !== undefined ? 'job' : 'call',
    path: path === undefined ? undefined : pathPattern(path, method),
    url: url === undefined ? undefined : toUrlPattern(url),
    addedAt: clock.now(),
    seen: 0,
    struck: 0,
    removal: new AbortController(),
    quota: quota === undefined ? undefined : createLoneRateLimiter(clock, quota),
    expired: new Map(),
  };
}

const toUrlPattern = (url: string): RegExp => new RegExp(`^${url.split('*').map(escapeRegExp).join('.*')}$`);

const toFault = ({ name, profile, asked, seen, struck, addedAt }: Rule): Fault => ({
  name,
  profile,
  ...asked,
  effects: effectWords(asked),
  seen,
  struck,
  added_at: new Date(addedAt).toISOString(),
});

/** `effect` in the syntax of rules; `name` of the fault. */
export function parseJobFault(effect: string, name: string): JobFault {
  const [kind, rest] = effect.split(':');
  if (kind === 'slow') return { slowMs: faultMs(rest ?? '') };
  if (kind === 'stuck') return { stuck: name };
  return { fail: true, ...(rest !== undefined && { code: rest }) };
}

/** For strikes that cannot be ended early. */
export const neverAborted: AbortSignal = new AbortController().signal;

export interface JobStrike {
  /** Name of the fault. */
  readonly name: string;
  readonly becomes: JobFault;
}

/** The effect on a webhook request. */
export interface DeliveryFault {
  readonly effect: string;
  readonly signal: AbortSignal;
}
