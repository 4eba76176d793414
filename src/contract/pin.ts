/** The PIN by which a person signs (extension). */
import { string } from './schema.ts';

export const Pin = string({
  pattern: '^[0-9]{4,12}$',
  description: 'The PIN of the user, 4 to 12 digits. The server stores only its hash.',
});
