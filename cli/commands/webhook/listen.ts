import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { shownLine } from '../../../src/domain/characters.ts';
import { createWebhookForwarder } from '../../../src/node/http/webhook-forwarder.ts';
import { createWebhookListener } from '../../../src/node/http/webhook-listener.ts';
import type { HeardWebhook, WebhookListener } from '../../../src/node/http/webhook-listener.ts';
import { defineCommand, integer } from '../../command.ts';
import type { Context } from '../../context.ts';
import { printLine } from '../../shell/render.ts';
import { clientOption, webhookClient } from '../../resources/webhook-client.ts';
import {
  answerLine,
  eventOption,
  forwardOption,
  parseEventType,
  parseTargets,
} from '../../resources/webhook-targets.ts';

export const command = defineCommand({
  description:
    'Registers a receiver on this computer as the webhook of a partner application of the local server, prints each event, and removes the registration at the end. With --json, each event is one JSON line. With --forward-to, events with a valid signature are forwarded to your receivers, body and headers unchanged, and their answer is returned to the server, which retries as for any webhook. Events are signed with a new secret, or with that in LAUDIO_WEBHOOK_SECRET.',
  options: {
    ...clientOption,
    ...eventOption,
    count: integer('Stop after this many events'),
    ...forwardOption,
  },
  examples: [
    ['laudio webhook listen', 'then sign a report in another terminal'],
    ['laudio webhook listen --forward-to http://127.0.0.1:3000/events', 'test your receiver during development'],
    [
      'laudio webhook listen --forward-to http://127.0.0.1:3000/other --forward-to worklist.document.completed=http://127.0.0.1:3001/reports',
      'one receiver for reports, another for everything else',
    ],
  ],
  async run(context, { client, event, count, forwardTo }) {
    const { io, signal } = context;
    io.noticeAtOnce();
    const targets = parseTargets(forwardTo);
    const events = event.map(parseEventType);
    const clientId = await webhookClient(context, client);
    const { webhooks, clock } = await context.operator();
    const { kind } = (await clock.show({}, { signal })).data;
    const params = { client_id: clientId };
    await refuseTaken(webhooks, clientId);
    // Registering needs the address, and verifying deliveries needs the registration's secret.
    const own = context.env['LAUDIO_WEBHOOK_SECRET'];
    const secrets: string[] = own ? [own] : [];
    const forwarder = targets && createWebhookForwarder(targets.choose, context.env);
    const listener = await createWebhookListener({
      secrets,
      clock: context.clock,
      // A server with a simulated clock signs with that time.
      anyAge: kind !== 'machine',
      ...(forwarder && { forwarder }),
    });
    const stop = () => void listener.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { data } = await webhooks.put({
        params,
        body: {
          url: listener.url,
          ...(own ? { secret: own } : { rotate_secret: true }),
          ...(events.length > 0 && { events }),
        },
      });
      const made = own ? undefined : data.secret;
      if (made !== undefined) secrets.push(made);
      io.notice(`Listening for events of ${clientId} at ${listener.url}. Ctrl-C ends it.`, 'faint');
      if (targets) {
        io.notice(`Forwarding ${targets.shown.join(', ')}.`, 'faint');
        if (made !== undefined) io.notice(`The secret for verifying them, until this command ends: ${made}`);
      }
      await printAll(context, listener, count);
    } finally {
      await webhooks.delete({ params }).catch((error: unknown) => {
        if (!isNotFound(error)) io.notice('The registration could not be removed.', 'warn');
      });
      await listener.close();
      await forwarder?.close();
    }
  },
});

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'NOT_FOUND';

/** Never replaces a partner's registration with its secret. */
async function refuseTaken(webhooks: Client['webhooks'], clientId: string): Promise<void> {
  const registered = await webhooks.get({ params: { client_id: clientId } }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (!registered) return;
  throw new AppError('VERSION_CONFLICT', {
    message: `${clientId} already has a webhook, at ${registered.data.url}.`,
    hint: `Listen for another client (laudio client create --test, then --client ID), or remove that one: laudio api DELETE /api/v1/admin/clients/${clientId}/webhook`,
  });
}

async function printAll(context: Context, listener: WebhookListener, count: number | undefined): Promise<void> {
  let left = count ?? Infinity;
  if (left === 0) return;
  for await (const heard of listener.heard) {
    await print(context, heard);
    if (--left <= 0) return;
    if (heard.verified && heard.forwarded?.http_status === 410) throw turnedOff();
  }
  if (context.signal.aborted) throw new AppError('INTERRUPTED');
}

const turnedOff = (): AppError =>
  new AppError('VERSION_CONFLICT', {
    message: 'Your receiver answered 410: the server has turned the webhook off and sends nothing more.',
    hint: 'Listen again to turn the webhook on. A receiver that wants the event later answers 503.',
  });

async function print({ io }: Context, heard: HeardWebhook): Promise<void> {
  if (io.output === 'json') return printLine(io, heard);
  if (!heard.verified) return io.notice(`Refused: not signed by the server (${heard.reason}).`, 'bad');
  const { event, id, repeated } = heard;
  const mark = io.paint('verified', 'good');
  await io.out(`${event.timestamp}  ${mark}  ${io.paint(event.type, 'strong')}  ${id}${repeated ? '  (again)' : ''}\n`);
  for (const [name, value] of Object.entries(event.data))
    await io.out(`    ${shownLine(`${name}  ${String(value)}`)}\n`);
  const { forwarded } = heard;
  const next = forwarded?.http_status === 410 ? '' : 'The server tries again.';
  if (forwarded) await io.out(`    ${answerLine(io, forwarded, next)}\n`);
}
