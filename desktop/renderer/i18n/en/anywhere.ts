import type { Wordings } from '../../../../src/contract/messages/message.ts';

export const anywhere = {
  title: 'Dictate into other programs',
  hint: '{key} records, whatever program is in front, and inserts what you said there. Only on this computer’s desktop app; nothing is stored.',
  off: 'Off',
  rest: 'Getting ready',
  opening: 'Getting ready. Wait for the red dot.',
  recording: 'Recording',
  working: 'Writing what you dictated',
  inserted: 'Inserted',
  copied: 'In the clipboard: press {key} in the other program. It is there until this window closes.',
  taken: 'Laudio records a dictation. Pause it first.',
  unheard: 'No words were recognized. Dictate again.',
  key_ends: '{key} inserts it',
  key_begins: '{key} dictates again',
  discard: 'Discard',
  'no-microphone': 'The microphone cannot be used. Connect it, or allow it in the system settings.',
} as const satisfies Wordings;
