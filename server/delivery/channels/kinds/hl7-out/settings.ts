/** The settings of hl7-out. */
import { dictionary, integer, meanings, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { characterSets, unknownLetterChoices } from '../../../formats/hl7/character-sets.ts';
import type { CharacterSet } from '../../../formats/hl7/character-sets.ts';
import { routingSettings } from '../../sending/routing.ts';
import { callingTlsSettings } from '../../tls-settings.ts';

const controls = '\\x00-\\x1f\\x7f';
/** The receiver's own names go as it wants them. */
const name = (description: string) =>
  string({ minLength: 1, maxLength: 180, pattern: `^[^${controls}]+$`, description });

/** HD (2.A.33): name, id and type of id. */
const ownName = (setting: string, description: string) =>
  string({
    minLength: 1,
    maxLength: 180,
    pattern: `^[^\\^${controls}]{0,20}(?:\\^[^\\^${controls}]*(?:\\^[^\\^${controls}]{0,6})?)?$`,
    'x-error-message': `${setting} must have at most 20 characters before the first ^ (HD.1): shorten it, or write it as an id, such as ^NAME^L or ^1.2.3^ISO`,
    description,
  });

export const hl7OutSettings = object(
  {
    host: string({ minLength: 1, maxLength: 253, description: 'Name or address of the computer to connect to.' }),
    port: integer({ minimum: 1, maximum: 65_535, description: 'Its port.' }),
  },
  {
    ...callingTlsSettings,
    sending_application: ownName('sending_application', 'MSH-3, components with ^ between. Default: `LAUDIO`.'),
    sending_facility: ownName('sending_facility', 'MSH-4. Default: the hospital of the exam.'),
    receiving_application: name('MSH-5. Default: nothing.'),
    receiving_facility: name('MSH-6. Default: nothing.'),
    character_set: oneOf(Object.keys(characterSets) as CharacterSet[], {
      default: 'UNICODE UTF-8',
      description:
        'Character set of the messages, which MSH-18 names; of GB 18030 and KS X 1001 the characters whose bytes are both beyond ASCII. Typographic quotation marks, dashes and their like are replaced where it lacks them.',
    }),
    unknown_letters: oneOf(unknownLetterChoices, {
      default: 'refuse',
      description:
        'How to treat other characters that the character set lacks. `refuse`: the document waits for a person; `replace`: Greek letters by their names, letters with a mark by the letter alone, the rest by ?.',
    }),
    line_length: integer({
      minimum: 20,
      maximum: 10_000,
      description:
        'Longest line of the text, in characters. Longer lines are broken at spaces, longer words inside. Default: as the document has them.',
    }),
    text_rows: oneOf(['section', 'line'], {
      default: 'section',
      description: meanings('How the text is divided into OBX segments.', {
        section: 'one for each section, with its line breaks as \\.br\\',
        line: 'one for each line, for receivers that know no line breaks; OBX-4 counts the lines of a section',
      }),
    }),
    measurements: oneOf(['text', 'rows'], {
      default: 'text',
      description: meanings('How the measurements of the findings go.', {
        text: 'in the text alone',
        rows: 'also as numbers with their units in UCUM (OBX of type NM), with site and side (CWE) under the same OBX-4, and their sentence as NTE',
      }),
    }),
    pdf: oneOf(['inside', 'link', 'none'], {
      default: 'inside',
      description:
        'Where the PDF of the document is. `inside`: in an OBX of type ED; `link`: OBX of type RP with `pdf_link`; `none`: left out.',
    }),
    pdf_link: string({
      maxLength: 1000,
      pattern: '^https?://\\S+$',
      description: 'Address of the PDF; `{record_id}` and `{version}` are replaced by those of the document.',
      examples: ['https://ris.example/reports/{record_id}.pdf'],
    }),
    image_link: string({
      maxLength: 1000,
      pattern: '^https?://\\S+$',
      description:
        'Address of a key image, in an OBX of type RP; `{study_uid}`, `{series_uid}` and `{instance_uid}` are replaced by those of the image. Default: `urn:oid:` with its UID.',
      examples: [
        'https://pacs.example/wado?requestType=WADO&studyUID={study_uid}&seriesUID={series_uid}&objectUID={instance_uid}',
      ],
    }),
    physician_ids: {
      ...dictionary(string({ minLength: 1, maxLength: 64 })),
      maxProperties: 1000,
      description:
        'Ids by which the receiver knows the physicians who sign, in OBR-32, OBR-33 and OBX-16, by licence number or by name as signed. Default: the licence number.',
      examples: [{ 'CRM-SP 123456': '4711' }],
    },
    connections: integer({ minimum: 1, maximum: 16, default: 1, description: 'Maximum of connections at a time.' }),
    answer_seconds: integer({
      minimum: 1,
      maximum: 600,
      default: 30,
      description: 'Timeout for connecting, and for the acknowledgement of a message.',
    }),
    idle_seconds: integer({
      minimum: 0,
      maximum: 86_400,
      default: 300,
      description: 'How long an idle connection stays open.',
    }),
    ...routingSettings,
  },
);
export type Hl7OutSettings = TypeOf<typeof hl7OutSettings>;
