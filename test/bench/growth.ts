/**
 * `npm run bench:growth`: a simulated weekday of 10, 100 and 1,000 hospitals, second by second: what the database has to write, how
 * long that waits, and what is stored. The table is in the operator's guide.
 */

/** Of a department, as assumed; all of them are busy at the same hours. */
const hospital = { examsADay: 250, reportSeconds: 60 } as const;
/** The share of a day's exams in each hour. */
const hours = [1, 1, 1, 1, 1, 1, 2, 5, 9, 10, 10, 9, 7, 8, 9, 8, 6, 4, 2, 1, 1, 1, 1, 1];

/** The commits of an exam: order, two changes, dictation, report, two changes of it, signature, delivery, acknowledgement. */
const commits = 10;
/** kB in the database, indexes included: an exam; its report with versions, job, messages and audit trail. */
const stored = { exam: 2.2, report: 14 } as const;
/** kB of a second of sound, 16 kHz and 16 bit. */
const soundASecond = 32;
/**
 * Commits a second, below what `npm run bench -- --only postgres` measured on two processors for all: pgbench inserted 9,180 rows a second,
 * of which a commit has several; one process committed 850 to 950.
 */
const rates = { database: 2000, server: 700 } as const;
/** What a part may be used at the busiest minute, so that a member that dies costs nothing. */
const maxUse = 0.5;

/** Draws the same each time: mulberry32. */
function createChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How many of independent events with that mean happen: Knuth's way, in parts whose exponent does not vanish. */
function drawCount(mean: number, chance: () => number): number {
  if (mean > 30) return drawCount(mean / 2, chance) + drawCount(mean / 2, chance);
  let count = -1;
  for (let product = 1, least = Math.exp(-mean); product > least; product *= chance()) count += 1;
  return count;
}

function simulate(hospitals: number) {
  const chance = createChance(hospitals);
  const whole = hours.reduce((sum, share) => sum + share, 0);
  let exams = 0;
  let queue = 0;
  let maxQueue = 0;
  let maxMinute = 0;
  let minute = 0;
  for (let second = 0; second < 24 * 3600; second++) {
    if (second % 60 === 0) minute = 0;
    const mean = (hospitals * hospital.examsADay * hours[Math.floor(second / 3600)]! * commits) / whole / 3600;
    const count = drawCount(mean, chance);
    exams += count / commits;
    minute += count;
    maxMinute = Math.max(maxMinute, minute / 60);
    queue = Math.max(0, queue + count - rates.database);
    maxQueue = Math.max(maxQueue, queue);
  }
  const examsAYear = exams * 260;
  return {
    hospitals,
    'million exams a year': examsAYear / 1e6,
    'commits a second, busiest minute': maxMinute,
    'of one database, %': (maxMinute / rates.database) * 100,
    'longest wait, s': maxQueue / rates.database,
    'server processes': Math.max(2, Math.ceil(maxMinute / rates.server / maxUse)),
    'database, GB a year': (examsAYear * (stored.exam + stored.report)) / 1e6,
    'sound, GB a year': (examsAYear * hospital.reportSeconds * soundASecond) / 1e6,
  };
}

const rows = [10, 100, 1000].map(simulate);
const format = (value: number): string =>
  value >= 10 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toFixed(2);
const names = Object.keys(rows[0]!) as (keyof (typeof rows)[0])[];
const lines = names.map((name) => `| ${[name, ...rows.map((row) => format(row[name]))].join(' | ')} |`);
process.stdout.write(`${[lines[0], '|---|---|---|---|', ...lines.slice(1)].join('\n')}\n`);
