/** The language of names and comments (docs/glossary.md): nothing that a native engineer would not write. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, visitorKeys } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { filesBelow, isNode, root } from './support/modules.ts';
import type { Node } from './support/modules.ts';

const rules = ['participleTypes', 'functionsOf', 'vagueNames', 'commentBeginnings', 'vagueWords'] as const;
type Rule = (typeof rules)[number];

/** A type is a noun, never a bare participle: `MatchResult`, not `Known`. */
const irregular =
  'Told|Known|Sent|Kept|Taken|Said|Written|Heard|Given|Made|Found|Held|Met|Left|Begun|Shown|Seen|Spoken|Chosen|Drawn|Lost|Put|Read|Bound|Split|Cut|Gone|Done|Around|Remarkable|Unnamed';
const participle = new RegExp(`^(?:${irregular}|[A-Z][a-z]+ed)$`);
/** Nouns and adjectives of the field that end like one. */
const nouns = new Set(['Feed', 'Seed', 'Need', 'Speed', 'Embed', 'Shed', 'Bed']);

/** `max`, `min`, `default`, `recent`, `previous`, `next`, `additional`: not these. */
const vagueName = /^(?:most|least|longest|usual|lately|former|further|anew|told|retold)(?:[A-Z_]|$)/;

/**
 * Names that others decide: keywords of JSON Schema, a function of the published library, and fields of stored documents.
 */
const givenNames = new Set(['oneOf', 'anyOf', 'itemsOf', 'told_at', 'told_by']);

const commentBeginning = /^(?:What|Whoever|Whatever|Somebody|Nobody|Of|By|From)\b/;
const vagueWord =
  /\b(?:told|tells|stands|anew|besides?|let go|lets go|goes by|go by|comes to|is said|are said|in vain)\b|of (?:its|their|his|her|one’s|one's) own|as they are met/gi;
/** Of a critical result somebody is told. */
const allowed = /critical|communicat/i;

interface Place {
  readonly rule: Rule;
  /** `path:line: what`. */
  readonly at: string;
}

function placesOf(path: string, source: string): Place[] {
  const { program, comments } = parseSync(path, source);
  const places: Place[] = [];
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length;
  const add = (rule: Rule, offset: number, what: string) =>
    places.push({ rule, at: `${path}:${lineAt(offset)}: ${what}` });
  eachNode(program as unknown as Node, (node) => {
    for (const name of declaredNames(node)) {
      if (givenNames.has(name)) continue;
      if (/^TS(?:Interface|TypeAlias|Enum)Declaration$/.test(node.type)) {
        if (participle.test(name) && !nouns.has(name)) add('participleTypes', node.start, name);
        continue;
      }
      if (vagueName.test(name)) add('vagueNames', node.start, name);
      if (/[a-z]Of$/.test(name) && isNameOf(node, name) && !isProjection(node)) add('functionsOf', node.start, name);
    }
  });
  for (const { value, start } of comments) {
    const text = value.replaceAll(/^\s*\*+ ?/gm, '').trim();
    if (commentBeginning.test(text)) add('commentBeginnings', start, text.slice(0, 60));
    if (allowed.test(text)) continue;
    for (const [word] of text.replaceAll(/`[^`]*`/g, '').matchAll(vagueWord)) add('vagueWords', start, word);
  }
  return places;
}

function eachNode(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child = node[key];
    if (Array.isArray(child)) {
      for (const each of child) if (isNode(each)) eachNode(each, visit);
    } else if (isNode(child)) eachNode(child, visit);
  }
}

const declarations = new Map(
  Object.entries({
    id: [
      'FunctionDeclaration',
      'ClassDeclaration',
      'VariableDeclarator',
      'TSInterfaceDeclaration',
      'TSTypeAliasDeclaration',
      'TSEnumDeclaration',
    ],
    key: ['TSPropertySignature', 'TSMethodSignature', 'MethodDefinition', 'PropertyDefinition'],
  }).flatMap(([key, types]) => types.map((type) => [type, key])),
);

/** The names that a node declares: of a function, a variable, a type, a property of a type, and of parameters. */
function declaredNames(node: Node): string[] {
  const key = declarations.get(node.type);
  const declared = key === undefined ? parameters(node) : [node[key], ...parameters(node)];
  return declared.flatMap((each) => (isNode(each) && each.type === 'Identifier' ? [String(each['name'])] : []));
}

const parameters = (node: Node): readonly unknown[] => (Array.isArray(node['params']) ? node['params'] : []);

/** The function that a declaration is or holds. */
const functionIn = (node: Node): Node | undefined => {
  const held = node.type === 'VariableDeclarator' ? node['init'] : node;
  return isNode(held) && /Function/.test(held.type) ? held : undefined;
};
/** Whether the name is the function's own, not that of a parameter. */
const isNameOf = (node: Node, name: string): boolean =>
  functionIn(node) !== undefined && isNode(node['id']) && node['id']['name'] === name;

/** `xOf(y)` is a good name of what one value has: one argument, and a single expression. */
function isProjection(node: Node): boolean {
  const held = functionIn(node)!;
  const body = held['body'];
  if (parameters(held).length !== 1 || !isNode(body)) return false;
  if (body.type !== 'BlockStatement') return true;
  const statements = body['body'] as readonly Node[];
  return statements.length === 1 && statements[0]!.type === 'ReturnStatement';
}

describe('the language of names and comments', () => {
  const paths = filesBelow(root, ['src', 'server', 'cli', 'desktop'], /\.[cm]?tsx?$/);
  const places = paths.flatMap((path) => placesOf(path, readFileSync(join(root, path), 'utf8')));

  test.each(rules)('%s: none', (rule) => {
    expect(places.filter((place) => place.rule === rule).map(({ at }) => at)).toEqual([]);
  });

  test('sees what is against it', () => {
    const source = `
      /** What is told of an exam. */
      interface Told { usualPort: number }
      // Whoever writes goes by its own clock.
      export function conflictsOf(a: string, b: string) { return a + b; }
      export const nameOf = (exam: { name: string }) => exam.name;
      // Told to the physician: a critical result.
      export const seconds = (mostSeconds: number) => mostSeconds;`;
    expect(
      placesOf('a.ts', source)
        .map(({ rule }) => rule)
        .toSorted(),
    ).toEqual([
      'commentBeginnings',
      'commentBeginnings',
      'functionsOf',
      'participleTypes',
      'vagueNames',
      'vagueNames',
      'vagueWords',
      'vagueWords',
    ]);
  });
});
