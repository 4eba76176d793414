/** The mapping tables of the guide for integrators are those of the readers. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readHeader } from '../../../src/files/worklist/csv/columns.ts';
import { csvColumns } from '../../../src/files/worklist/csv/headings.ts';
import { dicomMappings, placeName } from '../../../src/files/worklist/dicom/attributes.ts';
import type { Mapping } from '../../../src/files/worklist/draft.ts';
import { fhirMappings } from '../../../src/files/worklist/fhir/elements.ts';
import { hl7Mappings } from '../../../src/files/worklist/hl7/fields.ts';
import { sampleFiles } from '../../support/worklist-readings.ts';

const pages = new URL('../../../docs/integrator/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, pages), 'utf8');
const mappingPage = read('mapping.md');
const headingsPage = read('headings.md');

/** `| field | first, second |` of each field, in the order of the tables. */
const rowsOf = (...tables: readonly (readonly Mapping[])[]): string[] =>
  [...new Set(tables.flatMap((table) => table.map(({ to }) => to)))].map(
    (field) =>
      `| \`${field}\` | ${tables.map((table) => table.find(({ to }) => to === field)?.from.join(', ') || '–').join(' | ')} |`,
  );

const named = (mappings: readonly Mapping[], nameOf: (source: string) => string): Mapping[] =>
  mappings.map((mapping) => ({ ...mapping, from: mapping.from.map(nameOf) }));

/** The scheduled step by its usual abbreviation. */
const dicomRows = rowsOf(named(dicomMappings, (source) => placeName(source).replaceAll('(0040,0100)', 'SPS')));
const hl7Rows = rowsOf(hl7Mappings.ORM, hl7Mappings.OMI, hl7Mappings.SIU);
/** `*` stands for both resources, an arrow for a reference that is followed. */
const fhirName = (source: string): string =>
  source
    .replace(/^ImagingStudy\b/, 'study')
    .replace(/^ServiceRequest\b/, 'request')
    .replace(/^Appointment\b/, 'appointment')
    .replaceAll('.resolve().', ' → ')
    .replace('http://dicom.nema.org/resources/ontology/DCM', 'DCM');
const inBoth = (sources: readonly string[]): string[] =>
  sources.flatMap((source) => {
    const [, resource, path] = /^(study|request|appointment)(\..*)$/.exec(source)!;
    if (!sources.includes(`study${path}`) || !sources.includes(`request${path}`)) return [source];
    return resource === 'study' ? [`*${path}`] : resource === 'request' ? [] : [source];
  });
const fhirRows = rowsOf(
  fhirMappings.map((mapping) => ({
    ...mapping,
    from: inBoth(mapping.from.map(fhirName)).map((name) => `\`${name}\``),
  })),
);

describe.each([
  ['DICOM', dicomRows],
  ['HL7 v2', hl7Rows],
  ['FHIR', fhirRows],
])('%s', (_, rows) => {
  it('is mapped as the guide says', () => {
    expect(rows.filter((row) => !mappingPage.includes(row))).toEqual([]);
  });
});

it('the headings that the guide names are understood', () => {
  const rows = [...headingsPage.matchAll(/^\| `([a-z_.]+)` \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].filter(
    ([, field]) => csvColumns.some(({ to }) => to === field),
  );
  const headings = rows.flatMap(([, field, ...languages]) =>
    languages
      .flatMap((language) => language.split(', '))
      .filter((heading) => heading !== '' && !/[-(]/.test(heading))
      .map((heading) => [heading, field]),
  );
  // Headings of a status count where known words stand below them.
  const fields = csvColumns.map(({ to }) => to).filter((to) => to !== 'status');
  expect(new Set(rows.map(([, field]) => field))).toEqual(new Set(fields));
  expect(headings.filter(([heading, field]) => !readHeader([heading!]).columnOf.has(field!))).toEqual([]);
});

it('all headings are listed', () => {
  const lines = csvColumns.map(({ to, headings }) => `- \`${to}\`: ${headings}`);
  expect(lines.filter((line) => !headingsPage.includes(line))).toEqual([]);
});

it('every sample is walked through', () => {
  const files = read('files.md');
  expect(sampleFiles.filter(({ name }) => !files.includes(`samples/worklists/${name}`))).toEqual([]);
});
