/** No regular expression of the program does more than linear work, whatever it is applied to. */
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { explored } from '../support/explored.ts';
import { expressionsIn, hostileStrings } from '../support/expressions.ts';
import type { Expression } from '../support/expressions.ts';
import { excessiveGrowth } from '../support/growth.ts';

/** Repetitions that are tried, one after the other: what is far from linear shows it early. */
const sizes = [24, 100, 400, 1500] as const;
/** What a linear expression takes for the most of them, in ms, with much to spare. */
const suspiciousMs = 0.3;
/** For four times the input, linear work takes four times as long, and quadratic work sixteen times. */
const suspiciousGrowth = 7;

const folders = ['src', 'server', 'cli', 'desktop'] as const;

function leastMs(work: () => void): number {
  let least = Infinity;
  for (let at = 0; at < 3 && least > suspiciousMs; at++) {
    const begun = performance.now();
    work();
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** What about the expression is more than linear, in words; `undefined`: nothing that the strings show. */
async function faultIn(expression: Expression): Promise<string | undefined> {
  const { source, flags, places } = expression;
  const regex = new RegExp(source, flags);
  // All matches are looked for where the expression is global, else the first one.
  const apply = (text: string) => () => void text.replace(regex, '');
  for (const make of hostileStrings(expression)) {
    const words = `${places.join(', ')}: /${source}/${flags} on ${JSON.stringify(make(3))}`;
    const suspicious = sizes.find((size) => {
      const ms = leastMs(apply(make(size)));
      return ms > suspiciousMs && ms > suspiciousGrowth * leastMs(apply(make(size / 4)));
    });
    if (suspicious === undefined) continue;
    const growth = await excessiveGrowth((size) => apply(make(size)), { from: suspicious / 2, largest: 40_000 });
    if (growth) return `${words}: ${growth.ms.map((ms) => ms.toFixed(2)).join(', ')} ms for ${growth.size} and more`;
  }
  return undefined;
}

test('detects an expression that is not linear', async () => {
  const slow = [
    /^(?:a+)+$/,
    /\s+$/,
    /(?:\S+\s*){1,4}$/,
    /[^/]+\/[^/]+$/,
    /\/_history\/.*$/,
    /^(.*?\d.*?)\s*\(?(?:([A-Z]{1,4})|(?:UTC|GMT)?([+-]\d{1,2}))?\)?$/,
    /\p{L}{2}.*[\s,]\S|[\s,]\S*\p{L}{2}/u,
    /«([^»]*)»/g,
    /"(?:[^"\\]|\\.)*"/g,
    /\B(?=(?:\d{3})+$)/g,
  ];
  for (const { source, flags } of slow) {
    expect(await faultIn({ source, flags, places: [] }), source).toBeDefined();
  }
  for (const { source, flags } of [/(?<!\s)\s+$/, /^\s+/, /^[a-z]+:[a-z]+$/i, /[^/]+/g, /\p{L}+/gu]) {
    expect(await faultIn({ source, flags, places: [] }), source).toBeUndefined();
  }
});

test(
  'every expression, and every pattern of the contract, is linear',
  { timeout: 600_000 * explored.times },
  async () => {
    const faults: string[] = [];
    const expressions = expressionsIn(folders);
    expect(expressions.length).toBeGreaterThan(500);
    for (const expression of expressions) {
      const fault = await faultIn(expression);
      if (fault !== undefined) faults.push(fault);
    }
    expect(faults).toEqual([]);
  },
);
