/** What the metadata of an item says about taking the item. It is obeyed, and not kept. */
import { isPlainObject } from './normalise.ts';

export interface Instructions {
  /** The exam becomes the item's patient's where it was another one's. */
  readonly accept_patient_change?: boolean;
  /** The item's metadata is a merge patch of what is stored (RFC 7396): names it does not bring stay, `null` clears one. */
  readonly keep_absent?: boolean;
}

const names = ['accept_patient_change', 'keep_absent'] as const satisfies readonly (keyof Instructions)[];
type Name = (typeof names)[number];

type Fields = Readonly<Record<string, unknown>>;

const none: Instructions = {};

/** The item without its instructions; `wrong` are those that are neither true nor false. */
export function takeInstructions(fields: Fields): {
  fields: Fields;
  instructions: Instructions;
  wrong: readonly Name[];
} {
  const { metadata } = fields;
  if (!isPlainObject(metadata)) return { fields, instructions: none, wrong: [] };
  const given = names.filter((name) => Object.hasOwn(metadata, name));
  if (given.length === 0) return { fields, instructions: none, wrong: [] };
  const rest = Object.entries(metadata).filter(([name]) => !given.some((instruction) => instruction === name));
  const { metadata: _metadata, ...others } = fields;
  return {
    // Metadata that held instructions alone is none: what is stored stays.
    fields: rest.length === 0 ? others : { ...others, metadata: Object.fromEntries(rest) },
    instructions: Object.fromEntries(given.map((name) => [name, metadata[name] === true])),
    wrong: given.filter((name) => typeof metadata[name] !== 'boolean'),
  };
}

/** The item with instructions; one whose metadata is no object is left for the service to refuse. */
export function withInstructions(item: Fields, instructions: Instructions): Fields {
  const { metadata = {} } = item;
  return isPlainObject(metadata) ? { ...item, metadata: { ...metadata, ...instructions } } : item;
}
