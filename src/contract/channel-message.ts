/** The messages that go through channels, and the operator's calls for them (extension). */
import { admin, byChannel, direction, mapping } from './channel-parts.ts';
import { endpoint } from './endpoint.ts';
import {
  array,
  boolean,
  freeForm,
  identifier,
  integer,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  several,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { ChannelId, ItemId, MessageId, page, paging, RecordId } from './shared.ts';

export const messageStates = ['taken', 'waiting', 'delivered', 'refused', 'dropped'] as const;
const state = oneOf(messageStates, {
  description: meanings('What became of the message.', {
    taken: 'it came in, and its exams are stored',
    waiting: 'it is to be sent, or sent again; a performed step that came in waits for the order of its exam',
    delivered: 'the other system has it',
    refused: 'it could not be taken over or delivered, and somebody must look at it',
    dropped:
      'an operator decided that it is done, or it was refused and a later version of its document is sent instead',
  }),
});

export const MessageError = object(
  {
    code: string({ description: 'What is wrong, for programs.', examples: ['FIELD_REQUIRED'] }),
    message: string({ description: 'What is wrong, for people, without patient data.' }),
  },
  {
    place: string({ description: 'Where in the message, in the words of its format.', examples: ['PID-3'] }),
    hint: string({ description: 'What to do.' }),
  },
  { description: 'Why the message was refused, or could not be sent.' },
);
export type MessageError = TypeOf<typeof MessageError>;

const number = (description: string) => integer({ minimum: 0, description });

export const MessageChanges = object(
  {
    inserted: number('New exams.'),
    updated: number('Exams that changed.'),
    deduped: number('Exams that were known as they were sent.'),
    statuses: number('Exams whose status changed.'),
  },
  {},
  { description: 'What an incoming message did.' },
);
export type MessageChanges = TypeOf<typeof MessageChanges>;

/** Every message has these. */
const facts = {
  id: MessageId,
  channel_id: ChannelId,
  direction,
  state,
  at: timestamp('When the message came in, or was written to be sent.'),
  updated_at: timestamp('When its state last changed.'),
  key: nullable(
    string({
      description: 'By what its sender names it: of HL7 v2 MSH-3, MSH-4 and MSH-10. `null`: by nothing.',
      examples: ['RIS|HSL|MSG00001'],
    }),
  ),
  error: nullable(MessageError),
  warnings: array(string({ description: 'A warning.' }), { description: 'What somebody should check.' }),
} as const;
const additionalFacts = {
  changes: MessageChanges,
  bytes: integer({ minimum: 0, description: 'Bytes of an incoming message.' }),
  format: string({ description: 'Format of an incoming message.', examples: ['hl7'] }),
  /** Only for outgoing messages. */
  event: string({ description: 'Why a message goes out.', examples: ['record.signed'] }),
  record_id: RecordId,
  record_version: integer({ minimum: 1, description: 'Version of the record that is sent.' }),
  worklist_item_id: nullable(ItemId),
  attempts: integer({ minimum: 0, description: 'How often the server has tried to send it.' }),
  next_attempt_at: nullable(timestamp('When the server tries again. `null`: it will not.')),
} as const;

export const Message = named(
  'Message',
  object(facts, additionalFacts),
  'A message of a channel: an order that came in, a document that goes out.',
);
export type Message = TypeOf<typeof Message>;

/** A message as a reader understands it. */
const readPart = (description: string) =>
  object(
    {
      exams: array(freeForm({ description: 'A field by its name, `metadata.NAME` for metadata, and `status`.' }), {
        description: 'The exams, each as its fields; of one that could not be read, those that were.',
      }),
      patients: array(freeForm({ description: 'A fact by its name.' }), { description: 'Changes of patients.' }),
      problems: array(MessageError, { description: 'What could not be read.' }),
      warnings: array(string({ description: 'A warning.' }), {
        description: 'What was assumed, and what rules pass over.',
      }),
    },
    {},
    { description },
  );

export const ShownMessage = named(
  'ShownMessage',
  object(facts, {
    ...additionalFacts,
    content: string({
      description:
        'The bytes that came in, or that go out through an open channel, as base64; only where they were asked for, and kept. They are about a patient.',
    }),
    reading: readPart('What the present mapping makes of what came in, where that was asked for.'),
    answer: string({ description: 'The acknowledgement that was given, where it was asked for.' }),
  }),
  'A message with what came in, where that was asked for.',
);
export type ShownMessage = TypeOf<typeof ShownMessage>;

const exactly = (what: string) =>
  identifier({
    minLength: 1,
    maxLength: 200,
    description: `Only messages with this ${what}, whole.`,
    examples: ['A-1001'],
  });

export const MessageQuery = named(
  'MessageQuery',
  object(
    {},
    {
      channel: string({
        minLength: 1,
        maxLength: 64,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'Only messages of that channel, by name or id.',
      }),
      state: array(state, {
        minItems: 1,
        maxItems: messageStates.length,
        description: 'Only messages in these states.',
      }),
      patient_id: exactly('patient id, as the message has it'),
      accession_number: exactly('accession number'),
      control_id: exactly('MSH-10, or name that the sender gave'),
      since: timestamp('Only messages that changed at that time or later.'),
      until: timestamp('Only messages that changed at that time or earlier.'),
      limit: paging.limit,
      cursor: paging.cursor,
    },
  ),
  'Which messages to find. Every field that is given has to fit.',
);
export type MessageQuery = TypeOf<typeof MessageQuery>;

export const FoundMessage = named(
  'FoundMessage',
  object(
    {
      ...facts,
      patient_ids: array(string({ description: 'A patient id.' }), {
        description: 'The patients that the message is about.',
      }),
      accession_numbers: array(string({ description: 'An accession number.' }), {
        description: 'The exams that the message is about.',
      }),
    },
    additionalFacts,
  ),
  'A message that was found, with what it is about.',
);
export type FoundMessage = TypeOf<typeof FoundMessage>;

/** Messages in one call. */
export const maxRetried = 500;

/** Messages of a trial. */
export const maxTried = 50;
const triedValue = nullable(string({ description: 'The value. `null`: none.' }));

export const ChannelTrial = named(
  'ChannelTrial',
  object(
    {
      items: array(
        object({
          id: MessageId,
          outcome: oneOf(['same', 'changed', 'mended', 'broken'], {
            description: meanings('How the second reading differs.', {
              same: 'it does not',
              changed: 'by values, or by what is passed over',
              mended: 'it has fewer problems',
              broken: 'it has more problems',
            }),
          }),
          before: readPart('The message as the present mapping reads it; without another mapping, as none does.'),
          after: readPart('The message as the mapping reads it that is tried.'),
          differences: array(
            object({
              subject: string({ description: 'The exam or patient, counted from 1.', examples: ['exam 1'] }),
              field: string({ description: 'The field.', examples: ['modality'] }),
              before: triedValue,
              after: triedValue,
            }),
            { description: 'The values that differ.' },
          ),
        }),
        { description: 'The messages, newest first.' },
      ),
      skipped: number('Messages of the channel that were left out, since their bytes are not kept.'),
    },
    {},
  ),
  'What a mapping makes of stored messages. Nothing is changed.',
);
export type ChannelTrial = TypeOf<typeof ChannelTrial>;

const byMessage = { params: object({ id: MessageId }) };
const acceptingPatient = boolean({
  description:
    '`true`: the exams of the message become those of the patient that it names, as `accept_patient_change` of an item has it. Default: `false`.',
});

const Retried = named(
  'Retried',
  object({
    retried: number('Messages that were tried again.'),
    refused: number('Messages that were refused again.'),
  }),
  'What became of the messages that were tried again.',
);

export const messageEndpoints = {
  search: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channel-messages/search',
    summary: 'Find messages',
    description:
      'Of all channels, newest first: by patient, accession number, control id, state and time. What is looked for stands in the body, since addresses hold no patient data; the audit trail names the messages that were found. Done messages are kept for 30 days.',
    body: MessageQuery,
    responses: { 200: page('FoundMessagePage', FoundMessage, 'messages') },
    errors: ['NOT_FOUND'],
  }),
  retrySome: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channel-messages/retry',
    summary: 'Try several messages again',
    description: 'In the order given. Messages that are done, or gone, are passed over.',
    body: named(
      'MessageChoice',
      object({ ids: array(MessageId, { minItems: 1, maxItems: maxRetried, description: 'The messages.' }) }),
      'Which messages to try again.',
    ),
    responses: { 200: Retried },
  }),
  try: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channels/{channel}/try',
    summary: 'Try a mapping on messages',
    description:
      'Reads messages that came in a second time, by another mapping, and shows the difference. Nothing is stored. The values are about patients; the audit trail names the messages.',
    ...byChannel,
    body: named(
      'ChannelTrialInput',
      object(
        {},
        {
          mapping: { ...mapping, description: `${mapping.description} Default: that of the channel.` },
          message_ids: array(MessageId, {
            minItems: 1,
            maxItems: maxTried,
            description: 'Messages of the channel. Default: the newest 20 whose bytes are kept.',
          }),
        },
      ),
      'Which mapping to try, and on what.',
    ),
    responses: { 200: ChannelTrial },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  }),
  queue: endpoint({
    ...admin,
    method: 'GET',
    path: '/api/v1/admin/channels/{channel}/messages',
    summary: 'List the messages of a channel',
    description: 'Newest first; without `state` those of all states.',
    ...byChannel,
    query: object(
      {},
      { ...paging, state: several(state, { description: `Only messages in these states. ${state.description}` }) },
    ),
    responses: { 200: page('MessagePage', Message, 'messages') },
    errors: ['NOT_FOUND'],
  }),
  send: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channels/{channel}/messages',
    summary: 'Send documents by a channel',
    description:
      'Writes messages for documents that the channel never got, for example because it was added later. With `since` for all signed documents that it takes (its settings say which) and of whose present version it has no message; with `record_id` for that one, also once more, whatever its settings say. Messages that were delivered are forgotten after 30 days: what is older may go a second time.',
    ...byChannel,
    body: named(
      'ChannelSend',
      object(
        {},
        {
          since: timestamp('Documents that changed since then.'),
          record_id: RecordId,
        },
        { description: 'Which documents to send: exactly one of `since` and `record_id`.' },
      ),
    ),
    responses: {
      200: named(
        'ChannelSent',
        object({ written: number('Messages that were written. They are sent while the channel is open.') }),
        'How many documents are sent.',
      ),
    },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  }),
  retryAll: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channels/{channel}/messages/retry',
    summary: 'Try all refused messages of a channel again',
    description: 'The oldest first. Those that came in are read with the present mapping.',
    ...byChannel,
    responses: { 200: Retried },
    errors: ['NOT_FOUND'],
  }),
  message: endpoint({
    ...admin,
    method: 'GET',
    path: '/api/v1/admin/channel-messages/{id}',
    summary: 'Get a message',
    description:
      'What became of it, and where it was refused why. What came in is about a patient: it is shown where asked for.',
    ...byMessage,
    query: object(
      {},
      { content: boolean({ description: '`true`: with what came in, and the acknowledgement. Default: `false`.' }) },
    ),
    responses: { 200: ShownMessage },
    errors: ['NOT_FOUND'],
  }),
  retry: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channel-messages/{id}/retry',
    summary: 'Try a message again',
    description:
      'A refused message that came in is read again, with the present mapping of its channel. A message that goes out is due at once.',
    ...byMessage,
    query: object({}, { accept_patient_change: acceptingPatient }),
    responses: { 200: Message },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  }),
  drop: endpoint({
    ...admin,
    method: 'POST',
    path: '/api/v1/admin/channel-messages/{id}/drop',
    summary: 'Drop a message',
    description: 'A waiting or refused message is done with: it is not sent, and holds up none that come after it.',
    ...byMessage,
    responses: { 200: Message },
    errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
  }),
};
