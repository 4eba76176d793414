/** Checks before a dictation, so that nobody dictates in error. */
import type { Client } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import type { Context } from '../context.ts';
import { candidates } from './microphone.ts';
import type { MicrophoneChoice } from './microphone.ts';
import type { Order } from './order.ts';

/**
 * Whether the service recognises live. ENGINE_UNAVAILABLE if it has no recogniser and a waiting job is not wanted;
 * NOT_FOUND and others if the exam or the template is missing.
 */
export async function checkBeforeDictation(
  { io, platform, signal }: Context,
  client: Client,
  { input, mode }: Order,
  wanted: MicrophoneChoice,
): Promise<boolean> {
  candidates(platform, wanted);
  const options = { signal };
  const [engines] = await Promise.all([
    // Only Laudio reports its recogniser.
    unless('NOT_FOUND', client.engines.get({}, options)),
    checkInput(client, input, options),
  ]);
  if (engines === undefined) return false;
  const { recogniser, queue } = engines;
  if (!recogniser) {
    if (mode === 'sync') throw nobodyHears();
    io.notice('This server has no speech recogniser yet. The job will wait until it has one.', 'warn');
    return false;
  }
  if (queue?.available === false) {
    io.notice('The server’s speech recogniser is unavailable at the moment. With --async a job waits for it.', 'warn');
  }
  if (recogniser.sends_to !== undefined) io.notice(`The server sends the audio to ${recogniser.sends_to}.`);
  if (!recogniser.live)
    io.notice('No words are shown while you speak: the server transcribes only complete dictations.', 'faint');
  return recogniser.live === true;
}

async function checkInput(
  { worklists, templates }: Client,
  { worklist_item_id: item, template_id: template }: Order['input'],
  options: { readonly signal: AbortSignal },
): Promise<void> {
  // A login that may only write records can't check this.
  if (item !== undefined) await unless('INSUFFICIENT_SCOPE', worklists.get({ params: { id: item } }, options));
  if (template !== undefined) await unless('INSUFFICIENT_SCOPE', templates.get({ params: { id: template } }, options));
}

async function unless<T>(code: AppError['code'], call: Promise<{ readonly data: T }>): Promise<T | undefined> {
  try {
    return (await call).data;
  } catch (error) {
    if (error instanceof AppError && error.code === code) return undefined;
    throw error;
  }
}

const nobodyHears = (): AppError =>
  new AppError('ENGINE_UNAVAILABLE', {
    message: 'This server has no speech recogniser, so nothing is recorded.',
    hint: 'With --async it is recorded, and a job waits for a recogniser (laudio serve --recogniser). Or send text: --text FILE.',
  });
