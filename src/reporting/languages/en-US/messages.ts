/** The messages of findings in English. */
import type { Messages } from '../tables.ts';

export const messages: Messages = {
  side_not_said: 'Side or position: the report says “{written}”, the dictation says “{said}”.',
  'side_not_said.alone': '“{written}” was not dictated.',
  side_lost: '“{said}” was dictated and is not in the report.',
  side_differs_from_exam: 'The report says “{written}”, and the exam is “{exam}”.',
  side_differs_between_sections: '“{written}” here and “{other}” in another section.',
  'negation_changed.lost': 'A negation that was dictated (“{said}”) is not in the report.',
  'negation_changed.added': 'A negation (“{written}”) that was not dictated.',
  contradiction: 'The same finding is affirmed and denied: “{written}” and “{other}”.',
  number_changed: 'The report says “{written}”, the dictation says “{said}”.',
  'number_changed.lost': '“{said}” was dictated and is not in the report.',
  'number_changed.alone': '“{written}” was not dictated.',
  unit_changed: 'The unit is “{written}”; the dictation says “{said}”.',
  'unit_changed.lost': 'The unit is missing: the dictation says “{said}”.',
  unit_implausible: '“{written}” is implausible here; are the unit and the decimal point right?',
  measure_differs_between_sections: '“{written}” here and “{other}” in another section.',
  sex_implausible: '“{written}” does not fit the patient’s sex in the exam.',
  age_implausible: '“{written}” does not fit the patient’s age in the exam ({exam}).',
  exam_mismatch: '“{written}” does not fit the exam (“{exam}”).',
  section_missing: 'The section “{section}”, which the template requires, is missing.',
  'section_missing.elsewhere':
    'The section “{section}”, which the template requires, is missing. Does “{other}” belong there?',
  section_empty: 'The section “{section}” is empty.',
  'section_empty.elsewhere': 'The section “{section}” is empty. Does “{other}” belong there?',
  field_open: 'The field “{written}” is not filled in.',
  impression_not_supported: '“{written}” is in the impression, but not in the findings.',
  critical_not_communicated: 'Critical finding “{written}” without a record of its communication.',
  unsaid: 'This text comes from the template or the exam, not from the dictation.',
  suppressed: '“{said}” was discarded: there is no speech in that place{exam}. Listen to the audio.',
  'suppressed.echo': '“{said}”{exam} was discarded: it is the vocabulary repeated, not the dictation.',
  'suppressed.noise': '“{said}”{exam} was discarded: it is not a word of a dictation.',
  'suppressed.inaudible': 'The words could not be recognized{exam}: “{said}”. Listen to the audio.',
  'suppressed.loop': '“{said}” was repeated without end{exam}; the repetitions were discarded. Listen to the audio.',
  nothing_heard: 'No speech was recognized in the audio. Listen to it, or dictate again.',
  little_understood:
    'There are about {said} of speech, and only {other} words were recognized. Another language, or noise? Listen to the audio.',
  'little_understood.unsure':
    'Most of the words are uncertain. Another language, or a bad recording? Listen to the audio.',
  'little_understood.unheard':
    'From {said} to {other} there is speech, but no words were recognized. Listen to that part.',
  language_differs:
    'The dictation seems to be in {said}, and the report is in {written}. Choose the language and send the audio again, or check every word.',
  'language_differs.part':
    'From {said} to {other} {written} seems to be spoken. Listen to that part: what is written there may be a translation.',
  sound_cut: 'The audio ends in the middle of a word. Listen to its end: something may be missing.',
  'sound_cut.file':
    'The audio file is cut off; what was dictated after that is missing. Is the whole recording still there?',
  'sound_cut.gap':
    'At {said} about {other} s of audio are missing: the computer or the app stood still. Was anything dictated then?',
  low_confidence: 'Uncertain word: “{written}”. Check it in the audio.',
  heard_differently: '“{written}” or “{other}”? Both were recognized. Listen.',
  'heard_differently.once':
    'From {said} to {other} the second recognition failed. Check numbers, sides and denials of that part.',
  unchecked:
    'From {said} to {other} the words are still being checked: they are recognized a second time. Wait for it before you sign.',
  unknown_word: '“{written}” is not a known term. Listen, and correct it if it was misunderstood.',
  unclear: '“{written}” is ambiguous; it stays as dictated.',
};
