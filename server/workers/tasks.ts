/** What is done in threads (workers.ts). Each loads what it needs when it is first asked for. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { AudioType } from '../../src/contract/document.ts';
import type { ExportFormat } from '../../src/contract/record.ts';
import type { Report } from '../../src/domain/report-head.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from '../engine/writing.ts';
import type { Inspected, Inspection } from '../../src/domain/report/inspection.ts';

/** The document as a file; `undefined` where it is too long for that format. */
export async function exportDocument({
  format,
  report,
}: {
  format: ExportFormat;
  report: Report;
}): Promise<Uint8Array | undefined> {
  const { writers } = await import('../delivery/registry.ts');
  const content = await writers[format](report);
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** The document that the rules make of a long text. */
export async function composeDocument(input: ComposeInput): Promise<Composed> {
  const { compose } = await import('../engine/rules/rules.ts');
  return compose(input);
}

/** What an instruction makes of a long document, by the rules. */
export async function correctDocument(input: CorrectInput): Promise<Corrected> {
  const { correct } = await import('../engine/rules/rules.ts');
  return correct(input);
}

/** What is found out about a long document. */
export async function inspectDocument(document: Inspected): Promise<Inspection> {
  const { inspection } = await import('../../src/domain/report/inspection.ts');
  return inspection(document);
}

/** What is asked for at the port of `audioSeconds`: bytes from `start` up to `end`, which is not included. */
export interface WantedBytes {
  readonly start: number;
  readonly end: number;
}

/** How long the audio is (uploads/audio-seconds.ts). Its bytes are asked for at the port, which answers with them. */
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
