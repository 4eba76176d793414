/** FHIRPath of mappings, by a library that is loaded with the first of them. References are followed inside the file. */
import { AppError } from '../../../contract/errors.ts';
import type { Resource, Resources } from './resources.ts';
import { formatValue } from './resources.ts';

/** The text at a path of a mapping, from a resource. */
export type TextAtPath = (root: Resource, path: string) => string | undefined;

/** `type='ACSN'` compares the code of a concept, as people mean it. */
const spelled = (path: string): string => path.replace(/\btype\s*=\s*(['"])([^'"]+)\1/g, "type.coding.code = '$2'");

/** USAGE for a path that is none, before anything is read. */
export async function fhirPathReader(paths: readonly string[], resources: Resources): Promise<TextAtPath> {
  const { evalFhirPath, parseFhirPath } = await import('./fhirpath-library.ts');
  const partsOf = new Map<string, readonly string[]>();
  for (const path of paths) {
    const parts = spelled(path)
      .split(/\.resolve\(\)\.?/)
      .filter((part) => part !== '');
    try {
      for (const part of parts) parseFhirPath(part);
    } catch {
      throw new AppError('USAGE', {
        message: `The mapping names a path that is no FHIRPath: ${path}`,
        hint: "It is written like ServiceRequest.identifier.where(type='ACSN').value.",
      });
    }
    partsOf.set(path, parts);
  }
  return (root, path) => {
    let values: readonly unknown[] = [root];
    for (const [at, part] of (partsOf.get(path) ?? []).entries()) {
      if (at > 0) values = values.flatMap((reference) => resources.resolve(reference, root) ?? []);
      try {
        values = values.flatMap((value) => evalFhirPath(part, value) as unknown[]);
      } catch {
        // A function that does not fit the value.
        return undefined;
      }
    }
    return values.map(formatValue).find((text) => text !== '');
  };
}
