/** Failures that the page itself notices, since the app behind it is away. */
import { createMessages } from './message.ts';
import type { Wordings } from './message.ts';

export const pageMessages = {
  silent: 'Laudio is not responding.',
  unreachable: 'Laudio is not responding on this computer.',
  unreachable_hint: 'Start it again; what was saved is still there.',
  no_take: 'Laudio could not save the audio.',
  unsaved_sound: 'Some of the audio is not saved yet.',
} as const satisfies Wordings;

export const pageMessage = createMessages('page', pageMessages);
