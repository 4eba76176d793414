/** One fault: validates its input, matches calls, and decides when it strikes. */
import { createHash } from 'node:crypto';
import { validationFailed } from '../../../src/contract/errors.ts';
import type { AppError, FieldError } from '../../../src/contract/errors.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import type { EventType } from '../../../src/contract/events.ts';
import { effectNames, faultEffects, faultStatuses } from '../../../src/contract/fault-effects.ts';
import type { EffectName, FaultEffects } from '../../../src/contract/fault-effects.ts';
import { faultProfiles } from '../../../src/contract/fault.ts';
import type { FaultInput, FaultProfile } from '../../../src/contract/fault.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import type { Validator } from '../../runtime/validation.ts';
import type { RateLimiter } from '../../http/plugins/rate-limit.ts';
import { isStruckByFaults, pathPattern } from './path-pattern.ts';
import type { PathPattern } from './path-pattern.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export type FaultTarget = 'call' | 'job' | 'delivery';

export interface Rule {
  readonly name: string;
  readonly profile: FaultProfile | null;
  readonly asked: Omit<FaultInput, 'name' | 'profile'>;
  /** Random seed if the rule has none. */
  readonly defaultSeed: string;
  readonly of: FaultTarget;
  readonly path: PathPattern | undefined;
  readonly url: RegExp | undefined;
  /** ms since 1970. */
  readonly addedAt: number;
  /** Number of matches and of strikes so far. */
  seen: number;
  struck: number;
  /** Aborted when the fault is removed. */
  readonly removal: AbortController;
  readonly quota: RateLimiter | undefined;
  /** Access tokens that this fault expired, with their holders. */
  readonly expired: Map<string, string>;
}

/** A validated fault with a name. */
export type NamedFault = Omit<FaultInput, 'profile'> & { readonly name: string; readonly profile: FaultProfile | null };

/**
 * Validates faults, and replaces profiles by their rules. VALIDATION_FAILED names the field, and if there are several faults,
 * also the number of the fault. `isTaken` checks for existing names.
 */
export function parseFaults(
  asked: readonly unknown[],
  validate: Validator,
  { isTaken, newName }: { readonly isTaken: (name: string) => boolean; readonly newName: () => string },
): NamedFault[] {
  const wishes: NamedFault[] = [];
  const names = new Set<string>();
  asked.forEach((each, at) => {
    const name = asked.length === 1 ? 'The fault' : `Fault ${at + 1}`;
    const input = structuredClone(each);
    const problems = validate(input);
    const refuseAll = (errors: readonly FieldError[]): AppError =>
      validationFailed(errors, `${name} is refused: ${elementAt(errors, 0).message.replace(/[^?]$/, '$&.')}`);
    const refuse = (field: string, message: string): AppError => refuseAll([{ field, message, code: 'INVALID_VALUE' }]);
    if (problems.length > 0) throw refuseAll(problems);
    for (const wish of expandProfile(input as FaultInput, refuse, newName)) {
      if (isTaken(wish.name) || names.has(wish.name)) {
        throw refuse('name', `there is a fault named ${wish.name} already; remove it first`);
      }
      names.add(wish.name);
      checkCombination(wish, refuse);
      wishes.push(wish);
    }
  });
  return wishes;
}

type Refuse = (field: string, message: string) => AppError;

const effectsIn = (fields: FaultEffects): EffectName[] => effectNames.filter((name) => fields[name] !== undefined);

export const effectsOf = (fields: FaultEffects): FaultEffects =>
  Object.fromEntries(effectsIn(fields).map((name) => [name, fields[name]]));

/** In the syntax of `X-Laudio-Simulate`; of a body its size, of headers their names. */
export const effectWords = (effects: FaultEffects): string[] =>
  effectsIn(effects).map((name) => `${name}=${describeEffect(name, effects)}`);

const describeEffect = (name: EffectName, { [name]: value, content = '', headers = {} }: FaultEffects): string =>
  name === 'content'
    ? `${Buffer.byteLength(content)} bytes`
    : name === 'headers'
      ? Object.keys(headers).join(' ')
      : String(value);

const profiledFields: readonly string[] = ['profile', 'client_id', 'all_clients', 'seed'];

function expandProfile({ profile, ...fields }: FaultInput, refuse: Refuse, newName: () => string): NamedFault[] {
  if (profile === undefined) return [{ ...fields, name: fields.name ?? newName(), profile: null }];
  const own = Object.keys(fields).find((name) => !profiledFields.includes(name));
  if (own !== undefined) throw refuse(own, `${own} cannot be combined with profile, which defines its rules`);
  return faultProfiles[profile].faults.map((fault) => ({ ...fields, ...fault, profile }));
}

/** Filters that do not apply to a target. */
const inapplicable: Readonly<Record<FaultTarget, readonly (keyof FaultInput)[]>> = {
  call: ['event', 'url'],
  job: ['event', 'url'],
  delivery: ['method', 'path'],
};

const whats = { call: 'calls', job: 'jobs', delivery: 'deliveries' } as const;

