import { buildArchive, buildCurlCommand } from '../../../src/client/call-exports.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { InspectedCall, rememberedBodies, rememberedCalls } from '../../../src/contract/inspector.ts';
import { defineCommand, flag, optional, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import { jsonText } from '../../shell/io.ts';
import { saveFile } from '../../shell/output-file.ts';
import { checkPaging, defaultLimit, pagingOptions, wholeList } from '../../shell/paging.ts';
import { callColumns, callDetail, callLine } from '../../resources/call.ts';
import { messageView } from '../../shell/view.ts';
import type { View } from '../../shell/view.ts';
import { printEvents } from '../../watch/print-events.ts';

export const command = defineCommand({
  description: `Newest first, out of the latest ${rememberedCalls} calls. With a number, that call with its request and answer, for calls of test clients and the latest ${rememberedBodies}. Free text is never shown: it is replaced by its size, while API keywords, ids and numbers stay.`,
  arguments: { number: optional('Number of a call') },
  options: {
    follow: flag('Continue with new calls; Ctrl-C stops', { short: 'f' }),
    ...pagingOptions,
    client: text('Only calls of that client', { placeholder: 'ID' }),
    refused: flag('Only calls that were refused'),
    har: text('Save all of them as an HTTP Archive, for browser tools', { placeholder: 'FILE' }),
    curl: flag('Print the call as a curl command'),
    replay: flag('Repeat the call, if it was a test client’s'),
  },
  examples: [
    ['laudio server requests --follow', 'watch an integration under test'],
    ['laudio server requests 12 --curl', 'edit and repeat a call'],
    ['laudio server requests --refused --json', 'for a script'],
  ],
  async run(context, input): Promise<View | void> {
    const { number, follow, har, curl, replay, limit, all, client, refused } = input;
    if (number === undefined && (curl || replay)) {
      throw new AppError('USAGE', {
        message: `${curl ? '--curl' : '--replay'} needs the number of a call.`,
        hint: 'laudio server requests lists them.',
      });
    }
    if (number !== undefined && (follow || har !== undefined)) {
      throw new AppError('USAGE', { message: `${follow ? '--follow' : '--har'} takes no call number.` });
    }
    if (number !== undefined) return showOne(context, parseNumber(number), { curl, replay });
    if (har !== undefined) return saveHar(context, har);
    if (follow) return printEach(context, { client, refused });
    checkPaging({ limit, all });
    const { inspector } = await context.operator();
    const query = {
      limit: rememberedCalls,
      ...(client !== undefined && { client_id: client }),
      ...(refused && { outcome: 'refused' as const }),
    };
    const { items } = (await inspector.list({ query }, { signal: context.signal })).data;
    const form = { columns: callColumns, empty: 'No such call has reached the server.', defaultLimit };
    return wholeList({ limit, all }, items, form);
  },
});

function parseNumber(word: string): number {
  if (/^[1-9]\d{0,14}$/.test(word)) return Number(word);
  throw new AppError('USAGE', {
    message: 'Give the number of a call.',
    hint: 'laudio server requests lists them.',
  });
}

async function showOne(
  context: Context,
  number: number,
  { curl, replay }: { readonly curl: boolean; readonly replay: boolean },
): Promise<View | void> {
  const { io, signal } = context;
  const { inspector } = await context.operator();
  const call = (await inspector[replay ? 'replay' : 'show']({ params: { number } }, { signal })).data;
  const line = buildCurlCommand(call, (await context.localServer()).url);
  if (!curl) return callDetail(call, line);
  if (io.output === 'json') return messageView(line, { curl: line });
  await io.out(`${line}\n`);
}

async function saveHar(context: Context, file: string): Promise<View> {
  const { inspector } = await context.operator();
  const { url } = await context.localServer();
  const { items } = (await inspector.list({ query: { limit: rememberedCalls } }, { signal: context.signal })).data;
  const calls = [];
  for (const { number } of items)
    calls.push((await inspector.show({ params: { number } }, { signal: context.signal })).data);
  const har = buildArchive(calls, url, context.version);
  await saveFile(
    file,
    (async function* () {
      yield Buffer.from(jsonText(har, 2));
    })(),
  );
  return messageView(`Saved ${calls.length} calls as ${file}.`, { saved: file, calls: calls.length });
}

/** A restarted server has another operator token. */
const startedAnew = new AppError('NETWORK', {
  message: 'The server was restarted, and earlier calls are gone.',
  hint: 'Run the command again.',
});

/** Prints one line per call, or one JSON document per line, until Ctrl-C. */
async function printEach(
  context: Context,
  { client, refused }: { readonly client: string | undefined; readonly refused: boolean },
): Promise<void> {
  const { inspector } = await context.operator();
  const { io } = context;
  io.noticeAtOnce();
  await printEvents(context, {
    what: 'the calls that reach the server',
    schema: InspectedCall,
    open: (ending, lastSeen) =>
      inspector.events(
        {},
        { signal: ending, ...(lastSeen !== undefined && { headers: { 'Last-Event-ID': lastSeen } }) },
      ),
    line: (call) => callLine(call, io.paint),
    isPrinted: (call) =>
      (client === undefined || call.client_id === client) && !(refused && call.decision === 'allowed'),
    endOf: (error) => (error?.status === 401 ? startedAnew : undefined),
  });
}
