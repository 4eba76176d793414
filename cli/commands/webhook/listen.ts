import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { eventTypeNames } from '../../../src/contract/events.ts';
import { shownLine } from '../../../src/domain/characters.ts';
import { createWebhookListener } from '../../../src/node/http/webhook-listener.ts';
import type { HeardWebhook, WebhookListener } from '../../../src/node/http/webhook-listener.ts';
import { command, integer, list } from '../../command.ts';
import type { Context } from '../../context.ts';
import { printLine } from '../../render.ts';
import { clientOption, webhookClient } from '../../webhook-client.ts';

export const listen = command({
  description:
    'Registers a receiver on this computer as the webhook of a partner application of the local server, prints each event that arrives, and takes the registration back at the end. Events print as one JSON document a line with --json.',
  options: {
    ...clientOption,
    event: list(`Only these: ${eventTypeNames.join(', ')}`, { placeholder: 'TYPE' }),
    count: integer('End after so many events'),
  },
  examples: [['laudio webhook listen', 'then sign a document in another terminal']],
  async run(context, { client, event, count }) {
    const { io, signal } = context;
    io.noticeAtOnce();
    const clientId = await webhookClient(context, client);
    const { webhooks } = await context.operator();
    const params = { client_id: clientId };
    await refuseTaken(webhooks, clientId);
    // The address must be known to register it, and the secret of the registration to check what arrives.
    const secrets: string[] = [];
    const listener = await createWebhookListener({ secrets, clock: context.clock });
    const stop = () => void listener.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { data } = await webhooks.put({
        params,
        body: {
          url: listener.url,
          rotate_secret: true,
          ...(event.length > 0 && { events: event as typeof eventTypeNames }),
        },
      });
      secrets.push(data.secret!);
      io.notice(`Listening for events of ${clientId} at ${listener.url}. Ctrl-C ends it.`, 'faint');
      await printAll(context, listener, count);
    } finally {
      await webhooks.delete({ params }).catch(() => io.notice('The registration could not be taken back.', 'warn'));
      await listener.close();
    }
  },
});

/** A partner's own registration, with its secret, is not ours to replace. */
async function refuseTaken(webhooks: Client['webhooks'], clientId: string): Promise<void> {
  const registered = await webhooks.get({ params: { client_id: clientId } }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  });
  if (!registered) return;
  throw new AppError('VERSION_CONFLICT', {
    message: `${clientId} has a webhook already, at ${registered.data.url}.`,
    hint: `Listen for another client (laudio client create --test, then --client ID), or remove that one: laudio api DELETE /api/v1/admin/clients/${clientId}/webhook`,
  });
}

async function printAll(context: Context, listener: WebhookListener, count: number | undefined): Promise<void> {
  let left = count ?? Infinity;
  if (left === 0) return;
  for await (const heard of listener.heard) {
    await print(context, heard);
    if (--left <= 0) return;
  }
  if (context.signal.aborted) throw new AppError('INTERRUPTED');
}

async function print({ io }: Context, heard: HeardWebhook): Promise<void> {
  if (io.output === 'json') return printLine(io, heard);
  if (!heard.verified) return io.notice(`Refused: not signed by the server (${heard.reason}).`, 'bad');
  const { event, id, repeated } = heard;
  const mark = io.paint('verified', 'good');
  await io.out(`${event.timestamp}  ${mark}  ${io.paint(event.type, 'strong')}  ${id}${repeated ? '  (again)' : ''}\n`);
  for (const [name, value] of Object.entries(event.data))
    await io.out(`    ${shownLine(`${name}  ${String(value)}`)}\n`);
}
