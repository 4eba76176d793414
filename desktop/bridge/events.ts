/** The events that the app sends to its pages. */
import { boolean, integer, literal, nullable, object, oneOf } from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { WorklistStatus } from '../../src/contract/worklist.ts';
import { RefusedChange } from './changes.ts';
import { Dictation } from './dictation.ts';
import { CastNews, HubState } from './hub.ts';
import { defaultKeys } from './keys.ts';
import type { Action } from './keys.ts';
import { HeardCommand, LiveWords } from './live.ts';
import { ModelsState } from './models.ts';
import { SessionState } from './session.ts';
import { revised } from './shapes.ts';
import { UpdateState } from './updates.ts';

/** The names of the events without their schemas, which the page's scripts don't need. */
export const eventNames = [
  'session',
  'item',
  'dictation',
  'discarded',
  'live',
  'command',
  'record',
  'distributed',
  'refused',
  'updates',
  'models',
  'hub',
  'cast',
  'action',
] as const;
export type EventName = (typeof eventNames)[number];

export const events = {
  session: SessionState,
  item: object({
    id: Id,
    status: WorklistStatus,
    version: integer(),
    change: oneOf(['inserted', 'updated', 'status', 'removed']),
  }),
  dictation: Dictation,
  /** A dictation was discarded. */
  discarded: object({ id: Id, ...revised }),
  /** Live words arrived. */
  live: LiveWords,
  command: HeardCommand,
  /** A version of a record was made, or the record was deleted. */
  record: object(
    { id: Id, item_id: nullable(Id), version: integer(), deleted: boolean() },
    { reviewed: literal(true, { description: 'Somebody decided about a finding; the version is the one before.' }) },
  ),
  /** A report reached another system, was refused there, or will be sent again. */
  distributed: object({ id: Id }),
  refused: RefusedChange,
  updates: UpdateState,
  /** The speech models of this computer have changed. */
  models: ModelsState,
  hub: HubState,
  /** Another application opened, closed or measured something. */
  cast: CastNews,
  /** A key was pressed while another program had the focus, or a system menu item was chosen. */
  action: object({ action: oneOf(Object.keys(defaultKeys) as Action[]) }),
} as const satisfies Record<EventName, Schema>;

export type EventData<N extends EventName> = TypeOf<(typeof events)[N]>;
