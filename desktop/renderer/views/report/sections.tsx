/** The sections of a report: each grows with its text and shows its marks. */
import { addendumKey } from '../../../../src/domain/record-state.ts';
import { examTime } from '../../i18n/format.ts';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import type { ReadyReport } from '../../state/report/document.ts';
import { findDoubts, splitIntoPieces } from '../../state/report/marks.ts';
import { mayChange } from '../../state/report/report-rights.ts';
import { findImpression } from '../../state/report/proposing.ts';
import { selectedWords } from '../../state/report/selected-words.ts';
import { now } from '../../state/time/now.ts';
import { Findings } from './findings.tsx';
import { Conversions } from './conversions.tsx';
import { GrowingTextarea } from './growing-textarea.tsx';
import { HeardText } from './heard-text.tsx';
import { ImpressionProposals, ProposeImpression } from './impression-proposals.tsx';
import { OriginsLegend } from './origins-legend.tsx';
import { fieldId } from './keyboard-navigation.ts';
import { hearAt } from './use-playback-marks.ts';
import type { ReportSpelling } from './use-spelling.ts';

/** Author and time of an addendum; the last one may still be held back, as `signing` says. */
function AddedBy({ document, at }: { document: ReadyReport; at: number }) {
  const { signing } = document.record.value;
  const added = document.signatures.value.addenda[at];
  const [who, time] = added ? [added.who, added.at] : [signing?.by, signing?.at];
  if (!who || !time) return null;
  return <p class="field-note">{t('signing.by_addendum', { who, time: examTime(time, now.value) })}</p>;
}

export function Sections({ document, spelling }: { document: ReadyReport; spelling: ReportSpelling }) {
  const record = document.record.value;
  const isDraft = mayChange(record);
  const findings = document.findings.value;
  const sections = document.sections.value;
  const listening = document.listening.value;
  const impression = findImpression(sections);
  const doubts = findDoubts(document.said.value, findings);
  const addenda = sections.filter(({ key }) => key === addendumKey);
  const missing = findings.filter(({ section }) => sections.every(({ key }) => key !== section));
  return (
    <>
      {isDraft ? (
        <GrowingTextarea
          class="document-title"
          label={t('document.title_label')}
          value={document.title.value}
          onValue={(text) => document.setTitle(text)}
          oneLine
        />
      ) : (
        <h2 class="document-title">{record.title}</h2>
      )}
      {record.test_mode && (
        <p class="document-simulated">
          <Icon name="flask" size={15} />
          {t('document.simulated')}
        </p>
      )}
      {isDraft && document.showsOrigins.value && <OriginsLegend />}
      {sections.map((section) => (
        <section
          key={section.key === addendumKey ? `${addendumKey} ${addenda.indexOf(section)}` : section.key}
          class="document-section"
          data-section={section.key}
          tabIndex={-1}
          aria-label={section.title}
          lang={record.language}
        >
          {isDraft && section === impression ? (
            <>
              <header class="document-section-head">
                <h2>{section.title}</h2>
                <ProposeImpression document={document} />
              </header>
              <ImpressionProposals document={document} section={section} />
            </>
          ) : (
            <h2>{section.title}</h2>
          )}
          {isDraft ? (
            <GrowingTextarea
              id={fieldId(section.key)}
              label={t('document.section_label', { title: section.title })}
              value={section.text}
              placeholder={t('document.empty_section')}
              pieces={splitIntoPieces(
                section,
                findings,
                document.words.value,
                document.showsOrigins.value,
                doubts,
                spelling.misspelt.value,
                document.cited.value,
              )}
              spellcheck={!spelling.isOn.value}
              saidIn={listening ? section.key : undefined}
              onHear={(caret) => listening && hearAt(listening, section.key, caret)}
              onValue={(text) => document.setText(section.key, text)}
              onLeave={(text) => (selectedWords.value = text === '' ? null : { section: section.key, text })}
            />
          ) : (
            <HeardText listening={listening} section={section.key} text={section.text} />
          )}
          {section.key === addendumKey && <AddedBy document={document} at={addenda.indexOf(section)} />}
          {isDraft && document.showsOrigins.value && <Conversions document={document} section={section} />}
          <Findings
            document={document}
            findings={findings.filter((finding) => finding.section === section.key)}
            section={section}
          />
        </section>
      ))}
      <Findings document={document} findings={missing} />
    </>
  );
}
