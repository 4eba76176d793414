/** The text format of Prometheus, version 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/ */

/** A sample is named after its family, plus a suffix if the family is a histogram. */
export interface Sample {
  readonly suffix?: '_bucket' | '_sum' | '_count';
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Measurements with one name. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export const familiesText = (families: readonly Family[]): string => families.map(familyText).join('');

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${labelsText(labels)} ${value}\n`);
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Sample['labels']): string {
  const entries = Object.entries(labels ?? {});
  return entries.length === 0 ? '' : `{${entries.map(([name, value]) => `${name}="${escapeLabel(value)}"`).join(',')}}`;
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** Counts by one or more words, which come from the program, so that there are few combinations. */
export class Counts {
  readonly #counts = new Map<string, number>();

  add(...words: readonly string[]): void {
    const key = words.join('\n');
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** `labels`: one per word. */
  samples(...labels: readonly string[]): Sample[] {
    return Array.from(this.#counts, ([key, value]) => {
      const words = key.split('\n').values();
      return { labels: Object.fromEntries(labels.map((label) => [label, words.next().value ?? ''])), value };
    });
  }
}

/** Counts values at or below each bound. */
export class Histogram {
  readonly #buckets: readonly { readonly bound: number; count: number }[];
  #sum = 0;

  /** Bounds in ascending order. */
  constructor(bounds: readonly number[]) {
    this.#buckets = [...bounds, Infinity].map((bound) => ({ bound, count: 0 }));
  }

  observe(value: number): void {
    for (const bucket of this.#buckets) {
      if (value > bucket.bound) continue;
      bucket.count++;
      break;
    }
    this.#sum += value;
  }

  samples(labels: Readonly<Record<string, string>> = {}): Sample[] {
    let count = 0;
    const buckets = this.#buckets.map(({ bound, count: own }): Sample => {
      const le = bound === Infinity ? '+Inf' : String(bound);
      return { suffix: '_bucket', labels: { ...labels, le }, value: (count += own) };
    });
    return [...buckets, { suffix: '_sum', labels, value: this.#sum }, { suffix: '_count', labels, value: count }];
  }
}
