/** Every engine that an operator can choose keeps to the suite of its port. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Engine, EngineKinds } from '../../../server/speech/engine.ts';
import { recognisers, writers } from '../../../server/speech/registry.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import type { Abilities } from '../../suites/recogniser.suite.ts';
import { describeWriter } from '../../suites/writer.suite.ts';
import { engineDeps, openEngine } from '../../support/engine-deps.ts';

const deps = engineDeps();

/** Runs the suite for each engine of the table; what cannot be made without options has it in a test of its own. */
function describeAll<E extends Engine>(
  noun: 'recogniser' | 'writer',
  kinds: EngineKinds<E>,
  suite: { readonly name: string; run(name: string, open: () => Promise<E>): void },
): void {
  for (const [name, { options }] of Object.entries(kinds)) {
    if ((options.required ?? []).length === 0) {
      suite.run(name, () => openEngine(noun, kinds, { use: name }, deps));
      continue;
    }
    test(`${name}, which needs options, has the suite in a test of its own`, () => {
      const file = new URL(`${name}-${noun}.test.ts`, import.meta.url);
      expect(existsSync(file) && readFileSync(file, 'utf8')).toContain(`${suite.name}(`);
    });
  }
}

/** What the recognisers of the table can do that need no options. */
const abilities: Readonly<Record<string, Abilities>> = { simulated: { hears: 'live', invents: true } };

describeAll('recogniser', recognisers, {
  name: describeRecogniser.name,
  run: (name, open) => describeRecogniser(name, abilities[name]!, open),
});
describeAll('writer', writers, { name: describeWriter.name, run: describeWriter });
