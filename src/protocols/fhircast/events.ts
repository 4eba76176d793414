/** The events that a hub takes (FHIRcast 3.0.0, section 3). */

/** Types of context, with the key of the part that a context of the type is about: its anchor. */
export const anchors = {
  Patient: 'patient',
  Encounter: 'encounter',
  ImagingStudy: 'study',
  DiagnosticReport: 'report',
} as const;
export type AnchorType = keyof typeof anchors;
export const anchorTypes = Object.keys(anchors) as AnchorType[];

export const eventNames = [
  ...anchorTypes.flatMap((type) => [`${type}-open`, `${type}-close`] as const),
  'DiagnosticReport-update',
  'DiagnosticReport-select',
  'SyncError',
  'userLogout',
  'userHibernate',
  // Left out of the standard; clients behind idle proxies ask for it.
  'heartbeat',
] as const;
export type EventName = (typeof eventNames)[number];

const byName = new Map<string, EventName>(eventNames.map((name) => [name.toLowerCase(), name]));

/** The standard's spelling of a name, which is written in any case. */
export const findEvent = (name: string): EventName | undefined => byName.get(name.trim().toLowerCase());

export type EventAction = 'open' | 'close' | 'update' | 'select' | 'other';

/** Splits a name into the type of context and the change to it. */
export function parseEvent(name: EventName): { readonly type: AnchorType | undefined; readonly action: EventAction } {
  const [noun = '', verb = ''] = name.split('-');
  const type = anchorTypes.find((each) => each === noun);
  return { type, action: type === undefined ? 'other' : (verb as EventAction) };
}
