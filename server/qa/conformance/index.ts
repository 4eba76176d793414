/** Checks a service against the contract: `laudio contract check`. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { contract } from '../../../src/contract/index.ts';
import { openapiDocument } from '../../http/openapi.ts';
import { createAnswerCheck } from './answers.ts';
import type { AnswerCheck, OpenApiDocument } from './answers.ts';
import { flows } from './flows.ts';
import type { Flow } from './flow.ts';
import { createProbe } from './probe.ts';
import type { Deviation, ProbeOptions } from './probe.ts';

export type { Deviation } from './probe.ts';

export interface ContractCheckOptions extends Omit<ProbeOptions, 'check'> {
  readonly version: string;
  /** Whether the check may create documents, as a test client. */
  readonly writes: boolean;
  /** Whether the check leaves out extensions of the interface specification. */
  readonly specificationAlone: boolean;
  readonly uuid: () => string;
}

export interface CheckedFlow {
  readonly name: string;
  /** `skipped`: the flow writes, and the check must not. */
  readonly state: 'passed' | 'deviates' | 'skipped';
  readonly calls: number;
  readonly duration_ms: number;
}

export interface ContractReport {
  readonly server: string;
  readonly test_mode: boolean;
  readonly calls: number;
  readonly flows: readonly CheckedFlow[];
  readonly deviations: readonly Deviation[];
  /** Data that the check created and could not remove. */
  readonly left: readonly string[];
}

/** Parts of a check, for tests. */
export interface CheckParts {
  readonly table?: readonly Flow[];
  readonly check?: AnswerCheck;
}

/** Validates answers of a service against the contract of this version. */
export const createContractCheck = (version: string): AnswerCheck =>
  createAnswerCheck(openapiDocument(contract, version) as unknown as OpenApiDocument, { isOwn: false });

/**
 * Runs all flows. Throws NETWORK if the service does not answer, LOGIN_REQUIRED if it rejects the token, and FORBIDDEN if the
 * check should write but the client is not in test mode.
 */
export async function checkContract(
  options: ContractCheckOptions,
  { table = flows, check = createContractCheck(options.version) }: CheckParts = {},
): Promise<ContractReport> {
  const { writes, specificationAlone, clock, uuid } = options;
  const probe = createProbe({ ...options, check });
  const has = (endpoint: Endpoint): boolean => !specificationAlone || endpoint.extension !== true;
  const undoing: (() => Promise<unknown>)[] = [];
  const left: string[] = [];
  const checked: CheckedFlow[] = [];

  probe.begin('whose token it is');
  const validated = await probe.ask(contract.oauth.endpoints.validate, {}, { status: 200 });
  if (validated.status === 401)
    throw new AppError('LOGIN_REQUIRED', {
      message: 'The service rejects the token.',
      hint: 'Log in, or use a token of that service.',
    });
  const isTest = validated.data['test_mode'] === true;
  if (writes && !isTest)
    throw new AppError('FORBIDDEN', {
      message: 'The check creates documents, but this client is not in test mode.',
      hint: 'Log in with a client whose id begins with test_tc_, or leave out --write.',
    });
  try {
    for (const { name, writes: mayWrite, run } of table) {
      if (mayWrite && !writes) {
        checked.push({ name, state: 'skipped', calls: 0, duration_ms: 0 });
        continue;
      }
      probe.begin(name);
      const [before, calls, start] = [probe.deviations.length, probe.calls, clock.elapsed()];
      await run({ probe, has, uuid, cleanUp: (undo) => undoing.push(undo), leave: (what) => left.push(what) });
      checked.push({
        name,
        state: probe.deviations.length > before ? 'deviates' : 'passed',
        calls: probe.calls - calls,
        duration_ms: Math.round(clock.elapsed() - start),
      });
    }
  } finally {
    probe.begin('cleaning up');
    for (const undo of undoing.toReversed()) await undo().catch(() => undefined);
  }
  return {
    server: options.server,
    test_mode: isTest,
    calls: probe.calls,
    flows: checked,
    deviations: probe.deviations,
    left,
  };
}
