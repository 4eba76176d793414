/** An operator’s choice of a part of the server, such as its recogniser or its store: the name of a kind and its options. */

type OptionValue = string | number | boolean;

export interface Choice {
  /** The name of a kind; or the name, a colon, and the main option of the kind: `local:MODEL`. */
  readonly use: string;
  /** The options by name; a command line makes each of them a text. */
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** The secret of the service behind it. Secrets come from the environment alone. */
  readonly key?: string | undefined;
}

const usePattern = /^[a-z][a-z0-9_-]{0,63}(?::\S+)?$/;
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Reads `NAME[:VALUE] [OPTION=VALUE …]`, or an object with `use` and options; `undefined` if the value is neither. The
 * server checks whether such a kind and such an option exist.
 */
export function parseChoice(value: unknown): Choice | undefined {
  if (typeof value === 'string') {
    const [use = '', ...words] = value.trim().split(/\s+/);
    return checkedChoice(
      use,
      words.map((word) => /^([^=]*)=(.*)$/.exec(word)?.slice(1) as [string, string] | undefined),
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { use, ...options } = value as Record<string, unknown>;
  return checkedChoice(use, Object.entries(options));
}

function checkedChoice(
  use: unknown,
  options: readonly (readonly [name: string, value: unknown] | undefined)[],
): Choice | undefined {
  if (typeof use !== 'string' || !usePattern.test(use)) return undefined;
  const found = new Map<string, OptionValue>();
  for (const option of options) {
    if (!option) return undefined;
    const [name, value] = option;
    if (!namePattern.test(name) || found.has(name) || !isOptionValue(value)) return undefined;
    found.set(name, value);
  }
  return { use, options: Object.fromEntries(found) };
}

const isOptionValue = (value: unknown): value is OptionValue =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
