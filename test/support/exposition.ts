/** Reads the text format of Prometheus as strictly as `promtool check metrics` does: what is not of the format throws. */

export interface Read {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const nameForm = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const sampleForm = new RegExp(`^(${nameForm})(?:\\{(.*)\\})? (-?[0-9.e+-]+|\\+Inf|-Inf|NaN)$`);
const labelForm = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;

export function readExposition(text: string): Read[] {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const types = new Map<string, string>();
  const helped = new Set<string>();
  const seen = new Set<string>();
  const samples: Read[] = [];
  let family = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      if (helped.has(name)) throw new Error(`${name} is there twice`);
      helped.add((family = name));
    } else if (kind === 'TYPE') {
      if (name !== family || types.has(name)) throw new Error(`the type of ${name} is at the wrong place`);
      if (!/^(?:counter|gauge|histogram)$/.test(rest)) throw new Error(`${name} has the type ${rest}`);
      if (rest === 'counter' && !name.endsWith('_total'))
        throw new Error(`the counter ${name} does not end with _total`);
      types.set(name, rest);
    } else {
      const sample = readSample(line);
      const suffixes = types.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      if (!suffixes.some((suffix) => sample.name === family + suffix))
        throw new Error(`${sample.name} is not of ${family}`);
      const key = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(key)) throw new Error(`${key} is there twice`);
      seen.add(key);
      samples.push(sample);
    }
  }
  checkHistograms(samples);
  return samples;
}

function readSample(line: string): Read {
  const [, name, inner = '', value] = sampleForm.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is no sample: ${line}`);
  const labels: Record<string, string> = {};
  for (let rest = inner; rest !== '';) {
    const [all, label, text] = labelForm.exec(rest) ?? [];
    if (all === undefined || label === undefined || Object.hasOwn(labels, label))
      throw new Error(`wrong labels: ${line}`);
    labels[label] = text!;
    rest = rest.slice(all.length);
  }
  return { name, labels, value: Number(value === '+Inf' ? Infinity : value) };
}

/** Buckets grow, and the last one is the count. */
function checkHistograms(samples: readonly Read[]): void {
  const last = new Map<string, Read>();
  const keyOf = ({ name, labels: { le: _bound, ...labels } }: Read): string =>
    name.replace(/_(?:bucket|count)$/, '') + JSON.stringify(labels);
  for (const sample of samples) {
    if (sample.name.endsWith('_bucket')) {
      const before = last.get(keyOf(sample));
      if (before && before.value > sample.value) throw new Error(`${keyOf(sample)} shrinks`);
      last.set(keyOf(sample), sample);
    } else if (sample.name.endsWith('_count')) {
      const bucket = last.get(keyOf(sample));
      if (bucket?.labels['le'] !== '+Inf' || bucket.value !== sample.value)
        throw new Error(`${keyOf(sample)} has another count`);
    }
  }
}
