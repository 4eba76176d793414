/**
 * The package as a library: `import { createClient } from 'laudio'`. The exports here, and of `laudio/testing`, are
 * stable (docs/decisions/0030-a-library-with-two-doors.md); every other module is internal.
 */
// oxlint-disable-next-line import/no-unassigned-import -- for its effect
import '../../node/require-node.ts';

export { createClient } from './client.ts';
export type { Laudio, LaudioOptions } from './client.ts';
export { audioFile } from '../../node/files/outgoing-file.ts';
export { waitForJob } from './wait-for-job.ts';
export type { WaitOptions } from './wait-for-job.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type { VerifiedEvent, VerifyOptions, WebhookHeaders } from './verify-webhook.ts';
export { itemsOf, pages } from '../pages.ts';
export { AppError } from '../../contract/errors.ts';
export type { DetailCode, ErrorCode, FieldError } from '../../contract/errors.ts';

export type { CallInput, CallOptions, CallResult, Client, RawAnswer, Retry } from '../client.ts';
export type { OutgoingFile } from '../transport.ts';
export type { Contract } from '../../contract/index.ts';
export type { Client as PartnerApplication, User } from '../../contract/admin.ts';
export type { MedicalRecord, Section } from '../../contract/document.ts';
export type { EventType, WebhookEvent } from '../../contract/events.ts';
export type { ExportFormat } from '../../contract/export.ts';
export type { Finding } from '../../contract/finding.ts';
export type { InspectedCall, InspectedMessages } from '../../contract/inspector.ts';
export type { Job, JobLogEntry, JobStatus } from '../../contract/job.ts';
export type { Macro } from '../../contract/macro.ts';
export type { GenerateRequest, RecordUpdate } from '../../contract/record.ts';
export type { RecordVersion } from '../../contract/record-version.ts';
export type { Scope } from '../../contract/scopes.ts';
export type { Language, Meta } from '../../contract/shared.ts';
export type { Template } from '../../contract/template.ts';
export type { Transcription, TranscriptionEvent } from '../../contract/transcription.ts';
export type { Term } from '../../contract/vocabulary.ts';
export type { Delivery, Webhook } from '../../contract/webhook.ts';
export type { IngestResult, WorklistItem, WorklistItemInput, WorklistStatus } from '../../contract/worklist.ts';
