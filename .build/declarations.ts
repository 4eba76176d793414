/**
 * The types of the package's doors: what `laudio` and `laudio/testing` export, and every declaration that those need, and no
 * other. They must be whole by themselves: a project that uses the package has neither our development dependencies nor
 * Node's types.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';

/** Sources of the doors, from the root. */
const doors = ['src/client/library/index.ts', 'server/testing/index.ts'] as const;

/** What declarations may use beyond the language of the oldest library that a project may have chosen. */
const libraries = '/// <reference lib="es2022" />\n/// <reference lib="esnext.disposable" />\n';

/**
 * Writes the declarations beside the modules in `dist`, from those that the compiler has made of all sources. Throws where
 * one needs what a user of the package may not have.
 */
export async function declareDoors(made: string, dist: string): Promise<void> {
  const needed = new Set(doors.map((door) => door.replace(/\.ts$/, '.d.ts')));
  for (const path of needed) {
    const compiled = await readFile(join(made, path), 'utf8');
    // An import for its effect has no types.
    const text = compiled.replace(/^import ['"][^'"\n]+['"];\n/gm, '');
    const isDoor = doors.some((door) => door.replace(/\.ts$/, '.d.ts') === path);
    const declared = text.replaceAll(
      /\/\*[^]*?\*\/|(from |import\()(['"])([^'"]+)\2/g,
      (whole, before, quote, specifier) => {
        if (before === undefined) return whole;
        if (!specifier.startsWith('.')) throw new Error(`the types of the package need ${specifier}, in ${path}`);
        needed.add(posix.join(posix.dirname(path), specifier.replace(/\.ts$/, '.d.ts')));
        return `${before}${quote}${specifier.replace(/\.ts$/, '.js')}${quote}`;
      },
    );
    const foreign = /\b(NodeJS\.|Buffer\b|import\("node:)/.exec(withoutComments(declared))?.[0];
    if (foreign !== undefined) throw new Error(`the types of the package need those of Node (${foreign}), in ${path}`);
    await mkdir(dirname(join(dist, path)), { recursive: true });
    // What the type means anyway, as compilers before 5.7 write it.
    const plain = declared.replaceAll('Uint8Array<ArrayBufferLike>', 'Uint8Array');
    await writeFile(join(dist, path), (isDoor ? libraries : '') + withSummaries(plain));
  }
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\//g, '');

const endpoint =
  /^( +)(\w+): \{\n +readonly method: "(\w+)";\n +readonly path: "([^"\n]+)";\n +readonly summary: ("[^\n]*");\n(?: +readonly description: ("[^\n]*");\n)?/gm;

/** The calls of the contract with what it says of them, so that an editor shows that where a program makes the call. */
const withSummaries = (declared: string): string =>
  declared.replaceAll(endpoint, (whole, indent: string, _name, method, path, summary: string, description?: string) => {
    const words = [JSON.parse(summary), ...(description ? [JSON.parse(description)] : [])] as string[];
    const lines = [...words.map((text) => `${text.replace(/\.$/, '')}.`), `${method} ${path}`];
    return `${indent}/**\n${lines.map((line) => `${indent} * ${line.replaceAll('*/', '* /')}`).join(`\n${indent} *\n`)}\n${indent} */\n${whole}`;
  });
