/**
 * The spaces' own templates, versioned. A change or deletion retires the current version; existing reports keep using
 * the version that they were made with.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../../src/contract/errors.ts';
import { maxOwnTemplates } from '../../../src/contract/template.ts';
import type { Template, TemplateDefinition } from '../../../src/contract/template.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';
import { ownTemplate } from '../../../src/reporting/templates/template.ts';
import { checkIfMatch } from '../../http/versions.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader, Transaction } from '../../storage/store.ts';

type StoredTemplate = Documents['templates'];

/** The author of a change, and its `If-Match`. */
export interface TemplateChange {
  readonly space: string;
  readonly who: string;
  readonly ifMatch: string | undefined;
}

interface TemplateDeps {
  readonly ids: Ids;
  readonly clock: Clock;
}

/** Unused retired versions that are kept, because requests in progress may need them. */
const maxUnused = 20;

const toTemplate = ({ template_id: id, version, definition }: StoredTemplate): Template =>
  ownTemplate(definition, { id, version });

/** All stored versions of a template, newest first. */
async function listVersions(reader: Reader, space: string, id: string): Promise<StoredTemplate[]> {
  const found = await reader.find('templates', { is: { space, name: id } });
  return found.toSorted((a, b) => b.version - a.version);
}

/** The space's current templates, sorted by name. */
export async function listCurrent(reader: Reader, space: string): Promise<Template[]> {
  const found = await reader.find('templates', { is: { space, state: 'present' } });
  return sortByName(found.map(toTemplate));
}

/** The order in which the first of two that fit an exam equally is chosen. */
export const sortByName = (all: readonly Template[]): Template[] =>
  all.toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));

/** The template at a version, or the current one; `undefined` if the space has none. */
export async function findOwn(
  reader: Reader,
  space: string,
  id: string,
  version?: number,
): Promise<Template | undefined> {
  const versions = await listVersions(reader, space, id);
  const found = versions.find((each) => (version === undefined ? each.state === 'present' : each.version === version));
  return found && toTemplate(found);
}

/** The newest version, even if it was deleted. */
export async function findLast(reader: Reader, space: string, id: string): Promise<Template | undefined> {
  const [newest] = await listVersions(reader, space, id);
  return newest && toTemplate(newest);
}

/** Adds a template. VALIDATION_FAILED, IDENTIFIER_CONFLICT, or PAYLOAD_TOO_LARGE if the space has too many. */
export async function addTemplate(
  tx: Transaction,
  services: TemplateDeps,
  id: string,
  definition: TemplateDefinition,
  { space, who }: TemplateChange,
): Promise<Template> {
  await refuseInvalid(definition);
  const versions = await listVersions(tx, space, id);
  if (versions[0]?.state === 'present') {
    throw new AppError('IDENTIFIER_CONFLICT', {
      message: 'The space has a template with this id already.',
      hint: 'Replace it, or give the new template another id.',
    });
  }
  const present = await tx.find('templates', { is: { space, state: 'present' } });
  if (present.length >= maxOwnTemplates) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: `The space has ${maxOwnTemplates} templates of its own, and may have no more.`,
      details: { limit_items: maxOwnTemplates },
      hint: 'Delete one that nobody uses.',
    });
  }
  return put(tx, services, { space, who, template_id: id, definition, version: (versions[0]?.version ?? 0) + 1 });
}

/** Replaces a template; an equal one makes no version. NOT_FOUND, VERSION_CONFLICT, VALIDATION_FAILED. */
export async function replaceTemplate(
  tx: Transaction,
  services: TemplateDeps,
  id: string,
  definition: TemplateDefinition,
  { space, who, ifMatch }: TemplateChange,
): Promise<Template> {
  await refuseInvalid(definition);
  const [present, ...previous] = await requireCurrent(tx, space, id);
  checkIfMatch(ifMatch, present);
  if (isDeepStrictEqual(withoutMarks(definition), present.definition)) return toTemplate(present);
  retire(tx, present, previous);
  return put(tx, services, { space, who, template_id: id, definition, version: present.version + 1 });
}

/** Deletes a template. NOT_FOUND, VERSION_CONFLICT. */
export async function removeTemplate(tx: Transaction, id: string, { space, ifMatch }: TemplateChange): Promise<void> {
  const [present, ...previous] = await requireCurrent(tx, space, id);
  checkIfMatch(ifMatch, present);
  retire(tx, present, previous);
}

/**
 * Marks a template version as used, so that it is kept. SERVER_BUSY if the version is gone because the template was
 * changed very often; the request is then repeated with the current version.
 */
export async function keepVersion(
  tx: Transaction,
  space: string,
  { origin, id, version }: Pick<Template, 'origin' | 'id' | 'version'>,
): Promise<void> {
  if (origin !== 'own') return;
  const stored = (await listVersions(tx, space, id)).find((each) => each.version === version);
  if (!stored) throw new AppError('SERVER_BUSY', { retryAfter: 1 });
  if (!stored.used) tx.put('templates', { ...stored, used: true });
}

async function requireCurrent(
  tx: Transaction,
  space: string,
  id: string,
): Promise<[StoredTemplate, ...StoredTemplate[]]> {
  const [newest, ...previous] = await listVersions(tx, space, id);
  if (newest?.state !== 'present') {
    const ids = (await listCurrent(tx, space)).map((each) => each.id);
    throw unknownWord('The space has no template of its own with this id.', id, ids, undefined, 'NOT_FOUND');
  }
  return [newest, ...previous];
}

/** Retires the current version and deletes the oldest unused ones. */
function retire(tx: Transaction, present: StoredTemplate, previous: readonly StoredTemplate[]): void {
  const retired = { ...present, state: 'former' as const };
  tx.put('templates', retired);
  const unused = [retired, ...previous].filter(({ used }) => !used);
  // The newest version is kept in any case, because version numbers continue from it.
  for (const { id } of unused.slice(maxUnused).filter(({ version }) => version !== present.version)) {
    tx.remove('templates', id);
  }
}

function put(
  tx: Transaction,
  { ids, clock }: TemplateDeps,
  { definition, ...rest }: Pick<StoredTemplate, 'space' | 'who' | 'template_id' | 'version' | 'definition'>,
): Template {
  const stored: StoredTemplate = {
    id: ids('tpl'),
    ...rest,
    state: 'present',
    used: false,
    at: isoNow(clock),
    definition: withoutMarks(definition),
  };
  tx.put('templates', stored);
  return toTemplate(stored);
}

/** Removes fields that the service sets. */
const withoutMarks = ({
  id: _id,
  origin: _origin,
  version: _version,
  ...definition
}: TemplateDefinition): TemplateDefinition => definition;

/** VALIDATION_FAILED for a definition that can't be stored. */
export async function refuseInvalid(definition: TemplateDefinition): Promise<void> {
  const { definitionError } = await import('../../../src/reporting/templates/definition.ts');
  const error = definitionError(definition);
  if (error) throw error;
}
