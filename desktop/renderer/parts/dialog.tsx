import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { t } from '../i18n/index.ts';
import { IconButton } from './button.tsx';

/**
 * The native dialog, modal while `open`. Escape, the cross and a click outside call `onClose`; the focus returns to
 * where it was. The children exist only while the dialog is open.
 */
export function Dialog({
  open,
  title,
  size = 'm',
  onClose,
  children,
  footer,
}: {
  open: boolean;
  title: string;
  size?: 's' | 'm' | 'l' | 'xl';
  onClose: () => void;
  children: ComponentChildren;
  footer?: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // A layout effect: the next key must work as soon as the dialog appears or disappears.
  useLayoutEffect(() => {
    if (open && element.current?.open === false) {
      element.current.showModal();
      // The browser would focus the cross. Better is a field, if there is one, otherwise the title, after which Tab
      // continues.
      const field = element.current.querySelector<HTMLElement>('.dialog-body :is(textarea, input:not([type=radio]))');
      (field ?? element.current.querySelector<HTMLElement>('h2'))?.focus();
    }
    if (!open) element.current?.close();
  }, [open]);
  // Only the browser knows where the focus was.
  useLayoutEffect(() => () => element.current?.close(), []);
  return (
    <dialog
      ref={element}
      class={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      // Before the dialog closes: the next key already belongs to the page.
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      // A dialog that another one replaced is gone by then.
      onClose={() => open && element.current !== null && onClose()}
      onMouseDown={(event) => event.target === element.current && onClose()}
    >
      {open && (
        <div class="dialog-frame">
          <header class="dialog-head">
            <h2 id={titleId} tabIndex={-1}>
              {title}
            </h2>
            <IconButton icon="close" label={t('app.close')} onClick={onClose} />
          </header>
          <div class="dialog-body">{children}</div>
          {footer !== undefined && <footer class="dialog-foot">{footer}</footer>}
        </div>
      )}
    </dialog>
  );
}
