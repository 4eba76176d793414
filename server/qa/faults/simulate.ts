/** `X-Laudio-Simulate`: a header by which a test client requests effects of a fault on one call. */
import { validationFailed } from '../../../src/contract/errors.ts';
import { effectNames, faultEffects, faultStatuses } from '../../../src/contract/fault-effects.ts';
import type { EffectName, FaultEffects } from '../../../src/contract/fault-effects.ts';
import type { RequestHeader } from '../../../src/contract/headers.ts';
import type { JsonSchema } from '../../../src/contract/schema.ts';
import { suggestWord } from '../../../src/domain/nearest-word.ts';

export const simulateHeader = 'X-Laudio-Simulate' satisfies RequestHeader;

const words = effectNames.filter((name) => !('isOfRules' in faultEffects[name]));

/** Parses the header, a list separated by commas. VALIDATION_FAILED if an effect is unknown or not for a single call. */
export function parseSimulation(header: string): FaultEffects {
  let effects: FaultEffects = {};
  for (const word of header.split(',').map((part) => part.trim())) {
    const [name, text] = word === 'drop' ? ['cut', 'after'] : splitWord(word);
    const known = words.find((each) => each === name);
    const value = known && parseValue(known, text);
    if (value === undefined) {
      const forms = words.map((each) => `${each}=${faultEffects[each].form}`).join(', ');
      const suggestion = known === undefined ? suggestWord(name, words) : undefined;
      const message = [`${simulateHeader} takes ${forms}`, suggestion].filter(Boolean).join('. ');
      throw validationFailed([{ field: simulateHeader, message, code: 'INVALID_VALUE' }]);
    }
    effects = { ...effects, [known as EffectName]: value };
  }
  return effects;
}

const splitWord = (word: string): [name: string, value: string] => {
  const at = word.indexOf('=');
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
};

/** Parses a value by the schema of its effect; `undefined`: it is invalid. */
function parseValue(name: EffectName, text: string): unknown {
  const { type, enum: values, pattern, minimum, maximum }: JsonSchema = faultEffects[name].schema;
  const value = type === 'integer' ? parseInteger(text) : text;
  if (name === 'status' && !faultStatuses.some((status) => status === value)) return undefined;
  if (value === undefined || (values && !values.includes(value))) return undefined;
  if (typeof value === 'number' && (value < (minimum ?? -Infinity) || value > (maximum ?? Infinity))) return undefined;
  return pattern === undefined || new RegExp(pattern).test(text) ? value : undefined;
}

const parseInteger = (text: string): number | undefined => (/^\d{1,9}$/.test(text) ? Number(text) : undefined);
