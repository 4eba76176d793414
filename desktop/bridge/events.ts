/** What the app tells its pages without being asked. */
import { boolean, integer, literal, nullable, object, oneOf } from '../../src/contract/schema.ts';
import type { Schema, TypeOf } from '../../src/contract/schema.ts';
import { Id } from '../../src/contract/shared.ts';
import { WorklistStatus } from '../../src/contract/worklist.ts';
import { RefusedChange } from './changes.ts';
import { Dictation } from './dictation.ts';
import { defaultKeys } from './keys.ts';
import type { Action } from './keys.ts';
import { LiveWords } from './live.ts';
import { ModelsState } from './models.ts';
import { SessionState } from './session.ts';
import { revised } from './shapes.ts';
import { UpdateState } from './updates.ts';

/** The names of the events, apart from their schemas: the scripts of the page do without the schemas. */
export const eventNames = [
  'session',
  'item',
  'dictation',
  'discarded',
  'live',
  'record',
  'distributed',
  'refused',
  'updates',
  'models',
  'action',
] as const;
export type EventName = (typeof eventNames)[number];

export const events = {
  session: SessionState,
  item: object({
    id: Id,
    status: WorklistStatus,
    version: integer(),
    change: oneOf(['inserted', 'updated', 'status']),
  }),
  dictation: Dictation,
  /** Somebody discarded a dictation. */
  discarded: object({ id: Id, ...revised }),
  /** Words came while somebody speaks. */
  live: LiveWords,
  /** Somebody made a new version of a document, or deleted it. */
  record: object(
    { id: Id, item_id: nullable(Id), version: integer(), deleted: boolean() },
    { reviewed: literal(true, { description: 'Somebody decided about a finding; the version is the one before.' }) },
  ),
  /** A document has arrived at another system, was refused there, or is to be sent again. */
  distributed: object({ id: Id }),
  refused: RefusedChange,
  updates: UpdateState,
  /** Something about the speech models of this computer has changed. */
  models: ModelsState,
  /** A key that was pressed while another program had the keyboard, or a line of the menus of the system. */
  action: object({ action: oneOf(Object.keys(defaultKeys) as Action[]) }),
} as const satisfies Record<EventName, Schema>;

export type EventData<N extends EventName> = TypeOf<(typeof events)[N]>;
