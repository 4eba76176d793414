/** The browser features that the page needs. */

export type BrowserFeature = 'record' | 'keep' | 'menus';

/** The global scope; a test removes features from it. */
export type BrowserScope = Pick<typeof globalThis, 'isSecureContext'> & Readonly<Record<string, unknown>>;

const has = (scope: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof scope === 'object' && scope !== null && Reflect.get(scope, name) !== undefined);

/** Checks each feature. All but the menus are missing on a page loaded over plain HTTP. */
const parts: Readonly<Record<BrowserFeature, (scope: BrowserScope) => boolean>> = {
  record: (scope) =>
    has(scope, 'AudioContext', 'AudioWorkletNode') &&
    has(Reflect.get(Object(scope['navigator']), 'mediaDevices'), 'getUserMedia'),
  keep: (scope) =>
    has(scope, 'indexedDB', 'BroadcastChannel') && has(scope['crypto'], 'subtle') && has(scope['navigator'], 'locks'),
  menus: (scope) => {
    const { CSS } = scope as unknown as typeof globalThis;
    return CSS.supports('position-area', 'block-end') && CSS.supports('selector(:popover-open)');
  },
};

/** The features that this browser lacks. */
export const findMissingFeatures = (scope = globalThis as unknown as BrowserScope): BrowserFeature[] =>
  (Object.keys(parts) as BrowserFeature[]).filter((part) => !parts[part](scope));
