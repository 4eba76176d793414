/**
 * A process that opens a data directory, holds what it finds against the ledger, and writes to it from many sides at
 * once, until it is killed or has made as many commits as it was asked for. It says on stdout what it was told:
 * `opening`, `found <length>`, `kept <number> <attempt>` once a commit is acknowledged, `refused <attempt> <code>`,
 * `closed`. Its one argument is `Orders` as JSON.
 */
import { writeSync } from 'node:fs';
import { AppError } from '../../src/contract/errors.ts';
import { systemClock } from '../../src/node/clock.ts';
import { openStore } from './open-store.ts';
import type { StorePlace } from './open-store.ts';
import { audit, commit } from './store-ledger.ts';

export interface Orders extends Omit<StorePlace, 'clock'> {
  /** Begins the names of its attempts; different for each process. */
  readonly name: string;
  readonly writers: number;
  /** Acknowledged ones of each writer, after which it closes the store and ends; none: it goes on. */
  readonly commits?: number;
  /** How often a writer is refused in a row before it gives up. */
  readonly patience?: number;
  /** Ends by SIGKILL as soon as it has said that a commit was refused. */
  readonly diesRefused?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const say = (line: string): void => void writeSync(1, `${line}\n`);

say('opening');

/** How far its clock is ahead. */
let ahead = 0;
const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + ahead };
const store = await openStore({ ...orders, clock });
say(`found ${(await audit(store, orders.writers)).length}`);

async function write(writer: number): Promise<void> {
  let refusals = 0;
  let kept = 0;
  for (let attempt = 0; kept < (orders.commits ?? Infinity); attempt++) {
    const name = `${orders.name}.${writer}.${attempt}`;
    try {
      const { number } = await commit(store, writer, name);
      say(`kept ${number} ${name}`);
      kept++;
      refusals = 0;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      say(`refused ${name} ${error.code}`);
      if (orders.diesRefused) process.kill(process.pid, 'SIGKILL');
      if (refusals++ === (orders.patience ?? 0)) throw error;
      // A store whose disk failed tries it again after a while.
      ahead += 1000;
    }
  }
}

await Promise.all(Array.from({ length: orders.writers }, (_, writer) => write(writer)));
await store.close();
say('closed');
