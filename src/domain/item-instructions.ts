/** Instructions for the ingest in the metadata of an item. The service follows them and does not store them. */
import { isPlainObject } from './normalise.ts';

export interface Instructions {
  /** Gives the exam to the patient of the item if it belonged to another patient. */
  readonly accept_patient_change?: boolean;
  /** Describes a new exam without a description by its modality. */
  readonly describe_by_modality?: boolean;
  /** Merges the metadata into the stored metadata (RFC 7396): absent names stay, `null` clears a name. */
  readonly keep_absent?: boolean;
}

const names = [
  'accept_patient_change',
  'describe_by_modality',
  'keep_absent',
] as const satisfies readonly (keyof Instructions)[];
type Name = (typeof names)[number];

type Fields = Readonly<Record<string, unknown>>;

const none = { instructions: {}, wrong: [] } as const;

/** The item without its instructions; `wrong` lists instructions that are neither true nor false. */
export function takeInstructions(fields: Fields): {
  readonly fields: Fields;
  readonly instructions: Instructions;
  readonly wrong: readonly Name[];
} {
  const { metadata } = fields;
  if (!isPlainObject(metadata)) return { fields, ...none };
  const given = names.filter((name) => Object.hasOwn(metadata, name));
  if (given.length === 0) return { fields, ...none };
  const { accept_patient_change: _, describe_by_modality: _by, keep_absent: _keep, ...rest } = metadata;
  return {
    // Metadata that held only instructions counts as absent: the stored metadata stays.
    fields: Object.keys(rest).length === 0 ? withoutMetadata(fields) : { ...fields, metadata: rest },
    instructions: Object.fromEntries(given.map((name) => [name, metadata[name] === true])),
    wrong: given.filter((name) => typeof metadata[name] !== 'boolean'),
  };
}

const withoutMetadata = ({ metadata: _, ...others }: Fields): Fields => others;

/** The item with instructions. Metadata that is no object stays as it is, for the service to refuse. */
export function withInstructions(item: Fields, instructions: Instructions): Fields {
  const { metadata = {} } = item;
  return isPlainObject(metadata) ? { ...item, metadata: { ...metadata, ...instructions } } : item;
}
