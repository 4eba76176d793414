/** What a person reads of a finding, in English. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'The side or position “{written}” was not said; “{said}” was.',
  'side_not_said.alone': '“{written}” was not said.',
  side_lost: '“{said}” was said and is not in the report.',
  side_differs_from_exam: 'The report says “{written}”, and the exam is “{exam}”.',
  side_differs_between_sections: '“{written}” here and “{other}” in another section.',
  'negation_changed.lost': 'A negation that was said (“{said}”) is not in the report.',
  'negation_changed.added': 'A negation (“{written}”) that was not said.',
  contradiction: 'The same finding is affirmed and denied: “{written}” and “{other}”.',
  number_changed: 'The report says “{written}”; “{said}” was said.',
  'number_changed.lost': '“{said}” was said and is not in the report.',
  'number_changed.alone': '“{written}” was not said.',
  unit_changed: 'The unit is “{written}”; “{said}” was said.',
  'unit_changed.lost': 'The unit is missing: “{said}” was said.',
  unit_implausible: '“{written}” is implausible here; are the unit and the decimal point right?',
  measure_differs_between_sections: '“{written}” here and “{other}” in another section.',
  sex_implausible: '“{written}” does not fit the patient’s sex in the exam.',
  age_implausible: '“{written}” does not fit the patient’s age in the exam ({exam}).',
  exam_mismatch: '“{written}” does not fit the exam (“{exam}”).',
  section_missing: 'The section “{section}”, which the template requires, is missing.',
  section_empty: 'The section “{section}” is empty.',
  field_open: 'The field “{written}” is not filled in.',
  impression_not_supported: '“{written}” is in the impression, but not in the findings.',
  critical_not_communicated: '“{written}” is a critical finding; no communication is described.',
  unsaid: 'This text came from the template or the exam; nobody said it.',
  suppressed:
    'The recogniser gave “{said}” where nobody seems to speak{exam}; it was left out. Please listen to the sound.',
  'suppressed.echo': 'The recogniser repeated the words that it was given, “{said}”{exam}; they were left out.',
  'suppressed.noise': 'The recogniser wrote “{said}”{exam}, which is no word of a dictation; it was left out.',
  'suppressed.inaudible': 'The recogniser understood nothing{exam} and wrote “{said}”. Please listen to the sound.',
  'suppressed.loop':
    'The recogniser repeated “{said}” without end{exam}; the repetitions were left out. Please listen to the sound.',
  nothing_heard: 'No speech was heard in the sound. Listen to the sound, or dictate again.',
  little_understood:
    'About {said} of the sound is as loud as speech, and only {other} words were understood. Is it another language, or noise? Please listen to the sound.',
  'little_understood.unsure':
    'The recogniser was hardly sure of most of the words. Is it another language, or a bad recording? Please listen to the sound.',
  'little_understood.unheard':
    'From {said} to {other} somebody speaks, and the recogniser gave no words. Please listen there.',
  language_differs:
    'The words seem to be in {said}, and the report is in {written}. Please choose the language and send the sound again, or check every word.',
  sound_cut: 'The sound ends in the midst of a word. Please listen to its end: something may be missing.',
  'sound_cut.file':
    'The file of the sound is cut off; what was said after that is missing. Is the whole recording still there?',
  'sound_cut.gap':
    'At {said} about {other} s of sound are missing: the computer or the app stood still. Was anything said then?',
  low_confidence: 'The recogniser was not sure of “{written}”.',
  unclear: '“{written}” can be read in more than one way; it stays as it was said.',
};
