/** Channels: live connections to a RIS, a PACS, a folder; and the messages that go through them (extension). */
import { defaultSpace, space } from './admin.ts';
import { messageEndpoints } from './channel-message.ts';
import { admin, byChannel, direction, mapping } from './channel-parts.ts';
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  freeForm,
  integer,
  literal,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { ChannelId, buildDeleted, page, paging } from './shared.ts';

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
    import: endpoint({
      ...admin,
      method: 'POST',
      path: '/api/v1/admin/channels/{channel}/import',
      summary: 'Import all orders by a channel',
      description:
        'Has a channel `fhir-in` read the orders of its server by a Bulk Data export, which goes on while the server runs and after a restart. The state of the channel says what is wrong, and the log how many orders came. Another call begins anew.',
      ...byChannel,
      body: named(
        'ChannelImport',
        object({}, { since: timestamp('Orders that changed since then. Default: all.') }),
        'Which orders to import.',
      ),
      bodyIsOptional: true,
      responses: {
        202: named(
          'ChannelImportRequested',
          object({ requested: literal(true, { description: 'Always `true`.' }) }),
          'The import begins once the channel is open.',
        ),
      },
      errors: ['NOT_FOUND'],
    }),
    hook: endpoint({
      method: 'POST',
      path: '/api/v1/channels/{channel}/hook',
      summary: 'Say that something changed',
      description:
        'For another system, as the `rest-hook` of a Subscription: a channel `fhir-in` asks at once for what changed, and not only at its next round. `Authorization: Bearer …` holds the `hook_token` of the channel. Nothing is taken from the body, which only says whether it is a heartbeat: what counts is what the server says when it is asked. Hooks that come together make one question, and a server that asks us to wait is not asked sooner.',
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
    ...messageEndpoints,
  },
});
