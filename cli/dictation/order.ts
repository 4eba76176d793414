/** The parameters of a dictation. */
import type { TranscriptionInput } from '../../src/contract/transcription.ts';
import { shellLine } from '../../src/domain/shell-line.ts';

/** The parameters of the record. */
export interface Order {
  readonly input: TranscriptionInput;
  readonly mode: 'sync' | 'async';
}

/** The command that sends a kept dictation. */
export function laterLine(path: string, order?: Order): string {
  const { language, template_id: template, worklist_item_id: item } = order?.input ?? {};
  return shellLine([
    'laudio',
    'record',
    'generate',
    '--audio',
    path,
    ...(language === undefined ? [] : ['--language', language]),
    ...(template === undefined ? [] : ['--template', template]),
    ...(item === undefined ? [] : ['--item', item]),
    ...(order?.mode === 'async' ? ['--async'] : []),
  ]);
}
