/**
 * The tables of a schema, made from the declared indexes: a row is a document, with the values that the document has in each index.
 * Values are computed here and written as columns, so that one definition holds for every store.
 */
import { createHash } from 'node:crypto';
import { foldTexts, splitWords } from '../../../src/domain/search-text.ts';
import { collectionNames } from '../collections.ts';
import type { CollectionName, Documents } from '../collections.ts';
import { unnumbered } from '../store.ts';
import { indexesOf } from '../transactions/conditions.ts';
import type { AnyIndex } from '../transactions/conditions.ts';
import type { AnyDocument } from '../transactions/tables.ts';

/** A value of an index in a table. */
export interface Column {
  readonly name: string;
  /** The name of the index. */
  readonly index: string;
  readonly type: 'text' | 'float8' | 'tsvector';
  /** The value as it is sent; words are parted by spaces. */
  readonly read: (document: AnyDocument) => string | number | null;
}

/** The name of a document in an index of keys. */
export interface KeyName {
  readonly index: string;
  /** Empty where the index is not within a space. */
  readonly space: string;
  readonly name: string;
}

/** The index of items whose value is the number of the commit, which the database fills in. */
export const numberColumn = 'i_commit';

/** Characters of a word that count in a search. The largest word of PostgreSQL has 2046 bytes. */
export const maxWordLength = 256;

/** Characters of a name that a column keeps as it is: an entry of an index has at most 2700 bytes. */
const maxNameLength = 400;

/** A name as a column has it. PostgreSQL takes no NUL in texts. */
export function toColumnText(name: string): string {
  const text = name.includes('\0') ? name.replaceAll('\0', '\ufffd') : name;
  if (text.length <= maxNameLength) return text;
  return `${text.slice(0, maxNameLength)}…${createHash('sha256').update(text).digest('base64url')}`;
}

export const isNumbered = (collection: CollectionName): boolean => collection === 'items';

/** The names of a document in an index of keys. */
const namesIn = (index: AnyIndex & { kind: 'key' }, document: AnyDocument): readonly string[] => {
  const names = index.of(document);
  if (names === null) return [];
  return typeof names === 'string' ? [names] : names;
};

const readSpace = (index: AnyIndex, document: AnyDocument): string =>
  index.kind === 'key' && index.within ? (document as { space: string }).space : '';

/** All names of a document in the indexes of keys of its collection. */
export function listKeyNames(collection: CollectionName, document: AnyDocument): KeyName[] {
  const found: KeyName[] = [];
  for (const [index, declared] of Object.entries(indexesOf(collection))) {
    if (declared.kind !== 'key') continue;
    const space = readSpace(declared, document);
    for (const name of namesIn(declared, document)) found.push({ index, space, name });
  }
  return found;
}

/** The names of a document for which its columns have no room: all but the first one of an index. */
export function listFurtherNames(collection: CollectionName, document: AnyDocument): KeyName[] {
  const found: KeyName[] = [];
  for (const [index, declared] of Object.entries(indexesOf(collection))) {
    if (declared.kind !== 'key' || !declared.several) continue;
    const space = readSpace(declared, document);
    for (const name of namesIn(declared, document).slice(1)) found.push({ index, space, name: toColumnText(name) });
  }
  return found;
}

function createColumn(index: string, declared: AnyIndex): Column {
  if (declared.kind === 'instant') {
    const isNumber = `i_${index}` === numberColumn;
    const read = (document: AnyDocument) =>
      isNumber && (document as Documents['items']).commit === unnumbered ? null : declared.of(document);
    return { name: `i_${index}`, index, type: 'float8', read };
  }
  if (declared.kind === 'text') {
    const read = (document: AnyDocument) =>
      [...new Set(splitWords(foldTexts(declared.of(document)), maxWordLength))].join(' ').replaceAll('\0', '\ufffd');
    return { name: `t_${index}`, index, type: 'tsvector', read };
  }
  const [prefix, read] =
    declared.kind === 'group'
      ? (['g', (document: AnyDocument) => declared.of(document)] as const)
      : (['k', (document: AnyDocument) => namesIn(declared, document)[0] ?? null] as const);
  return {
    name: `${prefix}_${index}`,
    index,
    type: 'text',
    read: (document) => {
      const name = read(document);
      return name === null ? null : toColumnText(name);
    },
  };
}

const columns = Object.fromEntries(
  collectionNames.map((collection): [CollectionName, readonly Column[]] => [
    collection,
    Object.entries(indexesOf(collection)).map(([index, declared]) => createColumn(index, declared)),
  ]),
) as Record<CollectionName, readonly Column[]>;

export const columnsIn = (collection: CollectionName): readonly Column[] => columns[collection];

/** Groups of a space by which many queries ask, whose documents are found in the order of their ids; the other groups only filter. */
const groupsInSpace: { readonly [C in CollectionName]?: readonly string[] } = {
  items: ['status', 'modality', 'source_system', 'hospital', 'assigned_to'],
  records: ['status'],
};

export const isFoundInSpace = (collection: CollectionName, group: string): boolean =>
  groupsInSpace[collection]?.includes(group) ?? false;

/** The same of collections that are looked through in all spaces at once. */
const frequentGroups: { readonly [C in CollectionName]?: readonly string[] } = {
  jobs: ['g_status'],
  deliveries: ['g_status', 'g_client'],
  messages: ['g_channel, g_state', 'g_state'],
  grants: ['g_client'],
};

