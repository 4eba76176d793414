import type { ExportFormat } from '../../src/contract/export.ts';

/** Addresses of the files that the page shows or offers. They can be large, and are played in parts. */
export const files = {
  /** The sound of a dictation as it would be sent, WAV. */
  dictation: (id: string) => `dictations/${encodeURIComponent(id)}.wav`,
  /** The sound that a document was made from. */
  audio: (id: string) => `records/${encodeURIComponent(id)}/audio`,
  export: (id: string, format: ExportFormat) => `records/${encodeURIComponent(id)}/export.${format}`,
} as const;
