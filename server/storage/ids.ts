/** Makes identifiers: a prefix for the kind of document and a ULID, so that ids of a kind sort in order of creation. */
import type { Clock } from '../../src/domain/clock.ts';
import { randomnessFor } from '../runtime/randomness.ts';
import type { Randomness, RandomnessFor } from '../runtime/randomness.ts';
import { collectionNames } from './collections.ts';
import { scan } from './scan.ts';
import type { Store } from './store.ts';

export type IdPrefix =
  | 'wli'
  | 'his'
  | 'pat'
  | 'rec'
  | 'pri'
  | 'job'
  | 'mac'
  | 'trm'
  | 'trn'
  | 'bat'
  | 'usr'
  | 'grt'
  | 'dlv'
  | 'sub'
  | 'tpl'
  | 'chn'
  | 'msg'
  | 'alm'
  | 'era'
  | 'blb'
  | 'req'
  | 'auf'
  | 'lc'
  | 'test_tc';

export type Ids = (prefix: IdPrefix) => string;

/** Crockford's Base32, of which a ULID is made: 10 letters of time in ms, then 16 that are random. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Every pair of letters, by its 10 bits. */
const pairs = Array.from({ length: 1024 }, (_, bits) => letters.charAt(bits >> 5) + letters.charAt(bits & 31));

const twoLetters = (bits: number): string => pairs[bits]!;
const fourLetters = (bits: number): string => twoLetters(bits >>> 10) + twoLetters(bits & 1023);
/** The letters of 40 bits. */
const eightLetters = (bits: number): string => fourLetters(Math.floor(bits / 2 ** 20)) + fourLetters(bits % 2 ** 20);
/** The letters of 50 bits. */
const tenLetters = (bits: number): string => twoLetters(Math.floor(bits / 2 ** 40)) + eightLetters(bits % 2 ** 40);

export interface IdsOptions {
  /** Every id is later than that, in ms since 1970. */
  readonly after?: number;
  /** Default: the machine's own. */
  readonly randomness?: RandomnessFor;
}

/**
 * Makes a source of ids. Those of a prefix are monotonic even within a millisecond. Each prefix counts by itself, so that
 * under a seed the ids of requests do not depend on how many documents a job has made meanwhile.
 */
export function createIds(clock: Clock, { after = 0, randomness = randomnessFor(undefined) }: IdsOptions = {}): Ids {
  const sources = new Map<IdPrefix, () => string>();
  return (prefix) => {
    let source = sources.get(prefix);
    if (!source) sources.set(prefix, (source = createIdSource(prefix, clock, after, randomness(`ids ${prefix}`))));
    return source();
  };
}

/** Bytes that are drawn at once, since a system call for each id would be most of its cost. */
const poolBytes = 1000;

function createIdSource(prefix: IdPrefix, clock: Clock, after: number, { bytes }: Randomness): () => string {
  let pool: Buffer = Buffer.alloc(0);
  let at = 0;
  const fortyBits = (): number => {
    if (at === pool.length) {
      pool = bytes(poolBytes);
      at = 0;
    }
    at += 5;
    return pool.readUIntBE(at - 5, 5);
  };

  let time = after;
  let head = '';
  let tail = 0;
  /** All but the last four letters, which alone differ between nearly all ids of a millisecond. */
  let stem = '';
  let stemOf = -1;
  // In one piece: each id is read many times, and letter by letter a text that was put together is read several times as slowly.
  const written = Buffer.alloc(prefix.length + 1 + 26);
  return () => {
    const now = Math.max(clock.now(), after + 1);
    if (now > time) {
      time = now;
      head = `${prefix}_${tenLetters(time)}${eightLetters(fortyBits())}`;
      // The top bit stays free, so that counting up within one millisecond never overflows.
      tail = Math.floor(fortyBits() / 2);
      stemOf = -1;
    } else {
      tail++;
    }
    const upper = Math.floor(tail / 2 ** 20);
    if (upper !== stemOf) {
      stemOf = upper;
      stem = head + fourLetters(upper);
      written.write(stem, 'latin1');
    }
    let lower = tail % 2 ** 20;
    for (let i = written.length - 1; i >= stem.length; i--, lower >>>= 5) written[i] = letters.charCodeAt(lower & 31);
    return written.toString('latin1');
  };
}

/** A ULID of this millennium. */
const ulidOf = /_(0[0-9A-HJKMNP-TV-Z]{25})$/;

/** When the id was made, in ms since 1970; 0 where the id holds no ULID. */
export function madeAt(id: string): number {
  const time = ulidOf.exec(id)?.[1]?.slice(0, 10) ?? '';
  return Array.from(time, (letter) => letters.indexOf(letter)).reduce((ms, bits) => ms * 32 + bits, 0);
}

/**
 * When the newest stored id was made, in ms since 1970; 0 for an empty store. Ids of the next run come after that time even
 * if the clock was set back meanwhile.
 */
export async function newestId(store: Store): Promise<number> {
  const newest = await Promise.all(collectionNames.map((name) => store.find(name, { limit: 1 })));
  let at = Math.max(0, ...newest.flat().map(({ id }) => madeAt(id)));
  // The id of a client says first of which kind it is, so the newest one need not be the last.
  for await (const { id } of scan(store, 'clients')) at = Math.max(at, madeAt(id));
  return at;
}
