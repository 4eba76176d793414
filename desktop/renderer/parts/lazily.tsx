import { signal } from '@preact/signals';
import type { ComponentChildren, ComponentType, FunctionComponent } from 'preact';
import { showLateWords } from '../i18n/index.ts';
import { canRetryLoad } from '../state/loading.ts';

type Load<P> = () => Promise<ComponentType<P>>;

/**
 * A screen whose code is loaded when it is first shown, and whose words every page has; `meanwhile` is shown until
 * then.
 */
export function screenLazily<P extends object>(
  load: Load<P>,
  meanwhile: () => ComponentChildren = () => null,
): FunctionComponent<P> {
  const loaded = signal<{ readonly Component: ComponentType<P> } | undefined>(undefined);
  let isLoading = false;
  const start = (): void =>
    void load().then(
      (Component) => (loaded.value = { Component }),
      async (thrown: unknown) => {
        if (await canRetryLoad(thrown)) setTimeout(start, againMs);
        else isLoading = false;
      },
    );
  return (props) => {
    if (loaded.value !== undefined) return <loaded.value.Component {...props} />;
    if (!isLoading) {
      isLoading = true;
      start();
    }
    return meanwhile();
  };
}
/** Delay before an app that did not answer is asked again. */
const againMs = 2000;

/** The same with the words of all views except the first screen. */
export const lazily = <P extends object>(load: Load<P>, meanwhile?: () => ComponentChildren): FunctionComponent<P> =>
  screenLazily(() => Promise.all([load(), showLateWords()]).then(([Component]) => Component), meanwhile);
