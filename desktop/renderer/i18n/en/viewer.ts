import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const viewer = {
  linked: 'Viewer linked',
  linked_title: 'Report and viewer show the same exam, and change it together.',
  apart: 'Viewer apart',
  apart_title: 'The viewer may show another exam than the report.',
  apart_dictating: 'The viewer shows another exam: you were dictating, so the report stayed at this one.',
  apart_not_here: 'The viewer shows an exam that is not in the worklist. The report stays at this one.',
  apart_other_patient: 'The viewer shows an exam that belongs to another patient here. The report stays at this one.',
  apart_not_closed: 'The viewer closed this exam: you were dictating, so the report stayed open.',
  apart_not_logged_out: 'The viewer logged out: you were dictating, so you are still logged in here.',
  apart_no_answer: 'The viewer went on, and this page did not answer in time. Compare the patient.',
  apart_not_followed: 'The viewer did not follow the report: {message}',
  apart_lost: 'The connection to the viewer is lost. Laudio reconnects automatically; compare the patient meanwhile.',
  bring: 'Show this exam in the viewer',
  go: 'Open the viewer’s exam',
  inserted: '{text} came from the viewer',
  not_inserted: '{text} came from the viewer, and this report is signed. Begin an addendum: it goes there.',
  waits: '{text} came from the viewer. It goes into the report once that can be changed.',
  not_corrected:
    'The viewer changed {previous} to {text}, but the report has other words there now. Correct them by hand.',
  deleted: 'The viewer deleted {text}, which is still in the report. Delete it here if it is wrong.',
  setting: 'Image viewer',
  setting_on: 'Follow each other',
  setting_off: 'Independent',
  setting_hint:
    'Where the viewer opens an exam, its report opens here, and the other way round. Needs a viewer with FHIRcast.',
  setting_alone: 'No viewer has joined yet.',
  setting_joining: 'Joining…',
  fault_none: 'This server links no viewers. Ask the operator for a newer version.',
  fault_unreachable: 'The system that links viewers is not responding. Laudio tries again.',
  fault_unauthorized: 'The system that links viewers does not accept Laudio. Ask the operator.',
  fault_forbidden:
    'The permission to follow the viewer is missing. Log in again; if that does not help, ask the operator.',
  fault_no_topic: 'The system that links viewers does not know you. Ask the operator.',
} as const satisfies Wordings;
