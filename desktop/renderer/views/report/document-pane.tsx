import type { ComponentChildren } from 'preact';
import { t } from '../../i18n/index.ts';
import { Chip } from '../../parts/chip.tsx';
import type { Tone } from '../../parts/chip.tsx';
import type { IconName } from '../../parts/icon.tsx';

/** The pane of a report, with its state and `tools` in the header. */
export function DocumentPane({
  state,
  tools,
  children,
}: {
  state: { readonly text: string; readonly tone: Tone; readonly icon: IconName };
  tools?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <article class="document" aria-labelledby="document-title">
      <header class="document-head">
        <h1 id="document-title">{t('document.title')}</h1>
        <Chip tone={state.tone} icon={state.icon}>
          {state.text}
        </Chip>
        {tools}
      </header>
      {children}
    </article>
  );
}
