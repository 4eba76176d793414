/**
 * The sentences that a language model proposes for the impression, each with the findings that it rests on. The person
 * takes them one by one or all; nothing comes into the report before.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ProposedSentence } from '../../../../src/contract/impression.ts';
import type { Section } from '../../../../src/contract/document.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { keys, onKey } from '../../state/keys.ts';
import type { ReadyReport } from '../../state/report/document.ts';
import { hasSentence } from '../../state/report/proposing.ts';
import type { Proposals } from '../../state/report/proposing.ts';
import { go } from '../../state/route.ts';
import { proposesImpressions, textGoesTo } from '../../state/session.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';
import { fieldId } from './keyboard-navigation.ts';

type ProposalAnswer = Extract<Proposals, { phase: 'offered' }>;

const boxId = 'impression-proposals';

/** To the first sentence that can be taken, to another attempt, or to the button that closes the proposals. */
function enterProposals(): void {
  const box = globalThis.document.getElementById(boxId);
  const find = (selector: string) => box?.querySelector<HTMLElement>(selector);
  (find('[data-take]:enabled') ?? find('[data-again]') ?? find('button'))?.focus();
}

/** Whether the caret is in a text: it stays there. */
const isTyping = (): boolean => globalThis.document.activeElement?.matches('textarea, input') === true;

/** The button in the heading of the impression, for services that propose. */
export function ProposeImpression({ document }: { document: ReadyReport }) {
  const isOffered = proposesImpressions.value;
  const propose = (): void => {
    go({ pane: 'document' });
    if (document.proposals.peek()?.phase === 'offered' && !document.isProposalOutdated.peek()) enterProposals();
    else void document.propose();
  };
  useLayoutEffect(() => (isOffered ? onKey('propose', propose) : undefined), [isOffered, document]);
  const { id } = document.record.value;
  useEffect(() => () => document.closeProposals(), [document, id]);
  if (!isOffered || document.proposals.value !== null) return null;
  return (
    <Button kind="bare" keyHint={keyName(keys.value.propose)} onClick={propose}>
      {t('impression.propose')}
    </Button>
  );
}

/** The proposed sentences, above the text of the impression. */
export function ImpressionProposals({ document, section }: { document: ReadyReport; section: Section }) {
  const shown = document.proposals.value;
  const phase = shown?.phase;
  useEffect(() => {
    if (phase !== undefined && !isTyping()) enterProposals();
  }, [phase]);
  if (!shown) return null;
  const close = (): void => {
    document.closeProposals();
    globalThis.document.getElementById(fieldId(section.key))?.focus();
  };
  return (
    <section
      id={boxId}
      class="proposals"
      aria-label={t('impression.title')}
      lang={shownLanguage()}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h3>{t('impression.title')}</h3>
        <IconButton icon="close" label={t('app.close')} onClick={close} />
      </header>
      {shown.phase === 'asking' && (
        <p class="proposals-note" role="status">
          <span class="spinner" aria-hidden="true" />
          <span>
            {t('impression.asking')}
            {textGoesTo.value !== null && ` ${t('impression.goes_to', { host: textGoesTo.value })}`}
          </span>
        </p>
      )}
      {shown.phase === 'failed' && <AskAgain document={document}>{failureText(shown.error)}</AskAgain>}
      {shown.phase === 'offered' && <OfferedSentences document={document} offered={shown} section={section} />}
    </section>
  );
}

function failureText(error: BridgeError): string {
  if (error.code === 'ENGINE_UNAVAILABLE') return t('impression.failed');
  return error.code === 'VERSION_CONFLICT' ? t('impression.changed') : reasonText(error);
}

function AskAgain({ document, children }: { document: ReadyReport; children: ComponentChildren }) {
  return (
    <div class="proposals-steps">
      <p class="proposals-note" role="alert">
        <Icon name="warn" size={15} />
        <span>{children}</span>
      </p>
      <Button icon="retry" data-again onClick={() => void document.propose()}>
        {t('impression.again')}
      </Button>
    </div>
  );
}

function OfferedSentences({
  document,
  offered: { sentences, refused, sections },
  section,
}: {
  document: ReadyReport;
  offered: ProposalAnswer;
  section: Section;
}) {
  const isOutdated = document.isProposalOutdated.value;
  const left = sentences.filter(({ text }) => !hasSentence(section, text));
  // The button that was pressed is gone: the keys go on at the next sentence.
  useEffect(() => {
    if (!isTyping()) enterProposals();
  }, [left.length]);
  return (
    <>
      <p class="sr-only" role="status">
        {t('impression.offered', { n: sentences.length })}
      </p>
      {sentences.length > 0 && (
        <ul class="proposals-list">
          {sentences.map((sentence) => (
            <ProposedLine
              key={sentence.text}
              {...{ document, sentence, sections }}
              isTaken={hasSentence(section, sentence.text)}
              isOutdated={isOutdated}
            />
          ))}
        </ul>
      )}
      {sentences.length === 0 && <p class="proposals-note">{t('impression.nothing')}</p>}
      {refused > 0 && <p class="proposals-note">{t('impression.left_out', { n: refused })}</p>}
      {isOutdated ? (
        <AskAgain document={document}>{t('impression.outdated')}</AskAgain>
      ) : (
        left.length > 1 && (
          <div class="proposals-steps">
            <Button icon="plus" onClick={() => void document.takeProposed(left.map(({ text }) => text))}>
              {t('impression.take_all')}
            </Button>
          </div>
        )
      )}
    </>
  );
}

/** A sentence, and the findings that it rests on; these are marked at their place while it has the focus. */
function ProposedLine({
  document,
  sentence: { text, basis },
  sections,
  isTaken,
  isOutdated,
}: {
  document: ReadyReport;
  sentence: ProposedSentence;
  sections: readonly Section[];
  isTaken: boolean;
  isOutdated: boolean;
}) {
  const { language } = document.record.value;
  const cite = (): void => void (document.cited.value = isOutdated ? [] : basis);
  const stopCiting = (): void => void (document.cited.value = []);
  const words = basis
    .map((place) => sections.find(({ key }) => key === place.section)?.text.slice(place.start, place.end) ?? '')
    .join(' ');
  return (
    <li onFocusIn={cite} onFocusOut={stopCiting} onPointerEnter={cite} onPointerLeave={stopCiting}>
      <p lang={language}>{text}</p>
      <p class="proposals-basis">
        {t('impression.rests_on')} <q lang={language}>{words}</q>
      </p>
      <div class="proposals-way">
        {isTaken ? (
          <>
            <span class="proposals-taken">
              <Icon name="check" size={15} />
              {t('impression.taken')}
            </span>
            <Button kind="bare" onClick={() => void document.takeBackProposed(text)}>
              {t('impression.take_back')}
            </Button>
          </>
        ) : (
          <Button icon="plus" data-take disabled={isOutdated} onClick={() => void document.takeProposed([text])}>
            {t('impression.take')}
          </Button>
        )}
      </div>
    </li>
  );
}
