/** Compares versions as Semantic Versioning 2.0.0 does. */

interface Version {
  readonly numbers: readonly number[];
  /** The parts of a preview: `beta`, `1`. */
  readonly preview: readonly string[];
}

const form = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;

function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, preview] = form.exec(text) ?? [];
  if (major === undefined) return undefined;
  return { numbers: [major, minor, patch].map(Number), preview: preview?.split('.') ?? [] };
}

/** Numbers come before words. */
function comparePart(a: string, b: string): number {
  const [isNumberA, isNumberB] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (isNumberA && isNumberB) return Number(a) - Number(b);
  if (isNumberA !== isNumberB) return isNumberA ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePreviews(a: readonly string[], b: readonly string[]): number {
  // A preview comes before its version.
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [at, part] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = comparePart(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Below 0: `a` is older; 0: the same, or two builds of one version; `undefined`: one is no version. */
export function compareVersions(a: string, b: string): number | undefined {
  const [first, second] = [parseVersion(a), parseVersion(b)];
  if (!first || !second) return undefined;
  for (const [at, number] of first.numbers.entries()) {
    const order = number - (second.numbers[at] ?? 0);
    if (order !== 0) return order;
  }
  return comparePreviews(first.preview, second.preview);
}
