/** New versions of the app. */
import { named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

/** `beta` also receives versions that are about to become stable. */
export const updateChannels = ['stable', 'beta', 'off'] as const;
export type UpdateChannel = (typeof updateChannels)[number];

export const UpdateState = named(
  'UpdateState',
  object({
    phase: oneOf(['elsewhere', 'unpublished', 'idle', 'downloading', 'ready', 'restarting'], {
      description:
        '`elsewhere`: this page is not in a window of the app; `unpublished`: the package names no address to ask; `restarting`: the app restarts once every dictation is sealed.',
    }),
    channel: oneOf(updateChannels),
    version: nullable(string({ description: 'The newer version, if there is one.' })),
  }),
);
export type UpdateState = TypeOf<typeof UpdateState>;

export const updateCalls = {
  'updates.state': call({ summary: 'Whether there is a newer version', input: nothing, output: UpdateState }),
  'updates.choose': call({
    summary: 'Choose which versions this computer gets',
    input: object({ channel: oneOf(updateChannels) }),
    output: UpdateState,
  }),
  'updates.restart': call({
    summary: 'Install the newer version once every dictation is sealed',
    input: nothing,
    output: UpdateState,
  }),
} as const;
