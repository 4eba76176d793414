/** What an operator says of a recogniser or a writer: which one, and how it is set up. */

type OptionValue = string | number | boolean;

export interface EngineChoice {
  /** The name of a kind, or that, a colon, and the kind's main option: `local:MODEL`. */
  readonly use: string;
  /** By name; all are text where they come from a command line. */
  readonly options?: Readonly<Record<string, OptionValue>>;
  /** What a service asks for as proof of who calls. It is a secret, so it is read from the environment alone. */
  readonly key?: string | undefined;
}

const usePattern = /^[a-z][a-z0-9_-]{0,63}(?::\S+)?$/;
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Reads `NAME[:VALUE] [OPTION=VALUE …]`, or an object with `use` and the options beside it; `undefined` where it is neither.
 * Whether there is such an engine, and such an option, is for the server to say.
 */
export function engineChoiceOf(value: unknown): EngineChoice | undefined {
  if (typeof value === 'string') {
    const [use = '', ...words] = value.trim().split(/\s+/);
    return choiceOf(
      use,
      words.map((word) => /^([^=]*)=(.*)$/.exec(word)?.slice(1) as [string, string] | undefined),
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { use, ...options } = value as Record<string, unknown>;
  return choiceOf(use, Object.entries(options));
}

function choiceOf(
  use: unknown,
  options: readonly (readonly [name: string, value: unknown] | undefined)[],
): EngineChoice | undefined {
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
