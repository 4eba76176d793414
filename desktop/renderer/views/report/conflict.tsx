/**
 * Shows another person's changes to the report, and asks about each section that both changed, so that no words are
 * lost.
 */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { textOf } from '../../../../src/domain/record-state.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import type { OpenReport } from '../../state/report/document.ts';
import type { Choice, Clash } from '../../state/report/document-state.ts';
import { copyText } from '../app/copy-text.ts';
import { Difference } from './difference.tsx';
import { otherName } from './saving-text.ts';

export function Meeting({ document }: { document: OpenReport }) {
  const theirs = document.theirs.value;
  if (theirs !== null) return <Conflict document={document} theirs={theirs} />;
  return document.merged.value.length > 0 ? <Merged document={document} /> : null;
}

const headings = (all: readonly string[]): string =>
  all.map((heading) => (heading === '' ? t('versions.title_of_report') : heading)).join(', ');

function Merged({ document }: { document: OpenReport }) {
  return (
    <section class="document-merged" role="status">
      <p>
        <Icon name="info" />
        {t('versions.merged', { who: otherName(document), sections: headings(document.merged.value) })}
      </p>
      <Button onClick={() => document.acceptMerge()}>{t('versions.merged_seen')}</Button>
    </section>
  );
}

function Conflict({ document, theirs }: { document: OpenReport; theirs: MedicalRecord }) {
  const clashes = document.clashes.value;
  // A signed version can't be replaced; the words can go into an addendum.
  const isSigned = theirs.status === 'final';
  return (
    <section class="document-conflict" role="alert">
      <h2>
        <Icon name="warn" />
        {t('document.conflict_title', { who: otherName(document) })}
      </h2>
      <p>{isSigned ? t('document.conflict_signed') : t('versions.conflict_text', { n: clashes.length })}</p>
      {clashes.map((clash) => (
        <ClashSides
          key={clash.key}
          clash={clash}
          version={theirs.version}
          choose={isSigned ? undefined : (choice) => void document.resolve(choice, clash.key)}
        />
      ))}
      {isSigned && (
        <div class="document-choices">
          <Button onClick={() => void document.resolve('theirs')}>{t('document.take_theirs')}</Button>
          <Button kind="primary" icon="copy" onClick={() => void copyText(textOf(document.sections.value))}>
            {t('document.copy_ours')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface ClashSidesProps {
  readonly clash: Clash;
  /** Number of the other person's version. */
  readonly version: number;
  /** Absent: there is nothing left to choose. */
  readonly choose: ((choice: Choice) => void) | undefined;
}

/** Both texts of one section with their changes, and the choice between them. */
function ClashSides({ clash, version, choose }: ClashSidesProps) {
  const heading = clash.heading === '' ? t('versions.title_of_report') : clash.heading;
  const side = (title: string, text: string | undefined) => (
    <div>
      <h3>
        {heading}: {title}
      </h3>
      {text === undefined ? <p>{t('versions.gone')}</p> : <Difference before={clash.before ?? ''} after={text} />}
    </div>
  );
  const button = (choice: Choice, label: string) => (
    <Button kind={choice === 'ours' ? 'primary' : 'plain'} onClick={() => choose?.(choice)}>
      <span aria-hidden="true">{label}</span>
      <span class="sr-only">{`${label}: ${heading}`}</span>
    </Button>
  );
  return (
    <div class="document-clash">
      <div class="document-sides">
        {side(t('document.ours'), clash.ours)}
        {side(t('document.theirs', { n: version }), clash.theirs)}
      </div>
      {choose && (
        <div class="document-choices">
          {clash.ours !== undefined && clash.theirs !== undefined && button('both', t('versions.both'))}
          {button('theirs', t('document.take_theirs'))}
          {button('ours', t('document.keep_ours'))}
        </div>
      )}
    </div>
  );
}
