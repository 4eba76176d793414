/** Chooses the content coding of an answer by the `Accept-Encoding` of its request (RFC 9110 12.5.3). */

/** The best first: where a reader likes several as much, it gets the smallest. */
export const codings = ['br', 'gzip'] as const;
export type Coding = (typeof codings)[number];

/** Content with less than this many bytes fits into one packet anyway. */
const minCompressed = 1024;
const isText = (type: string): boolean => /^text\/|^application\/(?:json|wasm|manifest\+json)|^image\/svg/.test(type);

export const isCompressible = (type: string, bytes: number): boolean => isText(type) && bytes >= minCompressed;

/** `undefined`: the content as it is, which a reader also gets that refuses everything or cannot be understood. */
export function chooseCoding(header: string | undefined): Coding | undefined {
  const weights = weightsIn(header ?? '');
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  // Content as it is need not be named: it is refused or preferred by its own name only.
  const plain = weights.get('identity') ?? 0;
  const [best] = codings.toSorted((a, b) => weightOf(b) - weightOf(a));
  return best !== undefined && weightOf(best) > 0 && weightOf(best) >= plain ? best : undefined;
}

/** Name → weight; the lower one if a name occurs twice. A malformed weight refuses the coding. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [written = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    const name = written === 'x-gzip' ? 'gzip' : written;
    const weight = parameters.length === 0 ? 1 : weightFrom(parameters);
    weights.set(name, Math.min(weight, weights.get(name) ?? 1));
  }
  return weights;
}

const weightFrom = ([only = '', ...others]: readonly string[]): number => {
  const [, digits] = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(only) ?? [];
  return digits === undefined || others.length > 0 ? 0 : Number(digits);
};
