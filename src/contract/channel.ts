/** Channels: live connections to a RIS, a PACS, a folder; and the messages that go through them (extension). */
import { defaultSpace, space } from './admin.ts';
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  freeForm,
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
import { ChannelId, buildDeleted, exampleId, ItemId, MessageId, page, paging, RecordId } from './shared.ts';

/** The direction of messages: `in` to this server, `out` of it. */
export const channelDirections = ['in', 'out'] as const;
const direction = oneOf(channelDirections, {
  description: meanings('Which way messages go.', {
    in: 'another system sends orders to this server, or is asked for them',
    out: 'this server sends documents to another system',
  }),
});

const kindName = string({
  pattern: '^[a-z][a-z0-9-]{0,31}$',
  description: 'Kind of the channel, such as `hl7-in`. The call for the kinds lists all.',
  examples: ['hl7-in'],
});

export const ChannelName = string({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  'x-error-message': 'name must be small letters, digits and hyphens, at most 64',
  description: 'Name of the channel: small letters, digits and hyphens, unique in the server.',
  examples: ['ris-orders'],
});

const settings = (description: string) =>
  freeForm({ description, examples: [{ port: 2575 }], 'x-text': 'free', 'x-max-weight': 100_000 });
const mapping = nullable(
  freeForm({
    description:
      'Which fields of the other system become which fields of an exam, as `--mapping` of an ingest has it. `null`: the usual ones.',
    'x-text': 'free',
    'x-max-weight': 256_000,
  }),
);
const enabled = (description: string) => boolean({ description });

/** Replaces a secret in answers. */
export const hiddenSecret = 'set';

export const ChannelKind = named(
  'ChannelKind',
  object({
    kind: kindName,
    direction,
    title: string({ description: 'What such a channel does, for people.' }),
    settings: freeForm({ description: 'The JSON Schema of its settings.' }),
  }),
  'A kind of channel that this server has.',
);
export type ChannelKind = TypeOf<typeof ChannelKind>;

export const channelStatuses = ['off', 'opening', 'open', 'failed'] as const;

export const Channel = named(
  'Channel',
  object({
    id: ChannelId,
    name: ChannelName,
    kind: kindName,
    direction,
    enabled: enabled('Whether the server opens the channel.'),
    space,
    settings: settings(`Settings of its kind; a secret that is set shows as \`${hiddenSecret}\`.`),
    mapping,
    created_at: timestamp('When the channel was added.'),
    updated_at: timestamp('When the channel last changed.'),
    version: integer({ minimum: 1, description: 'Counts the changes of the channel.' }),
    state: object(
      {
        status: oneOf(channelStatuses, {
          description: meanings('What the channel does now.', {
            off: 'it is not enabled',
            opening: 'it is being opened',
            open: 'it works',
            failed: 'it could not be opened; the server tries again',
          }),
        }),
        since: timestamp('Since when.'),
        address: nullable(
          string({
            description: 'Where it listens, looks or sends to. `null`: nowhere now.',
            examples: ['127.0.0.1:2575'],
          }),
        ),
        error: nullable(
          string({ description: 'Why it could not be opened, or what went wrong last. `null`: nothing.' }),
        ),
      },
      {},
      { description: 'What the channel does now.' },
    ),
    certificates: array(
      object({
        setting: string({ description: 'The setting that names its file.', examples: ['tls_certificate'] }),
        until: timestamp('When the first of our certificates in the file ends, or the last of those that sign others.'),
        days_left: integer({ description: 'Whole days until then; below 0: it has ended.' }),
      }),
      { description: 'Until when the files of TLS are good that the open channel has. Empty: it has none.' },
    ),
    counts: object(
      {
        waiting: integer({ minimum: 0, description: 'Messages that wait to be sent, or for the order of their exam.' }),
        refused: integer({ minimum: 0, description: 'Messages that somebody must look at.' }),
      },
      {},
      { description: 'Messages of the channel that are not done.' },
    ),
    oldest_open_at: nullable(timestamp('When the oldest of these came in, or was written. `null`: there is none.')),
    last_message_at: nullable(timestamp('When one last came in, or another system last got one. `null`: never yet.')),
  }),
  'A live connection to another system.',
);
export type Channel = TypeOf<typeof Channel>;

export const ChannelInput = named(
  'ChannelInput',
  object(
    { name: ChannelName, kind: kindName },
    {
      settings: settings('Settings of the kind. Default: none.'),
      mapping,
      enabled: enabled('Whether the server opens the channel. Default: `true`.'),
      space: { ...space, description: `${space.description} Default: \`${defaultSpace}\`.` },
    },
  ),
  'A new channel.',
);

export const ChannelUpdate = named(
  'ChannelUpdate',
  object(
    {},
    {
      name: ChannelName,
      settings: settings('Settings to change, by name; `null` removes one. Those that are not named stay.'),
      mapping,
      enabled: enabled('Whether the server opens the channel.'),
    },
  ),
  'What shall be different about a channel.',
);

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

