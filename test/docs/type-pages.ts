/** Types pages of the documentation, with servers of speech and language models beside the reader. */
import { startChatServer } from '../support/fake-chat-server.ts';
import { startTranscriptionServer } from '../support/fake-transcription-server.ts';
import { openDesk } from './desk.ts';
import { pageOf, pagePaths } from '../../docs/site/pages.ts';
import type { Page } from '../../docs/site/pages.ts';
import { Reader } from './reader.ts';
import type { Tried } from './reader.ts';

/** Its Orthanc and dcmtk are Debian's. */
const needsLinux = 'docs/integrator/afternoon.md';

/** Pages with blocks that somebody types. */
export const typedPages: readonly string[] = pagePaths.filter(
  (path) =>
    (process.platform === 'linux' || path !== needsLinux) &&
    /^(README|docs\/(guide-[^/]+|integrator\/[^/]+|one-request|reference|README))\.md$/.test(path) &&
    pageOf(path).blocks.length > 0,
);

/** Types a page in a fresh home; `installed` is a program to use for `laudio`. Throws at the first block that is not as it says. */
export async function typePage(page: Pick<Page, 'blocks'>, installed?: string): Promise<readonly Tried[]> {
  const speech = await startTranscriptionServer();
  const model = await startChatServer();
  const models = (id: string) => ({ body: { object: 'list', data: [{ id, object: 'model' }] } });
  speech.models = models('whisper-large-v3-turbo');
  model.models = models('qwen3:8b');
  try {
    await using desk = await openDesk(installed);
    return await new Reader(desk, { '8000': speech.url, '11434': model.url }).read(page);
  } finally {
    await Promise.all([speech.close(), model.close()]);
  }
}
