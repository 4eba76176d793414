/** The other end of a channel for `laudio channel simulate`; simulators.ts lists the kinds. */
import type { Channel } from '../../src/contract/channel.ts';
import type { Context } from '../context.ts';

export interface SimulationOptions {
  /** The channel to simulate the other end of; `undefined`: that of `to`. */
  readonly channel: Channel | undefined;
  readonly to: string | undefined;
  readonly listen: string | undefined;
  readonly file: string | undefined;
  readonly count: number | undefined;
  /** PEM files: the CA of the other side, and the simulator's own certificate. */
  readonly tlsCa: string | undefined;
  readonly tlsCertificate: string | undefined;
  readonly tlsKey: string | undefined;
}

/** The parameters of a simulation. */
export interface Simulation extends SimulationOptions {
  readonly faults: ReadonlySet<string>;
}

/** One message and its outcome, without patient data. */
export interface SimulatedEvent {
  readonly number: number;
  readonly what: string;
  readonly answer: string;
  readonly isGood: boolean;
  readonly more: string;
}

export interface Simulator {
  /** The options that it supports. */
  readonly options: readonly (keyof SimulationOptions)[];
  /** The faults that it can simulate, each with a short description. */
  readonly faults: Readonly<Record<string, string>>;
  run(context: Context, wanted: Simulation): Promise<readonly SimulatedEvent[]>;
}
