/** The link with the viewer of images, through a FHIRcast hub. */
import { BroughtText } from '../../src/contract/inserted-text.ts';
import { Measurement } from '../../src/contract/measurement.ts';
import { array, boolean, named, nullable, object, oneOf, string } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { hubFaults } from '../../src/contract/viewer.ts';
import { Id } from '../../src/contract/shared.ts';
import { linkNames } from '../../src/domain/exam-link.ts';
import type { ExamLink } from '../../src/domain/exam-link.ts';
import type { Schema } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { nothing, revised } from './shapes.ts';

const number = string({ maxLength: 128 });
const Link = object({}, Object.fromEntries(linkNames.map((name) => [name, number]))) as Schema<ExamLink>;

/** Why Laudio did not follow another application. */
export const refusals = ['dictating', 'not_here', 'other_patient'] as const;
export type Refusal = (typeof refusals)[number];

/** `none`: the service knows no hub; `no_topic`: the hub does not know the person. */
const joinFaults = [...hubFaults, 'none', 'no_topic'] as const;
export type JoinFault = (typeof joinFaults)[number];

export const HubState = named(
  'HubState',
  object({
    link: oneOf(['off', 'joining', 'joined']),
    fault: nullable(
      object(
        { why: oneOf(joinFaults) },
        { message: string({ description: 'What the hub says.' }) },
        { description: 'Why it is not joined; it is tried again.' },
      ),
    ),
    others: boolean({ description: 'Whether another application has been heard since the hub was joined.' }),
    apart: nullable(
      object(
        {
          why: oneOf([...refusals, 'not_closed', 'not_logged_out', 'no_answer', 'not_followed', 'lost'], {
            description:
              '`not_closed`, `not_logged_out`: under a live microphone; `no_answer`: no page answered in time; `not_followed`: another application did not follow Laudio; `lost`: the connection.',
          }),
        },
        {
          exam: Link,
          message: string({ description: 'What the other application says.' }),
        },
        { description: 'Report and viewer may show different exams. `null`: they agree, as far as is known.' },
      ),
    ),
    ...revised,
  }),
);
export type HubState = TypeOf<typeof HubState>;

/** An act of another application. `id`: `hub.answer` names it. */
export const CastNews = object(
  {
    kind: oneOf(['opened', 'closed', 'logged_out', 'measured', 'selected'], {
      description: 'Each is answered.',
    }),
    id: string(),
  },
  {
    exam: Link,
    /** The exam that is measured in, or was closed. */
    item_id: Id,
    measurement: Measurement,
    /** Id of a measurement that was deleted. */
    deleted: string(),
    /** Ids of measurements. */
    selected: array(string()),
    again: boolean({ description: 'Another page had it, and may have put its words in.' }),
  },
);
export type CastNews = TypeOf<typeof CastNews>;

export const hubCalls = {
  'hub.join': call({
    summary: 'Join the hub for a page that has come, and read the link; its exam counts if no page has shown one',
    input: object({ item_id: nullable(Id) }),
    output: HubState,
  }),
  'hub.show': call({
    summary: 'Say that the person has changed the exam on the screen; other applications follow',
    input: object(
      { item_id: nullable(Id) },
      { again: boolean({ description: 'Also if the hub knows it: another application had left it.' }) },
    ),
    output: HubState,
  }),
  'hub.answer': call({
    summary: 'Say whether the page followed another application; a measurement belongs to the page that answers first',
    input: object(
      { id: string({ maxLength: 500 }) },
      {
        item_id: nullable(Id),
        refusal: oneOf(refusals),
        reason: string({ maxLength: 500, description: 'The refusal in words, without names.' }),
      },
    ),
    output: object({ is_first: boolean() }),
  }),
  'hub.settle': call({
    summary:
      'Say whether a measurement that this page has answered first is dealt with; if not, or if nothing is said for 20 s, another page gets it',
    input: object({ id: string({ maxLength: 500 }), is_done: boolean() }),
    output: nothing,
  }),
  'hub.placed': call({
    summary: 'Keep where a measurement is in the words of an exam until its report has it',
    input: object({ item_id: Id, brought: BroughtText }),
    output: nothing,
  }),
  'hub.measurements': call({
    summary: 'The measurements of an exam that no page has taken, and those in words that its report does not have yet',
    input: object({ item_id: Id }),
    output: object({ waiting: array(CastNews), placed: array(BroughtText) }),
  }),
} as const;
