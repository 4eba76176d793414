/** Findings that a report both affirms and denies. */
import { stem } from '../words/stem.ts';
import { common, citeSentence, isConclusion, isOfNow, sidesOf, describesFindings } from './comparing.ts';
import type { FoundFinding } from './finding.ts';
import type { Mention, ReadSection, Sentence } from './reading.ts';

interface NamedFinding {
  readonly sentence: Sentence;
  readonly mention: Mention;
  readonly section: ReadSection;
}

/** Findings that occur at most once on a side: a denial denies every one. */
const whole = new Set([
  'pneumothorax',
  'pulmonary_embolism',
  'intracranial_haemorrhage',
  'free_air',
  'pleural_effusion',
  'pericardial_effusion',
  'joint_effusion',
  'free_fluid',
  'hydronephrosis',
  'gallstone',
  'kidney_stone',
  'ureter_stone',
  'pulmonary_nodule',
  'consolidation',
  'appendicitis',
  'cholecystitis',
  'pancreatitis',
  'steatosis',
  'cardiomegaly',
  'aortic_dissection',
  'ectopic_pregnancy',
  'cord_compression',
  'tamponade',
  'acute_infarct',
]);

/** Findings that may occur several times: only a denial of all of them contradicts the impression. */
const counted = new Set(['fracture', 'nodule', 'mass', 'cyst', 'adenopathy', 'stone', 'tear', 'hernia', 'thrombosis']);

/** Names that cover several things: only equal words mean the same finding, since a hematoma is no other hemorrhage. */
const broad = new Set(['intracranial_haemorrhage', 'acute_infarct', 'tear', 'thrombosis']);

/** The largest number of denials that are compared with one finding. */
const maxDenials = 100;

/** The same finding affirmed and denied. */
export function checkContradictions(sections: readonly ReadSection[]): FoundFinding[] {
  const named = sections
    .filter((section) => describesFindings(section) || isConclusion(section))
    .flatMap((section) =>
      section.sentences.flatMap((sentence) =>
        sentence.mentions.map((mention): NamedFinding => ({ sentence, mention, section })),
      ),
    )
    .filter(({ mention, sentence }) => !mention.isHypothetical && isOfNow(sentence));
  const byKey = Map.groupBy(named, ({ mention }) => mention.key);
  const found: FoundFinding[] = [];
  for (const key of [...whole, ...counted]) {
    const all = byKey.get(key) ?? [];
    const denied = all.filter(({ mention }) => mention.isDenied).slice(0, maxDenials);
    for (const each of all.filter(({ mention }) => !mention.isDenied)) {
      const against = denied.find((other) => excludes(other, each) && isSameName(each, other) && meet(each, other));
      if (against) found.push(contradiction(each, against));
    }
  }
  return found;
}

/** Whether the denial covers the affirmed finding: the same kind, in the same place. */
function excludes(denied: NamedFinding, affirmed: NamedFinding): boolean {
  if (denied.mention.hasException) return false;
  if (!denied.mention.others.every((other) => affirmed.mention.others.includes(other))) return false;
  if (whole.has(denied.mention.key)) return true;
  if (isConclusion(denied.section) || !isConclusion(affirmed.section)) return false;
  const { words, organs } = affirmed.sentence;
  const stems = new Set(words.map(({ key }) => stem(key)));
  const places = new Set(organs.map(({ key }) => key));
  const isSamePlace = denied.sentence.organs.every(({ key }) => places.has(key));
  return isSamePlace && denied.mention.qualifiers.every((word) => stems.has(word));
}

/** Whether both use the same words, if the name covers several things. */
function isSameName(a: NamedFinding, b: NamedFinding): boolean {
  if (!broad.has(a.mention.key)) return true;
  const [one, other] = [a, b].map(
    ({ mention, sentence }) =>
      new Set(
        sentence.words.filter(({ start }) => start >= mention.start && start < mention.end).map(({ key }) => stem(key)),
      ),
  ) as [Set<string>, Set<string>];
  return common(one, other) === Math.min(one.size, other.size);
}

/** Whether the two can be the same one: not if they have different sides. */
function meet(affirmed: NamedFinding, denied: NamedFinding): boolean {
  const [a, b] = [affirmed, denied].map(({ sentence }) => sidesOf(sentence)) as [Set<string>, Set<string>];
  return b.size === 0 || a.size === 0 ? b.size === 0 : [...a].some((side) => b.has(side));
}

const contradiction = ({ section, mention }: NamedFinding, against: NamedFinding): FoundFinding => ({
  kind: 'contradiction',
  severity: 'warning',
  section: section.key,
  start: mention.start,
  end: mention.end,
  words: {
    written: section.text.slice(mention.start, mention.end),
    other: against.section.text.slice(against.sentence.start, against.sentence.end),
  },
  evidence: [citeSentence(against.sentence, against.mention)],
});
