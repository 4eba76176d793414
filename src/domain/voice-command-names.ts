/** The commands that a person can say during a dictation. Apart from their sayings, which the first screen of the page doesn't need. */
export const voiceCommandNames = [
  'next_field',
  'previous_field',
  'select',
  'delete',
  'undo',
  'priors',
  'hide_priors',
  'next_prior',
  'next_exam',
  'previous_exam',
  'pause',
  'generate',
  'sign',
  'voice_help',
] as const;
export type VoiceCommand = (typeof voiceCommandNames)[number];
