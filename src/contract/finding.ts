/** Findings to review before the signature (extension). The service finds them, people decide about them. */
import {
  anyOf,
  array,
  boolean,
  integer,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';

const kindMeanings = {
  side_not_said: 'the document names a side that the dictation does not',
  side_lost: 'the dictation names a side that the document does not',
  side_differs_from_exam: 'the document names the other side than the exam',
  side_differs_between_sections: 'two sections name different sides',
  negation_changed: 'a negation appeared or disappeared',
  contradiction: 'the same finding is affirmed and denied',
  number_changed: 'a number is not the one of the dictation',
  unit_changed: 'a unit is not the one of the dictation',
  unit_implausible: 'a measure is hardly possible with its unit',
  measure_differs_between_sections: 'two sections give different measures of the same finding',
  sex_implausible: 'the text does not fit the sex of the patient',
  age_implausible: 'the text does not fit the age of the patient',
  exam_mismatch: 'the text speaks of another region or modality than the exam',
  section_missing: 'a section that the template requires is not there',
  section_empty:
    'a section that the template requires, or its findings or impression, has no text; `evidence` has what may belong there',
  field_open: 'a field such as `[__ mm]` is not filled in; nobody can dismiss or acknowledge it',
  impression_not_supported: 'the impression names what the findings do not',
  critical_not_communicated:
    'a critical finding, and no word that somebody was told of it; `critical_results` has it until somebody was told',
  unsaid: 'text of the template or of the exam that nobody said',
  low_confidence: 'words that the recogniser was not sure of',
  suppressed: 'text that the recogniser gave where nobody seems to have spoken; it is not in the document',
  nothing_heard: 'no speech was heard in the sound',
  little_understood:
    'the sound has speech, or noise like it, of which the recogniser understood little or was hardly sure',
  language_differs: 'what was said seems to be in another language than the document',
  sound_cut:
    'the sound ends in the midst of a word, its file is cut off, or a part of it was not recorded: words may be missing',
  heard_differently:
    'the recogniser heard other facts when it listened again, and `readings` has the words of the document and the others; or it failed to listen again',
  unchecked:
    'words that the recogniser still hears again; the finding goes by itself in seconds, and those of kind `heard_differently` come then',
  unknown_word:
    'a word that is neither of the language nor of medicine, or a side next to words that are no part of the body; `readings` has words that it may stand for, if any are near',
  unclear: 'words that can be read in more than one way, and stand as they were said',
} as const;
export type FindingKind = keyof typeof kindMeanings;

/** Fields of a part of a text. */
export const spanFields = {
  start: integer({
    minimum: 0,
    description: 'Where the words begin, in UTF-16 units of the text in Unicode normal form C.',
    examples: [34],
  }),
  end: integer({ minimum: 0, description: 'Where the words end: the place after the last of them.', examples: [42] }),
};
export const Span = object(spanFields, {}, { description: 'A part of a text.' });
const section = string({ description: 'Key of the section.', examples: ['findings'] });
/** Fields of a part of a section. */
export const sectionSpanFields = { section, ...spanFields };
export const SectionSpan = object(sectionSpanFields, {}, { description: 'A part of a section.' });

export const FindingId = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'Id of the finding: the same in later versions of the document, as long as the finding and its words stay the same.',
  examples: ['f_5d1e8a0c'],
});

const kind = oneOf(Object.keys(kindMeanings) as FindingKind[], {
  description: meanings('What the finding is.', kindMeanings),
});

export const Finding = named(
  'Finding',
  object(
    {
      id: FindingId,
      kind,
      severity: oneOf(['warning', 'question', 'info'], {
        description: meanings('How grave the finding is.', {
          warning: 'probably a mistake; it stays open until somebody corrects it, dismisses it or signs over it',
          question: 'somebody should decide',
          info: 'for the reader’s information',
        }),
      }),
      ...sectionSpanFields,
      transcript: nullable({
        ...Span,
        description: 'The words of the transcript that the finding is about. `null`: there are none.',
      }),
      message: string({
        description: 'What the reader should look at, in the language of the document.',
        examples: ['Side or position: the report says “left”, the dictation says “right”.'],
      }),
      evidence: array(
        anyOf(
          [
            SectionSpan,
            object(
              { field: string({ description: 'Name of a field of the exam.', examples: ['exam_description'] }) },
              {},
              { description: 'A field of the exam.' },
            ),
          ],
          { description: 'A part of another section, or a field of the exam.' },
        ),
        { description: 'What else the finding rests on.' },
      ),
      status: oneOf(['open', 'dismissed', 'resolved'], {
        description: meanings('What became of the finding.', {
          open: 'nobody has decided yet',
          dismissed: 'somebody looked at it, and lets the text stand',
          resolved: 'a later version does not have it any more; its place is the one where it stood last',
        }),
      }),
      by: nullable(
        string({
          description: 'Display name of the user who dismissed or resolved it. `null` while it is open.',
          examples: ['Dra. Helena Prado'],
        }),
      ),
      at: nullable(timestamp('When it was dismissed or resolved. `null` while it is open.')),
    },
    {
      readings: array(string(), {
        description:
          'What may have been said at this place: the words of the document first. Each can replace them as it is. Absent: the finding offers no words.',
        examples: [['9 mm', '19 mm']],
      }),
    },
  ),
  'Something that a person should look at before the document is signed.',
);
export type Finding = TypeOf<typeof Finding>;

/** A finding that was open when the record was signed. */
export const OpenFinding = named(
  'OpenFinding',
  object({
    id: FindingId,
    kind,
    section,
    acknowledged: boolean({ description: 'Whether the signer named the finding in `acknowledged`.' }),
  }),
  'A warning that was open when the document was signed.',
);
export type OpenFinding = TypeOf<typeof OpenFinding>;
