/**
 * The report on paper, whatever part of the page is on the screen: patient, exam, signer, and the words. It lies
 * outside the panes, some of which a small screen hides; only the printer shows it (style/print.css).
 */
import {
  footOf,
  headOf,
  letterheadFor,
  letterheadOf,
  noticesOf,
  signedParts,
} from '../../../../src/domain/report-head.ts';
import { useSignal } from '@preact/signals';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { bridge, login } from '../../state/bridge.ts';
import { openedDocument } from '../../state/report/opened-document.ts';
import type { OpenedDocument } from '../../state/report/opened-document.ts';
import { isOnline } from '../../state/session.ts';
import { items } from '../../state/worklist/worklist.ts';

export function PrintSheet() {
  const opened = openedDocument.value;
  return opened === null ? null : <Sheet {...opened} />;
}

function Sheet({ itemId, document }: OpenedDocument) {
  const record = document.record.value;
  const letterheads = useLetterheads();
  if (record === null) return null;
  const item = items.value?.get(itemId) ?? null;
  const letterhead = letterheadFor(item, letterheads);
  const report = { record, item, ...document.signatures.value, ...(letterhead && { letterhead }) };
  const isUnsent = document.saving.value !== 'saved';
  return (
    <article class="print-sheet" lang={record.language} aria-hidden="true">
      <header class="print-letterhead">
        {letterheadOf(report).map((line, at) => (
          <p key={at}>{line}</p>
        ))}
      </header>
      <h1>{document.title.value}</h1>
      {noticesOf(report).map((notice) => (
        <p class="print-notice" key={notice}>
          {notice}
        </p>
      ))}
      {isUnsent && <p class="print-notice">{t(`document.${document.saving.value}`)}</p>}
      <Lines of={headOf(report)} />
      {signedParts({ ...report, record: { ...record, sections: [...document.sections.value] } }).map((part, at) => (
        <Fragment key={at}>
          {part.sections.map(({ title, text }, place) => (
            <section key={place}>
              <h2>{title}</h2>
              <p>{text}</p>
            </section>
          ))}
          <Lines of={part.signature} />
        </Fragment>
      ))}
      <footer>{footOf(report)}</footer>
    </article>
  );
}

/** Of institutions, each its name and the lines below it, as the service said last. */
function useLetterheads(): readonly (readonly string[])[] {
  const known = useSignal<readonly (readonly string[])[]>([]);
  useEffect(() => {
    void bridge()
      .call('letterheads.list', {})
      .then(
        ({ items: all }) => (known.value = all.map(({ name, lines }) => [name, ...lines])),
        () => undefined,
      );
  }, [login.value.id, isOnline.value]);
  return known.value;
}

function Lines({ of }: { readonly of: readonly { readonly label: string; readonly value: string }[] }) {
  return of.length === 0 ? null : (
    <dl>
      {of.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