/** Groups that few documents belong to. */
const rareGroups: { readonly [C in CollectionName]?: readonly string[] } = {
  records: ['g_critical'],
  erasures: ['g_pending'],
};

/** Instants by which somebody asks within a space; by the others, in all spaces at once. */
const instantsInSpace = new Set(['i_exam']);

/** The indexes of a table, each as PostgreSQL shows it behind USING. */
export function indexesIn(collection: CollectionName): string[] {
  const indexes = indexesOf(collection);
  const sorted = (fields: string, present?: string): string =>
    `btree (${fields})${present === undefined ? '' : ` WHERE (${present} IS NOT NULL)`}`;
  const made = (frequentGroups[collection] ?? []).map((fields) => sorted(`${fields}, id`));
  for (const group of groupsInSpace[collection] ?? []) made.push(sorted(`g_space, g_${group}, id`, `g_${group}`));
  for (const group of rareGroups[collection] ?? []) made.push(sorted(`${group}, id`, group));
  if ('space' in indexes) made.push(sorted('g_space, id'));
  for (const { name, index, type } of columnsIn(collection)) {
    const declared = indexes[index];
    if (declared?.kind === 'key') made.push(sorted(`${name}${declared.within ? ', g_space' : ''}, id`, name));
    if (type === 'float8') made.push(sorted(`${instantsInSpace.has(name) ? 'g_space, ' : ''}${name}`, name));
    if (type === 'tsvector') made.push(`gin (${name})`);
  }
  return made;
}

/** The statements that make the indexes of a table. */
export const indexStatements = (table: string, collection: CollectionName): string[] =>
  indexesIn(collection).map((index) => `CREATE INDEX ON ${table} USING ${index}`);

export const columnType = ({ type }: Column): string => (type === 'text' ? 'text COLLATE "C"' : type);

/** The statement that makes the table of a collection, without its indexes. */
export function tableStatement(table: string, collection: CollectionName): string {
  const fields = columnsIn(collection).map((column) => `, ${column.name} ${columnType(column)}`);
  return `CREATE TABLE ${table} (id text COLLATE "C" PRIMARY KEY, doc json NOT NULL, x xid8 NOT NULL DEFAULT pg_current_xact_id()${fields.join('')})`;
}

const text = 'text COLLATE "C" NOT NULL';

/**
 * The columns of all tables in each form, by their fingerprint. Columns that are new here make a further form: earlier versions write
 * rows without them (upgrade.ts). A test computes the last one. No column is taken away, since the version before writes it.
 */
export const forms: readonly string[] = ['beb50bd13fed'];
/** The present one. */
export const form = forms.length;

/** The columns of each table that is there, by its name. */
export type Tables = ReadonlyMap<string, ReadonlySet<string>>;

/** The columns of new indexes that rows of earlier versions do not have yet. */
export const unfilledStatement = (schema: string): string =>
  `CREATE TABLE ${schema}.unfilled (collection ${text}, name ${text}, PRIMARY KEY (collection, name))`;

/** The tables that are of no collection, and that all versions have. */
export const ownTables = ['names', 'events', 'members', 'claims', 'counters', 'meta'] as const;

/** The cluster and its timeline: after a failover the numbers of lost transactions come again. */
export const clusterSql = `(SELECT s.system_identifier || '.' || c.timeline_id FROM pg_control_system() s, pg_control_checkpoint() c)`;

export const namesStatement = (table: string): string =>
  `CREATE TABLE ${table} (collection ${text}, ix ${text}, space ${text}, name ${text}, id ${text}, PRIMARY KEY (collection, ix, space, name, id))`;

export const namesIndexStatement = (table: string): string => `CREATE INDEX ON ${table} (collection, id)`;

/** Everything that an empty schema needs; `schema` is quoted. */
export function schemaStatements(schema: string): string[] {
  const made: string[] = [];
  for (const collection of collectionNames) {
    const table = `${schema}.${collection}`;
    made.push(tableStatement(table, collection), ...indexStatements(table, collection));
  }
  return [
    ...made,
    namesStatement(`${schema}.names`),
    namesIndexStatement(`${schema}.names`),
    `CREATE TABLE ${schema}.events (x xid8 NOT NULL DEFAULT pg_current_xact_id(), receipt uuid NOT NULL, at timestamptz NOT NULL DEFAULT now(), origin ${text}, body json NOT NULL)`,
    `CREATE INDEX ON ${schema}.events (x)`,
    `CREATE TABLE ${schema}.members (id text PRIMARY KEY, url text, until timestamptz NOT NULL, form int)`,
    unfilledStatement(schema),
    `CREATE TABLE ${schema}.claims (place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name ${text}, member ${text}, state json)`,
    `CREATE INDEX ON ${schema}.claims (name, place)`,
    `CREATE INDEX ON ${schema}.claims (member)`,
    `CREATE UNLOGGED TABLE ${schema}.counters (key text PRIMARY KEY, n int NOT NULL, until timestamptz NOT NULL)`,
    `CREATE TABLE ${schema}.meta (single boolean PRIMARY KEY DEFAULT true CHECK (single), program text NOT NULL, form int NOT NULL, documents int NOT NULL, epoch text NOT NULL, base float8 NOT NULL, begins float8 NOT NULL, cluster text NOT NULL, forgotten xid8 NOT NULL DEFAULT '0')`,
  ];
}
