/** The connection of the page to the app. main.tsx, a test or a story sets it at the start. */
import { batch, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { otherPerson } from '../../bridge/session.ts';
import { otherWindow } from '../../bridge/dictation.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';
import { personBridge } from './person-bridge.ts';
import type { PageLogin, PersonBridge } from './person-bridge.ts';

let app: Bridge | undefined;
/** Keyed by desk. */
let people = new Map<string | null, PersonBridge>();
let ending = new AbortController();
const present = signal<PageLogin>({ id: 0, desk: null, ended: ending.signal });
export const login: ReadonlySignal<PageLogin> = present;

/** Begins another login. Everything that belonged to the previous login has ended when this returns. */
function begin(desk: string | null): void {
  const previous = ending;
  ending = new AbortController();
  // Forgets the work of the previous login before anything follows the new one.
  batch(() => {
    present.value = { id: present.peek().id + 1, desk, ended: ending.signal };
    previous.abort();
    people.get(desk)?.isBack();
  });
}

export const setBridge = (bridge: Bridge): void => {
  app = bridge;
  people = new Map();
  begin(null);
};

/** Sets the person who works at this page; `null`: nobody is logged in. */
export function setPerson(desk: string | null): void {
  if (desk !== present.peek().desk) begin(desk);
}

/** The app behind the page, whoever is logged in. Throws if it was never set, which is a defect at startup. */
export function appBridge(): Bridge {
  if (app === undefined) throw new Error('The page was started without its bridge.');
  return app;
}

/** The app for the person who is logged in. It carries no call or event of another person. */
export function bridge(): Bridge {
  const { desk } = present.peek();
  const known = people.get(desk) ?? personBridge({ app: appBridge(), login: () => present.peek(), refused }, desk);
  people.set(desk, known);
  return known.bridge;
}

/** Reads who is logged in, one read at a time. */
let readLogin: (() => Promise<void>) | undefined;
let reading: Promise<void> | undefined;
/** Sets how to read the session again if the app reports another login than this page shows. */
export const onOtherPerson = (read: () => Promise<void>): void => void (readLogin = read);

async function refused(thrown: unknown): Promise<void> {
  if (reasonOf(asBridgeError(thrown)) === otherPerson)
    await (reading ??= readLogin?.().finally(() => (reading = undefined)));
}

/** The error of a refused call. Any other thrown value is a defect of the page and becomes INTERNAL_ERROR. */
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

/** Whether the app refused because another window of the same person records the dictation. */
export const isElsewhere = (error: BridgeError): boolean => reasonOf(error) === otherWindow;
