/**
 * The report for printing, whatever the screen shows: patient, exam, signer and text. It is outside the panes, some of
 * which a small screen hides; only printing shows it (style/print.css).
 */
import { letterheadFor } from '../../../../src/reporting/report-head.ts';
import { reportFileName } from '../../../../src/reporting/report-file-name.ts';
import { buildPage } from '../../../../src/reporting/report-page.ts';
import type { Block } from '../../../../src/reporting/report-page.ts';
import { useEffect } from 'preact/hooks';
import { followLetterheads, letterheads } from '../../state/operator-lists.ts';
import { openedReport } from '../../state/report/opened-report.ts';
import type { OpenedReport } from '../../state/report/opened-report.ts';
import { items } from '../../state/worklist/worklist.ts';
import { savingText } from './saving-text.ts';

export function PrintSheet() {
  const opened = openedReport.value;
  return opened === null ? null : <Sheet {...opened} />;
}

function Sheet({ itemId, document }: OpenedReport) {
  const record = document.record.value;
  useEffect(followLetterheads, []);
  const item = items.value?.get(itemId) ?? null;
  useTitleOfPrint(record && reportFileName(record, item));
  if (record === null) return null;
  const letterhead = letterheadFor(
    item,
    letterheads.value.map(({ name, lines }) => [name, ...lines]),
  );
  const report = {
    record: { ...record, title: document.title.value, sections: [...document.sections.value] },
    item,
    ...document.signatures.value,
    ...(letterhead && { letterhead }),
  };
  const { value: saving } = document.saving;
  return (
    <article class="print-sheet" lang={record.language} aria-hidden="true">
      {buildPage(report, saving === 'saved' ? [] : [savingText(document)]).map((block, at) => (
        <PrintedBlock key={at} block={block} />
      ))}
    </article>
  );
}

function PrintedBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'letterhead':
      return (
        <header class="print-letterhead">
          {block.lines.map((line, at) => (
            <p key={at}>{line}</p>
          ))}
        </header>
      );
    case 'title':
      return <h1>{block.text}</h1>;
    case 'notice':
      return <p class="print-notice">{block.text}</p>;
    case 'section':
      return (
        <section>
          <h2>{block.title}</h2>
          <p>{block.text}</p>
        </section>
      );
    case 'foot':
      return <footer>{block.text}</footer>;
    case 'head':
    case 'signature':
      return (
        <dl>
          {block.lines.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      );
  }
}

/** A browser that prints to a file names it after the page title. */
function useTitleOfPrint(name: string | null): void {
  useEffect(() => {
    if (name === null) return undefined;
    let previousTitle = '';
    const begin = (): void => {
      previousTitle = document.title;
      document.title = name;
    };
    const end = (): void => void (document.title = previousTitle);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, [name]);
}