export const Message = named(
  'Message',
  object(
    {
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
    },
    {
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
    },
  ),
  'A message of a channel: an order that came in, a document that goes out.',
);
export type Message = TypeOf<typeof Message>;

const ShownMessage = named(
  'ShownMessage',
  {
    ...Message,
    properties: {
      ...Message.properties,
      content: string({
        description:
          'The bytes that came in, as base64; only where they were asked for, and kept. They are about a patient.',
      }),
      answer: string({ description: 'The acknowledgement that was given, where it was asked for.' }),
    },
  } as typeof Message,
  'A message with what came in, where that was asked for.',
);

const byChannel = {
  params: object({
    channel: string({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]+$',
      description: 'Name or id of the channel.',
      examples: ['ris-orders', exampleId('chn')],
    }),
  }),
};
const byMessage = { params: object({ id: MessageId }) };
const acceptingPatient = boolean({
  description:
    '`true`: the exams of the message become those of the patient that it names, as `accept_patient_change` of an item has it. Default: `false`.',
});
const admin = { access: 'admin', answer: 'envelope', extension: true } as const;

export const channels = group({
  title: 'Channels',
  description:
    'Live connections to a RIS, a PACS or a folder, and the messages that go through them. Only the operator of the server may make these calls, but for the hook.',
  endpoints: {
    kinds: endpoint({
      ...admin,
      method: 'GET',
      path: '/api/v1/admin/channel-kinds',
      summary: 'List the kinds of channels',
      description: 'With the JSON Schema of the settings of each.',
      responses: {
        200: named(
          'ChannelKinds',
          object({ items: array(ChannelKind, { description: 'The kinds.' }) }),
          'The kinds of channels that this server has.',
        ),
      },
    }),
    list: endpoint({
      ...admin,
      method: 'GET',
      path: '/api/v1/admin/channels',
      summary: 'List channels',
      description: 'The channels of all spaces, newest first, with what each does now.',
      query: object({}, paging),
      responses: { 200: page('ChannelPage', Channel, 'channels') },
    }),
    add: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/channels',
      summary: 'Add a channel',
      description:
        'The server opens it at once, unless `enabled` is false. Read its `state` to learn whether it works.',
      body: ChannelInput,
      responses: { 201: Channel },
    }),
    get: endpoint({
      ...admin,
      method: 'GET',
      path: '/api/v1/admin/channels/{channel}',
      summary: 'Get a channel',
      description: 'With what it does now. Secrets among its settings are not shown.',
      ...byChannel,
      responses: { 200: Channel },
      errors: ['NOT_FOUND'],
    }),
    change: endpoint({
      ...admin,
      method: 'PATCH',
      path: '/api/v1/admin/channels/{channel}',
      summary: 'Change a channel',
      description: 'An open channel is closed, and opened anew with its new settings. What is under way ends first.',
      ...byChannel,
      body: ChannelUpdate,
      responses: { 200: Channel },
      errors: ['NOT_FOUND'],
    }),
    remove: endpoint({
      ...admin,
      method: 'DELETE',
      path: '/api/v1/admin/channels/{channel}',
      summary: 'Remove a channel',
      description: 'Its messages go with it, those that wait or were refused too. Its exams stay.',
      ...byChannel,
      responses: { 200: buildDeleted('ChannelDeleted', ChannelId) },
      errors: ['NOT_FOUND'],
    }),
    test: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/channels/{channel}/test',
      summary: 'Try a channel',
      description:
        'Looks whether the other side answers, as far as its kind can tell without sending anything about a patient.',
      ...byChannel,
      responses: {
        200: named(
          'ChannelTest',
          object({
            works: boolean({ description: 'Whether it works.' }),
            message: string({ description: 'What was found, for people.' }),
          }),
          'Whether a channel works.',
        ),
      },
      errors: ['NOT_FOUND'],
    }),
    hook: endpoint({
      method: 'POST',
      path: '/api/v1/channels/{channel}/hook',
      summary: 'Say that something changed',
      description:
        'For another system, as the `rest-hook` of a Subscription of FHIR R4 without `payload`: a channel `fhir-in` asks at once for what changed, and not only at its next round. `Authorization: Bearer …` holds the `hook_token` of the channel. A body is not read: what counts is what the server says when it is asked. Hooks that come together make one question, and a server that asks us to wait is not asked sooner.',
      access: 'public',
      ...byChannel,
      answer: 'envelope',
      responses: {
        200: named(
          'HookTaken',
          object({ asks: boolean({ description: 'Whether the channel is open, and asks.' }) }),
          'What follows.',
        ),
      },
      errors: ['UNAUTHORIZED', 'NOT_FOUND'],
      extension: true,
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
      responses: {
        200: named(
          'Retried',
          object({
            retried: number('Messages that were tried again.'),
            refused: number('Messages that were refused again.'),
          }),
          'What became of the messages that were tried again.',
        ),
      },
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
  },
});
