import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact';
import { asBridgeError } from '../state/bridge.ts';
import { notifyError } from '../state/notices.ts';

/** A component whose code is loaded when it is first shown; until then `meanwhile` is shown. */
export function lazily<P extends object>(
  load: () => Promise<ComponentType<P>>,
  meanwhile: () => ComponentChildren = () => null,
): FunctionComponent<P> {
  const loaded = signal<{ readonly Component: ComponentType<P> } | undefined>(undefined);
  let loading = false;
  return (props) => {
    if (loaded.value !== undefined) return <loaded.value.Component {...props} />;
    if (!loading) {
      loading = true;
      load().then(
        (Component) => (loaded.value = { Component }),
        (thrown: unknown) => {
          loading = false;
          notifyError(asBridgeError(thrown));
        },
      );
    }
    return meanwhile();
  };
}
