/** The other end of a channel, as `laudio channel simulate` runs it: simulators.ts lists them. */
import type { Channel } from '../../src/contract/channel.ts';
import type { Context } from '../context.ts';

export interface SimulationOptions {
  /** The channel at whose other end it is; `undefined`: that of `to`. */
  readonly channel: Channel | undefined;
  readonly to: string | undefined;
  readonly listen: string | undefined;
  readonly file: string | undefined;
  readonly count: number | undefined;
  /** Files in PEM: who signs the other side, and what the simulator shows of itself. */
  readonly tlsCa: string | undefined;
  readonly tlsCertificate: string | undefined;
  readonly tlsKey: string | undefined;
}

/** What a simulator was asked for. */
export interface Simulation extends SimulationOptions {
  readonly faults: ReadonlySet<string>;
}

/** One message, and what became of it; without patient data. */
export interface SimulatedEvent {
  readonly number: number;
  readonly what: string;
  readonly answer: string;
  readonly isGood: boolean;
  readonly more: string;
}

export interface Simulator {
  /** Those that mean something to it. */
  readonly options: readonly (keyof SimulationOptions)[];
  /** What can go wrong on purpose, each in a few words. */
  readonly faults: Readonly<Record<string, string>>;
  run(context: Context, wanted: Simulation): Promise<readonly SimulatedEvent[]>;
}
