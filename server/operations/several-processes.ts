/** Refuses what concerns one process alone, where several work over one store. */
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { AppError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import { isMovable } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { OpenedStores } from '../storage/stores.ts';

interface LoneOptions {
  readonly clock: Clock;
  readonly seed?: string | undefined;
  readonly faults: readonly unknown[];
  readonly memberUrl?: string | undefined;
}

type SharedStores = Pick<OpenedStores, 'store' | 'hasSharedAudio' | 'forgets'>;

/** Throws AppError CONFIGURATION. */
export function checkSeveralProcesses(
  { clock, seed, faults, memberUrl }: LoneOptions,
  { store, hasSharedAudio, forgets }: SharedStores,
): void {
  if (memberUrl !== undefined && !hasSharedAudio && !forgets.includes('audio'))
    throw new AppError('CONFIGURATION', {
      message: 'Processes that share a store need one place for audio, and this one keeps it in its data directory.',
      hint: 'Choose --blobs s3://HOST/BUCKET, the same for each process; without --member-url one process may keep it.',
    });
  const refused = [
    ...(isMovable(clock) ? ['--clock'] : []),
    ...(seed === undefined ? [] : ['--seed']),
    ...(faults.length > 0 ? ['--faults'] : []),
  ];
  if (refused.length === 0) return;
  throw new AppError('CONFIGURATION', {
    message: `A server whose processes share the store ${store.name} takes no ${refused.join(' and no ')}.`,
    hint: 'Leave it out, or choose --store lowdb or memory.',
  });
}

const { inspector, faults, maintenance } = contract;
const { seed, snapshots, saveSnapshot, loadSnapshot, removeSnapshot } = maintenance.endpoints;
const loneCalls: ReadonlySet<Endpoint> = new Set<Endpoint>([
  ...Object.values(inspector.endpoints),
  ...Object.values(faults.endpoints),
  seed,
  snapshots,
  saveSnapshot,
  loadSnapshot,
  removeSnapshot,
]);

/** The error of a call that concerns one process; `undefined`: it is answered. */
export const refuseForSeveral = (endpoint: Endpoint): AppError | undefined =>
  loneCalls.has(endpoint)
    ? new AppError('FORBIDDEN', {
        message: 'Several processes share the store of this server, and this call concerns one of them.',
        hint: 'Use it at a server with --store lowdb or memory.',
      })
    : undefined;
