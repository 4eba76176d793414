/** The sets of documents (README.md): their shapes, and the reader that refuses a file that has another. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { anyOf, array, boolean, literal, nullable, object, string } from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import type { Language } from '../../src/contract/shared.ts';

/** One right text, or each of several. */
const Wanted = anyOf([string(), array(string(), { minItems: 1 })]);
export type Wanted = TypeOf<typeof Wanted>;

const byKey = <T>(schema: Schema<T>): Schema<Record<string, T>> => ({ type: 'object', additionalProperties: schema });

const TemplateSection = anyOf([
  string(),
  object({ key: string() }, { title: string(), text: string(), required: boolean() }),
]);

const Exam = object(
  { modality: string(), exam_description: string() },
  { patient_sex: nullable(string()), patient_age: nullable(string()) },
);
const Macro = object({ name: string(), text: string() }, { section: string() });

const named = { id: string({ minLength: 1 }) };
const common = { tags: array(string()), note: string(), template: array(TemplateSection) };

const DictationCase = object(
  { ...named, heard: string() },
  {
    ...common,
    written: Wanted,
    sections: byKey(Wanted),
    exam: Exam,
    macros: array(Macro),
    asks: array(string()),
    facts: array(string()),
  },
);
export type DictationCase = TypeOf<typeof DictationCase>;

const CheckCase = object(
  {
    ...named,
    sections: byKey(string()),
    expect: array(object({ kind: Wanted }, { section: string(), text: string() })),
  },
  { ...common, heard: string(), exam: Exam },
);
export type CheckCase = TypeOf<typeof CheckCase>;

const InstructionCase = object(
  { ...named, sections: byKey(string()), instruction: string(), result: byKey(Wanted) },
  { ...common, asks: literal(true) },
);
export type InstructionCase = TypeOf<typeof InstructionCase>;

const DocumentSet = object(
  {},
  { dictations: array(DictationCase), checks: array(CheckCase), instructions: array(InstructionCase) },
);

/** All cases of one language. */
export interface DocumentSet {
  readonly language: Language;
  readonly dictations: readonly DictationCase[];
  readonly checks: readonly CheckCase[];
  readonly instructions: readonly InstructionCase[];
}

const here = fileURLToPath(new URL('.', import.meta.url));

/** Reads every file of a language; throws with the file's name and the place where a file is malformed. */
export async function readDocuments(language: Language, folder = here): Promise<DocumentSet> {
  const isSet = new Ajv({ allErrors: true, allowUnionTypes: true, strict: false }).compile(DocumentSet);
  const set = {
    language,
    dictations: [] as DictationCase[],
    checks: [] as CheckCase[],
    instructions: [] as InstructionCase[],
  };
  const ids = new Set<string>();
  const names = await readdir(join(folder, language));
  for (const name of names.filter((each) => each.endsWith('.json')).toSorted()) {
    const file = `${language}/${name}`;
    const content: unknown = JSON.parse(await readFile(join(folder, file), 'utf8'));
    if (!isSet(content)) {
      const told = isSet.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
      throw new Error(`${file}: ${told}`);
    }
    const { dictations = [], checks = [], instructions = [] } = content as TypeOf<typeof DocumentSet>;
    for (const { id } of [...dictations, ...checks, ...instructions]) {
      if (ids.has(id)) throw new Error(`${file}: the id ${id} is there twice`);
      ids.add(id);
    }
    const unwanted = dictations.find((each) => (each.written === undefined) === (each.sections === undefined));
    if (unwanted) throw new Error(`${file}: ${unwanted.id} needs either written or sections`);
    set.dictations.push(...dictations);
    set.checks.push(...checks);
    set.instructions.push(...instructions);
  }
  return set;
}
