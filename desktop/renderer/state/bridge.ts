/** The one way out of the page. Whoever starts the page sets it: main.tsx, a test, a story. */
import { batch, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { otherPerson } from '../../bridge/session.ts';
import { otherWindow } from '../../bridge/dictation.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';
import { personBridge } from './person-bridge.ts';
import type { Login, PersonBridge } from './person-bridge.ts';

let app: Bridge | undefined;
/** By desk. */
let people = new Map<string | null, PersonBridge>();
let ending = new AbortController();
const present = signal<Login>({ id: 0, desk: null, ended: ending.signal });
export const login: ReadonlySignal<Login> = present;

/** Another one begins; what belonged to the one before has ended when this returns. */
function begin(desk: string | null): void {
  const former = ending;
  ending = new AbortController();
  // Nobody follows the new one before what belonged to the former is forgotten.
  batch(() => {
    present.value = { id: present.peek().id + 1, desk, ended: ending.signal };
    former.abort();
    people.get(desk)?.isBack();
  });
}

export const setBridge = (bridge: Bridge): void => {
  app = bridge;
  people = new Map();
  begin(null);
};

/** Says who works at this page now; `null`: nobody does. */
export function setPerson(desk: string | null): void {
  if (desk !== present.peek().desk) begin(desk);
}

/** The app behind the page, whoever is logged in. Throws when nobody set it, which is a defect of the start. */
export function appBridge(): Bridge {
  if (app === undefined) throw new Error('The page was started without its bridge.');
  return app;
}

/** The app as whoever is logged in now has it: nobody else asks or hears anything through it. */
export function bridge(): Bridge {
  const { desk } = present.peek();
  const known = people.get(desk) ?? personBridge({ app: appBridge(), login: () => present.peek(), refused }, desk);
  people.set(desk, known);
  return known.bridge;
}

/** Reads who is logged in; at most once at a time. */
let readLogin: (() => Promise<void>) | undefined;
let reading: Promise<void> | undefined;
/** Whoever follows the session reads it where the app says that somebody else is logged in than this page shows. */
export const onOtherPerson = (read: () => Promise<void>): void => void (readLogin = read);

async function refused(thrown: unknown): Promise<void> {
  if (reasonOf(asBridgeError(thrown)) === otherPerson)
    await (reading ??= readLogin?.().finally(() => (reading = undefined)));
}

/** What a refused call said. What isn't one of those errors (a defect of the page) is told as INTERNAL_ERROR. */
export function asBridgeError(thrown: unknown): BridgeError {
  const isError =
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    'message' in thrown;
  return isError
    ? (thrown as BridgeError)
    : { code: 'INTERNAL_ERROR', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

/** `details.reason` of a refusal. */
export const reasonOf = (error: BridgeError): unknown => error.details?.['reason'];

/** Refused because another window of the same person records the dictation. */
export const isElsewhere = (error: BridgeError): boolean => reasonOf(error) === otherWindow;
