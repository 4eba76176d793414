/** The files for Prometheus and Grafana ask only for what /metrics serves. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { startApi } from '../support/api.ts';
import { readExposition } from '../support/exposition.ts';

const read = (name: string) => readFile(new URL(`../../docs/operate/${name}`, import.meta.url), 'utf8');
const api = await startApi({
  backups: { to: 'command:true', every: 86_400_000, keep: { days: 1, weeks: 0, months: 0 } },
});
const page = (await api.call(contract.system.endpoints.metrics)).text;
const samples = readExposition(page);
const families = new Set(
  [...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
/** Names and labels that Prometheus adds. */
const added = { names: new Set(['up']), labels: new Set(['job', 'instance', 'le']) };

/** Each metric that an expression asks for, with the labels by which it chooses. */
const selectors = (expression: string) =>
  Array.from(
    expression.matchAll(/\b(up|laudio_[a-z_]+|process_[a-z_]+|nodejs_[a-z_]+)\b(?:\{([^}]*)\})?/g),
    ([, name = '', labels = '']) => ({
      name,
      labels: Array.from(labels.matchAll(/([a-z_]+)\s*=~?/g), ([, label = '']) => label),
    }),
  );

function expectServed(expressions: readonly string[]): void {
  const asked = expressions.flatMap(selectors);
  expect(asked.length).toBeGreaterThanOrEqual(expressions.length);
  for (const { name, labels } of asked) {
    if (added.names.has(name)) continue;
    expect(families).toContain(name);
    const present = samples.filter((sample) => sample.name === name);
    for (const label of labels) {
      if (added.labels.has(label) || present.length === 0) continue;
      expect(
        present.some((sample) => Object.hasOwn(sample.labels, label)),
        `${name} has no label ${label}`,
      ).toBe(true);
    }
  }
}

describe('docs/operate', () => {
  test('alerts.yml: each rule asks for what is served, and says what to do', async () => {
    const text = await read('alerts.yml');
    const rules = text.split('      - alert: ').slice(1);
    expect(rules.length).toBeGreaterThan(10);
    for (const rule of rules) {
      for (const part of ['expr:', 'severity:', 'summary:', 'action:']) expect(rule).toContain(part);
    }
    expectServed(rules.map((rule) => /expr: (.*)/.exec(rule)?.[1] ?? ''));
  });

  test('dashboard.json: each panel asks for what is served', async () => {
    const { panels } = JSON.parse(await read('dashboard.json')) as {
      panels: { id: number; title: string; targets: { expr: string }[] }[];
    };
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expectServed(panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)));
  });

  test('the guide lists no metric that is not served', async () => {
    const guide = await readFile(new URL('../../docs/guide-monitoring.md', import.meta.url), 'utf8');
    const named = guide.match(/\blaudio_[a-z_]+/g) ?? [];
    for (const name of named)
      expect(
        [...families].some((family) => family.startsWith(name)),
        name,
      ).toBe(true);
  });
});
