/** What an operator reads who chose an engine that is not there, or cannot be set up like that. */
import { describe, expect, it, test } from 'vitest';
import { chooseEngine, engineKind } from '../../../server/speech/engine.ts';
import type { Engine } from '../../../server/speech/engine.ts';
import { chooseEngines } from '../../../server/speech/engines.ts';
import { openModelManager, recognisers, findDefaultRecogniser, writers } from '../../../server/speech/registry.ts';
import { createServer } from '../../../server/index.ts';
import { createValidation } from '../../../server/runtime/validation.ts';
import { integer, object, string } from '../../../src/contract/schema.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { engineDeps } from '../../support/engine-deps.ts';

const deps = engineDeps();
const compile = createValidation();
const made: unknown[] = [];
const engine: Engine = { name: 'cloud', probe: async () => {}, close: async () => void made.push('closed') };
const cloud = engineKind({
  options: object(
    { url: string({ minLength: 1 }) },
    { model: string({ default: 'small' }), seconds: integer({ minimum: 1 }) },
  ),
  main: 'model',
  create: async (options, { key }) => {
    made.push({ ...options, key });
    return engine;
  },
});
const plain = engineKind({ options: object({}), create: async () => engine });
const choose = (choice: Choice) => chooseEngine({ noun: 'recogniser', kinds: { cloud, plain } }, choice, compile);
const told = (choice: Choice): string => {
  try {
    choose(choice);
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return `${code}: ${message} ${hint}`;
  }
  return 'taken';
};

describe('an engine', () => {
  it('is made with its options, read from text, filled in, and checked', async () => {
    await choose({ use: 'cloud:large', options: { url: 'https://x', seconds: '30' }, key: 'k' })(deps);
    await choose({ use: 'cloud', options: { url: 'https://x', seconds: 30 } })(deps);
    expect(made.splice(0)).toEqual([
      { url: 'https://x', model: 'large', seconds: 30, key: 'k' },
      { url: 'https://x', model: 'small', seconds: 30, key: undefined },
    ]);
  });

  const shape =
    'Say --recogniser "cloud url=URL [model=MODEL] [seconds=SECONDS]"; in brackets is what may be left out.';
  test.each<[string, Choice, string]>([
    ['not there', { use: 'clod' }, 'There is no recogniser "clod". Choose with --recogniser: cloud, plain.'],
    ['a name that every object has', { use: 'constructor' }, 'There is no recogniser "constructor". '],
    [
      'without what it needs',
      { use: 'cloud' },
      `The recogniser cloud cannot be set up like this: url is required. ${shape}`,
    ],
    [
      'with an option too many',
      { use: 'cloud', options: { url: 'x', key: 's3cret' } },
      `key is none of its options. ${shape}`,
    ],
    [
      'with a value that is none',
      { use: 'cloud', options: { url: 'x', seconds: 's3cret' } },
      `seconds must be a whole number from 1; you sent a text. ${shape}`,
    ],
    ['with one option twice', { use: 'cloud:a', options: { url: 'x', model: 'b' } }, `model is given twice. ${shape}`],
    [
      'with a value it has no place for',
      { use: 'plain:x' },
      'nothing may stand behind its name. plain takes no options.',
    ],
    [
      'with an option, though it has none',
      { use: 'plain', options: { url: 'x' } },
      'url is none of its options. plain takes',
    ],
  ])('%s: says so, and repeats no value', (_name, choice, words) => {
    expect(told(choice)).toMatch(/^CONFIGURATION: /);
    expect(told(choice)).toContain(words);
    expect(told(choice)).not.toContain('s3cret');
  });
});

describe('the engines of a server', () => {
  const choice = { recogniser: { use: 'none' }, writer: { use: 'rules' }, testReal: false };

  it('hear nobody but test clients where none was chosen', async () => {
    const engines = await chooseEngines(
      { recognisers, writers, findDefaultRecogniser, openModelManager },
      choice,
      compile,
    )(deps);
    expect(engines.recognition.findRecogniser({ test_mode: true })?.name).toBe('simulated');
    expect(engines.recognition.findRecogniser({ test_mode: false })).toBeUndefined();
    expect(engines.writer.name).toBe('rules');
    await engines.close();
  });

  it.each([
    [{ recogniser: { use: 'simulated' } }, 'The recogniser simulated only simulates'],
    [{ recogniser: { use: 'nobody' } }, 'There is no recogniser "nobody".'],
    [{ writer: { use: 'none' } }, 'There is no writer "none".'],
  ])('cannot be %j: no server starts with them', async (wrong, words) => {
    const starting = createServer({ version: '0', store: { use: 'memory' }, ...wrong });
    await expect(starting).rejects.toMatchObject({ code: 'CONFIGURATION', message: expect.stringContaining(words) });
  });

  it('are closed again where one of them cannot be made', async () => {
    const broken = engineKind<never, object>({
      options: object({}),
      create: async () => {
        throw new Error('no');
      },
    });
    const hearing = { ...engine, simulated: false, atOnce: 1, transcribe: async () => ({ text: '' }) };
    const tables = {
      recognisers: { ...recognisers, hearing: engineKind({ options: object({}), create: async () => hearing }) },
      writers: { broken },
      findDefaultRecogniser,
      openModelManager,
    };
    const wrong = { recogniser: { use: 'hearing' }, writer: { use: 'broken' }, testReal: false };
    await expect(chooseEngines(tables, wrong, compile)(deps)).rejects.toThrow('no');
    expect(made.splice(0)).toEqual(['closed']);
  });
});
