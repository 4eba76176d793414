/** The systems and types of the identifiers that an exam was given, and the code of its procedure in a second system. */
import { isPlainObject } from '../../../domain/normalise.ts';
import { put } from '../draft.ts';
import type { Draft } from '../draft.ts';
import { isTyped } from './resources.ts';
import type { Resource, Resources } from './resources.ts';

const listObjects = (value: unknown): readonly Resource[] => [value ?? []].flat().filter(isPlainObject);
const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Takes them from the very identifiers whose values were taken; a mapping's own places come first. */
export function takeSystems(
  draft: Draft,
  { request, all }: { readonly request: Resource | undefined; readonly all: readonly Resource[] },
  resources: Resources,
): void {
  const add = (name: string, value: unknown): void => {
    const text = readText(value);
    if (text !== undefined && draft.metadata[name] === undefined) put(draft, `metadata.${name}`, text);
  };
  const patient = patientIdentifiers(all, resources).find(hasValue(draft.fields['patient_id']));
  if (patient) {
    add('patient_id_system', patient['system']);
    add('patient_id_type', readType(patient));
  }
  const own = all.flatMap(({ identifier }) => listObjects(identifier));
  add('accession_system', own.find(hasValue(draft.fields['accession_number']))?.['system']);
  for (const [whose, type] of [
    ['placer', 'PLAC'],
    ['filler', 'FILL'],
  ] as const) {
    const isNumber = hasValue(draft.metadata[`${whose}_order_number`]);
    add(`${whose}_order_system`, own.find((each) => isTyped(each, type) && isNumber(each))?.['system']);
  }
  const { code } = request ?? {};
  const [, second] = isPlainObject(code) ? listObjects(code['coding']) : [];
  if (second && readText(second['code']) !== undefined) {
    add('procedure_alternate_code', second['code']);
    add('procedure_alternate_text', second['display']);
    add('procedure_alternate_system', second['system']);
  }
}

const hasValue =
  (wanted: unknown) =>
  ({ value }: Resource): boolean =>
    wanted !== undefined && value === wanted;

function patientIdentifiers(all: readonly Resource[], resources: Resources): readonly Resource[] {
  return all.flatMap((root) => {
    const { subject, participant } = root;
    const references = [
      ...listObjects(subject),
      ...listObjects(participant).flatMap(({ actor }) => listObjects(actor)),
    ];
    return references.flatMap((reference) => [
      ...listObjects(resources.resolve(reference, root)?.['identifier']),
      ...listObjects(reference['identifier']),
    ]);
  });
}

const readType = ({ type }: Resource): string | undefined =>
  isPlainObject(type)
    ? listObjects(type['coding'])
        .map(({ code }) => readText(code))
        .find((code) => code !== undefined)
    : undefined;