function checkCombination(wish: NamedFault, refuse: Refuse): void {
  const effects = effectsIn(wish);
  const [first] = effects;
  if (first === undefined || effects.every((name) => name === 'retry_after')) {
    throw refuse('', `a fault needs an effect: ${effectNames.join(', ')}`);
  }
  const { of } = faultEffects[first];
  const foreign = effects.find((name) => faultEffects[name].of !== of);
  if (foreign !== undefined) {
    throw refuse(
      foreign,
      `${foreign} is for ${whats[faultEffects[foreign].of]}, ${first} for ${whats[of]}: make two faults`,
    );
  }
  const idle = inapplicable[of].find((name) => wish[name] !== undefined);
  if (idle !== undefined) throw refuse(idle, `${idle} does not apply to ${whats[of]}, which ${first} affects`);
  if (wish.retry_after !== undefined && wish.status !== 429 && wish.status !== 503) {
    throw refuse('retry_after', 'retry_after needs status 429 or 503');
  }
  checkAnswer(wish, refuse);
  if (of !== 'delivery') checkReach(wish, of, refuse);
}

/** HTTP itself sets these headers: with others the connection would break, which `cut` and `body` do. */
const framingHeaders = ['connection', 'content-length', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'];
/** Answers with these statuses have no body. */
const bodiless = [204, 205, 304];

function checkAnswer({ status, content, headers = {} }: NamedFault, refuse: Refuse): void {
  if (status !== undefined && content === undefined && !faultStatuses.some((known) => known === status)) {
    throw refuse('status', `status ${status} needs content: only ${faultStatuses.join(', ')} have an answer here`);
  }
  if (content !== undefined && content !== '' && status !== undefined && bodiless.includes(status)) {
    throw refuse('content', `an answer with status ${status} has no body: content must be empty`);
  }
  for (const name of Object.keys(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(name)) throw refuse('headers', `${name} is not the name of a header`);
    if (framingHeaders.includes(name.toLowerCase())) {
      throw refuse('headers', `${name} is set by HTTP; body and cut break an answer off`);
    }
  }
}

/** Refuses a fault that could never strike, for example because of a mistyped path. */
function checkReach({ method, path, all_clients: all = false }: NamedFault, of: FaultTarget, refuse: Refuse): void {
  if (path === undefined && method === undefined) return;
  const met = pathPattern(path ?? '/**', method).endpoints;
  const called = `${method ?? ''} ${path ?? ''}`.trim();
  const field = path === undefined ? 'method' : 'path';
  if (met.length === 0) throw refuse(field, `${called} matches no call of this API`);
  const struck = met.filter(isStruckByFaults);
  if (struck.length === 0) throw refuse(field, `${called} is never struck: the operator and monitors need it`);
  if (of === 'job' && !struck.some(makesJobs)) throw refuse(field, `${called} makes no jobs`);
  if (!all && !struck.some(namesClient)) {
    throw refuse(field, `${called} is called without a client: all_clients strikes it`);
  }
}

export const makesJobs = ({ responses }: Endpoint): boolean => 202 in responses;

const namesClient = ({ access, query }: Endpoint): boolean =>
  access !== 'public' || query?.properties?.['client_id'] !== undefined;

/** A call of the API. */
export interface IncomingCall {
  readonly endpoint: Endpoint;
  readonly path: string;
  readonly client_id: string | undefined;
}

/** A webhook request that is about to be sent. */
export interface OutgoingDelivery {
  readonly client_id: string;
  readonly event: EventType;
  readonly url: string;
}

const matchesClient = ({ asked }: Rule, client: string | undefined): boolean =>
  (asked.client_id === undefined || asked.client_id === client) &&
  (asked.all_clients === true || (client !== undefined && isTestClient(client)));

export const matchesCall = (rule: Rule, { endpoint, path, client_id }: IncomingCall): boolean =>
  (rule.asked.method === undefined || rule.asked.method === endpoint.method) &&
  (rule.path === undefined || rule.path.matches(endpoint, path)) &&
  matchesClient(rule, client_id);

export const matchesDelivery = (rule: Rule, { client_id, event, url }: OutgoingDelivery): boolean =>
  (rule.asked.event === undefined || rule.asked.event === event) &&
  (rule.url === undefined || rule.url.test(url)) &&
  matchesClient(rule, client_id);

/** Counts a match; returns whether the rule strikes it. */
export function countMatch(rule: Rule): boolean {
  const { nth, every, probability, seed = rule.defaultSeed, times } = rule.asked;
  const number = ++rule.seen;
  return (
    (times === undefined || rule.struck < times) &&
    (nth === undefined || number === nth) &&
    (every === undefined || number % every === 0) &&
    (probability === undefined || chance(`${seed}\n${rule.name}`, number) < probability)
  );
}

/** Whether the rule strikes everything that it matches. */
export const isUnconditional = ({ asked: { nth, every, probability, times } }: Rule): boolean =>
  [nth, every, probability, times].every((condition) => condition === undefined);

/** Deterministic pseudo-random number from 0 to below 1. */
const chance = (seed: string, number: number): number =>
  createHash('sha256').update(`${seed}\n${number}`).digest().readUInt32BE(0) / 2 ** 32;
