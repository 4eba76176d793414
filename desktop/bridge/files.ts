import type { ExportFormat } from '../../src/contract/export.ts';

/** Addresses of the files that the page shows or offers. They can be large, and are loaded in ranges. */
export const files = {
  /** The audio of a dictation as it would be sent, WAV. */
  dictation: (id: string) => `dictations/${encodeURIComponent(id)}.wav`,
  /** The audio from which a record was made. */
  audio: (id: string) => `records/${encodeURIComponent(id)}/audio`,
  export: (id: string, format: ExportFormat) => `records/${encodeURIComponent(id)}/export.${format}`,
} as const;
