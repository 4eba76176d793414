import { AppError } from '../../../src/contract/errors.ts';
import { timestampTolerance, verifyWebhook, webhookHeaders } from '../../../src/node/http/webhook-signature.ts';
import type { WebhookRefusal } from '../../../src/node/http/webhook-signature.ts';
import { defineCommand, flag, required, text } from '../../command.ts';
import type { CommandInput } from '../../command.ts';
import type { Context } from '../../context.ts';
import { nameOf, readInput, readText } from '../../shell/input-file.ts';
import { readSecret, secretOption } from '../../shell/secret.ts';
import { detailView } from '../../shell/view.ts';

/** Events are small, and a line of `listen` contains one three times; a larger body is none. */
const bodyBytes = 4 * 1024 * 1024;
const headerBytes = 64 * 1024;

const options = {
  id: text('Value of the header webhook-id', { placeholder: 'ID' }),
  timestamp: text('Value of the header webhook-timestamp', { placeholder: 'SECONDS' }),
  signature: text('Value of the header webhook-signature', { placeholder: 'SIGNATURES' }),
  headers: text('File with the headers, one per line, instead of these three options', { placeholder: 'FILE' }),
  anyAge: flag(`Accept an event older than ${timestampTolerance / 60} minutes`),
  ...secretOption,
};
type Input = CommandInput<Record<never, never>, typeof options>;

const reasons: Readonly<Record<WebhookRefusal, { message: string; hint: string }>> = {
  headers: {
    message: 'The three headers are missing or invalid.',
    hint: 'They are webhook-id, webhook-timestamp (seconds since 1970) and webhook-signature (v1,…).',
  },
  timestamp: {
    message: `The event was not signed within the last ${timestampTolerance / 60} minutes.`,
    hint: 'A receiver must refuse it: it may be a replay. To check only the signature, add --any-age.',
  },
  signature: {
    message: 'The event was not signed with this secret.',
    hint: 'The file must contain the exact bytes of the body: not parsed, not reformatted, without an added newline.',
  },
};

export const command = defineCommand({
  description:
    'Verifies the signature of a received event (Standard Webhooks). Without headers, the file is a line of laudio webhook listen --json, which contains body and headers. The secret is asked for, read from standard input, or that in LAUDIO_WEBHOOK_SECRET. Ends with 0 if the signature is valid, otherwise with 6.',
  arguments: { body: required('File with the received body, or with a line of listen --json; or -') },
  options,
  examples: [
    ['laudio webhook verify body.json --headers headers.txt', 'headers from a log or curl -D'],
    ['laudio webhook verify body.json --id msg_… --timestamp 1764000000 --signature v1,…', 'headers as options'],
    ['laudio webhook verify event.json', 'output of laudio webhook listen --json'],
  ],
  async run(context, { body: file, ...input }) {
    if (file === '-' && (input.secretStdin || input.headers === '-'))
      throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
    const given = await readHeaders(context, input);
    const content = await readInput(context.io, file, bodyBytes);
    const hasHeaders = Object.keys(given).length > 0;
    const { headers, body } = (!hasHeaders && readHeard(content)) || { headers: given, body: content };
    const lineEnd = content.indexOf('\n');
    if (!hasHeaders && body === content && lineEnd > 0 && readHeard(content.subarray(0, lineEnd))) {
      throw new AppError('USAGE', {
        message: `${nameOf(file)} has several events.`,
        hint: 'Verify them one by one: head -n 1 FILE | laudio webhook verify -',
      });
    }
    const secret = await readSecret(
      context,
      'Secret of the webhook (whsec_…)',
      input.secretStdin,
      'LAUDIO_WEBHOOK_SECRET',
    );
    const timestamp = headers[webhookHeaders.timestamp];
    const now = input.anyAge ? Number(timestamp) * 1000 : context.clock.now();
    const result = verifyWebhook({ headers, body, now }, [secret]);
    if (!result.ok) {
      throw new AppError('VALIDATION_FAILED', { ...reasons[result.reason], details: { reason: result.reason } });
    }
    const at = new Date(Number(timestamp) * 1000).toISOString();
    return detailView({
      data: { verified: true, id: result.id, signed_at: at },
      fields: [
        ['Signature', 'right', 'good'],
        ['Id', result.id],
        ['Signed at', at],
      ],
    });
  },
});

/** Headers and body of a line that `listen --json` printed; `undefined` for other content. */
function readHeard(content: Uint8Array): { headers: Record<string, string>; body: string } | undefined {
  try {
    const { headers, body } = Object(JSON.parse(Buffer.from(content).toString())) as Record<string, unknown>;
    if (typeof body !== 'string' || typeof headers !== 'object' || headers === null) return undefined;
    return { headers: headers as Record<string, string>, body };
  } catch {
    return undefined;
  }
}

async function readHeaders({ io }: Context, { id, timestamp, signature, headers: file }: Input) {
  const given = {
    ...(id !== undefined && { [webhookHeaders.id]: id }),
    ...(timestamp !== undefined && { [webhookHeaders.timestamp]: timestamp }),
    ...(signature !== undefined && { [webhookHeaders.signature]: signature }),
  };
  if (file === undefined) return given as Record<string, string>;
  const lines = (await readText(io, file, headerBytes)).split(/\r?\n/);
  const found = lines.flatMap((line) => {
    const [, name, value = ''] = /^"?([\w-]+)"?\s*[:=]\s*(.*)$/s.exec(line.trim()) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value.replace(/^"/, '').replace(/"?,?$/, '')] as const];
  });
  return { ...Object.fromEntries(found), ...given } as Record<string, string>;
}
