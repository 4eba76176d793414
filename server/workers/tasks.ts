/** The tasks that run in threads (workers.ts). Each task loads its modules at its first run. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { AudioType } from '../../src/contract/document.ts';
import type { ExportFormat } from '../../src/contract/export.ts';
import type { Hl7Settings } from '../delivery/hl7/settings.ts';
import type { Report } from '../../src/domain/report-head.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from '../engine/writing.ts';
import type { Inspected, Inspection } from '../../src/domain/report/inspection.ts';

/** The document as a file; `undefined` if the document is too long for the format. */
export async function exportDocument({
  format,
  report,
  hl7,
}: {
  format: ExportFormat;
  report: Report;
  /** Of the receiver, where the format is hl7. */
  hl7?: Hl7Settings;
}): Promise<Uint8Array | undefined> {
  const { writers } = await import('../delivery/registry.ts');
  const content = await writers[format](report, hl7);
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** Composes a document from a long text by the rules. */
export async function composeDocument(input: ComposeInput): Promise<Composed> {
  const { compose } = await import('../engine/rules/rules.ts');
  return compose(input);
}

/** Applies an instruction to a long document by the rules. */
export async function correctDocument(input: CorrectInput): Promise<Corrected> {
  const { correct } = await import('../engine/rules/rules.ts');
  return correct(input);
}

/** Inspects a long document for findings. */
export async function inspectDocument(document: Inspected): Promise<Inspection> {
  const { inspection } = await import('../../src/domain/report/inspection.ts');
  return inspection(document);
}

/** The message that `audioSeconds` sends to its port: a request for the bytes from `start` up to, not including, `end`. */
export interface WantedBytes {
  readonly start: number;
  readonly end: number;
}

/** The length of the audio in seconds (uploads/audio-seconds.ts). The other end of `port` answers requests for its bytes. */
export async function audioSeconds({
  type,
  bytes,
  port,
}: {
  type: AudioType;
  bytes: number;
  port: MessagePort;
}): Promise<number | null> {
  const { secondsOf } = await import('../uploads/audio-seconds.ts');
  try {
    return await secondsOf({
      type,
      bytes,
      async read(start, end) {
        port.postMessage({ start, end } satisfies WantedBytes);
        const [answer] = (await once(port, 'message')) as [Uint8Array | null];
        if (!answer) throw new Error('The audio cannot be read.');
        return answer;
      },
    });
  } finally {
    port.close();
  }
}
