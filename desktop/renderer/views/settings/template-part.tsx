/** A part of a template's form: closed, it shows its title alone; one with an error is open. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

export function TemplatePart({
  title,
  isNew = false,
  isWrong = false,
  children,
}: {
  title: string;
  isNew?: boolean;
  isWrong?: boolean;
  children: ComponentChildren;
}) {
  const isOpened = useSignal(isNew);
  const isOpen = isOpened.value || isWrong;
  return (
    <details
      class="template-part"
      open={isOpen}
      onToggle={({ currentTarget }) => (isOpened.value = currentTarget.open)}
    >
      <summary>{title}</summary>
      {/* A template may have hundreds of parts. */}
      {isOpen && <div class="template-fields">{children}</div>}
    </details>
  );
}
