/** The sources as a graph: which file names which module, and how. Read with a parser, not with patterns. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, visitorKeys } from 'oxc-parser';

/** `type`: erased before the program runs. `dynamic`: loaded when the line is reached. */
export type ImportKind = 'static' | 'type' | 'dynamic';

export interface Import {
  readonly kind: ImportKind;
  /** As written: `../store.ts`, `node:fs`, `fastify`. */
  readonly specifier: string;
  /** What it means: a path from the root for a relative one (`server/storage/store.ts`), else as written. */
  readonly target: string;
}

export interface Module {
  /** From the root, with `/`: `server/storage/store.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  /** Members of `process` that are used, dotted: `process.exit`. */
  readonly members: ReadonlySet<string>;
  /** Files and folders that it names by their address, relative to its own: `new URL('../samples/', import.meta.url)`. */
  readonly files: readonly string[];
}

/** The project's root directory. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** Source files below some folders of the root, sorted. `endings`: `/\.c?ts$/` for the sources, `/\.js$/` for a build. */
export function filesBelow(base: string, folders: readonly string[], endings: RegExp): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(base, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.split(sep).join('/')),
      ),
    )
    .filter((path) => endings.test(path))
    .toSorted();
}

/** Reads the files given, which are paths from `base`. Throws for one that cannot be parsed or names a module by computation. */
export const readModules = (base: string, paths: readonly string[]): Module[] =>
  paths.map((path) => readModule(path, readFileSync(join(base, path), 'utf8')));

/** `path` says where its relative imports start from, and what language it is in. */
export function readModule(path: string, source: string): Module {
  // The tree is made when it is asked for.
  const parsed = parseSync(path, source);
  const { module, errors } = parsed;
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const members = new Set<string>();
  const files: string[] = [];
  const add = (kind: ImportKind, specifier: string): void => {
    // What follows a `?` tells the page's build how to take the file in.
    const [file = ''] = specifier.split('?');
    imports.push({ kind, specifier, target: file.startsWith('.') ? posix.join(posix.dirname(path), file) : file });
  };

  for (const { moduleRequest, entries } of module.staticImports) {
    // `import './x.ts'` has no entries and runs; `import { type A } from` is erased only as a whole.
    add(entries.length > 0 && entries.every(({ isType }) => isType) ? 'type' : 'static', moduleRequest.value);
    if (/^(node:)?process$/.test(moduleRequest.value)) {
      for (const { importName } of entries) members.add(`process.${importName.name ?? 'default'}`);
    }
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries)
      if (moduleRequest) add(isType ? 'type' : 'static', moduleRequest.value);
  }
  // The tree of a file costs twice what its imports do, and two files of three name none of this.
  if (!mayTellMore.test(source) || bundlerRuntime.test(path)) return { path, imports, members, files };
  walk(parsed.program as unknown as Node, (node) => {
    const found = namedByExpression(node);
    if (found) add(found.kind, literal(found.argument) ?? fail(`${path} names a module by computation`));
    const file = addressOf(node);
    if (file !== undefined) files.push(file);
    const member = memberOf(node);
    if (member?.startsWith('process.')) members.add(member);
  });
  return { path, imports, members, files };
}

/** The bundler's own: it names modules of Node alone, for packages in CommonJS. */
const bundlerRuntime = /^dist\/chunks\/rolldown-runtime-[\w-]+\.js$/;

/**
 * What a source holds that names modules by expressions, files by their address, or members of `process`. A name may be
 * written with escapes, and a comment may stand before a bracket.
 */
const mayTellMore = /\bimport\s*[(/]|\brequire\b|\bprocess\b|\bnew\s+URL\b|\\[ux]/;

/** A node of the ESTree, as loosely as a walk needs it. `start` and `end` are offsets in characters. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Visits a node and all below it; `parents` are those above, the outermost first, and change when `visit` has returned. */
export function walk(node: Node, visit: (node: Node, parents: readonly Node[]) => void, parents: Node[] = []): void {
  visit(node, parents);
  parents.push(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const child of value) if (isNode(child)) walk(child, visit, parents);
    } else if (isNode(value)) walk(value, visit, parents);
  }
  parents.pop();
}

export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** `import(x)`, `typeof import(x)` and `let a: import(x).A`, `import a = require(x)`, `require(x)`, `process.getBuiltinModule(x)`. */
function namedByExpression(node: Node): { kind: ImportKind; argument: unknown } | undefined {
  if (node.type === 'ImportExpression') return { kind: 'dynamic', argument: node['source'] };
  if (node.type === 'TSImportType') return { kind: 'type', argument: node['source'] };
  if (node.type === 'TSExternalModuleReference') return { kind: 'static', argument: node['expression'] };
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  const called = isNode(callee) ? (callee.type === 'Identifier' ? callee['name'] : memberOf(callee)) : undefined;
  const argument = (node['arguments'] as readonly unknown[])[0];
  if (called === 'require') return { kind: 'static', argument };
  return called === 'process.getBuiltinModule' ? { kind: 'dynamic', argument } : undefined;
}

/** `new URL('../samples/', import.meta.url)` → `../samples/`; of a template, the part before its first value. */
function addressOf(node: Node): string | undefined {
  if (node.type !== 'NewExpression' || !isNode(node['callee']) || node['callee']['name'] !== 'URL') return undefined;
  const [file, base] = node['arguments'] as readonly Node[];
  if (base?.type !== 'MemberExpression' || !isNode(base['object']) || base['object'].type !== 'MetaProperty')
    return undefined;
  if (file?.type !== 'TemplateLiteral') return literal(file);
  const [first] = file['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return first?.value.cooked.replace(/[^/]*$/, '');
}

function literal(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'TSLiteralType') return literal(node['literal']);
  // Minifiers write texts as templates.
  if (node.type === 'TemplateLiteral') {
    const [text, ...more] = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
    return more.length === 0 ? text?.value.cooked : undefined;
  }
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}

/** `process.exit`, `process['exit']`, `globalThis.process.exit` → `process.exit`. */
function memberOf(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || !isNode(node['object']) || !isNode(node['property'])) return undefined;
  const property = node['computed'] === true ? literal(node['property']) : String(node['property']['name']);
  const object = node['object'];
  const name = object.type === 'Identifier' ? String(object['name']) : memberOf(object)?.replace(/^globalThis\./, '');
  return property === undefined || name === undefined ? undefined : `${name}.${property}`;
}

function fail(message: string): never {
  throw new Error(message);
}

/**
 * Modules that lead back to themselves, each as its path round; empty when there is none. An import of types alone counts
 * as well: who reads one module of a circle has to read them all.
 */
export function cycles(modules: readonly Module[]): string[][] {
  const byPath = new Map(modules.map((module) => [module.path, module]));
  const done = new Set<string>();
  const found: string[][] = [];
  const follow = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      found.push([...trail.slice(start), path]);
      return;
    }
    if (done.has(path)) return;
    for (const { target } of byPath.get(path)?.imports ?? []) if (byPath.has(target)) follow(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of modules) follow(path, []);
  return found;
}

/** `@scope/name` or `name` of a specifier that is a package's; undefined for a relative one and for Node's own. */
export function packageOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
