/** Orders the priors of an exam: those of the same part of the body first, then those of the same modality, then by date. */
import { findRegions } from '../templates/choose.ts';

interface Exam {
  readonly modality?: string | null;
  readonly exam_description: string;
  readonly exam_datetime: string;
}

/** The ordered priors; `related`: how many of the first show a part of the body that the exam shows. */
export function orderPriors<P extends Exam>(
  exam: Exam | undefined,
  priors: readonly P[],
): { readonly items: P[]; readonly related: number } {
  const regions = exam ? findRegions(exam.exam_description) : new Set<string>();
  const modality = exam?.modality?.toUpperCase();
  const rated = priors.map((prior) => ({
    prior,
    isRelated: [...findRegions(prior.exam_description)].some((region) => regions.has(region)),
    isSameKind: modality !== undefined && prior.modality?.toUpperCase() === modality,
    at: Date.parse(prior.exam_datetime),
  }));
  const ordered = rated.toSorted(
    (a, b) => Number(b.isRelated) - Number(a.isRelated) || Number(b.isSameKind) - Number(a.isSameKind) || b.at - a.at,
  );
  return { items: ordered.map(({ prior }) => prior), related: rated.filter(({ isRelated }) => isRelated).length };
}
