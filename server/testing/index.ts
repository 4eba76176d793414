/** `import { startServer } from 'laudio/testing'` (docs/decisions/0030-a-library-with-two-doors.md). */
// oxlint-disable-next-line import/no-unassigned-import -- for its effect
import '../../src/node/require-node.ts';

export { startServer } from './test-server.ts';
export { verifyWebhook } from '../../src/client/library/verify-webhook.ts';
export type { VerifiedEvent, VerifyOptions, WebhookHeaders } from '../../src/client/library/verify-webhook.ts';
export type { Requests, TestClock, TestFaults, TestServer, TestServerOptions, TestSnapshot } from './test-server.ts';
export type { EventOfType, NextEventOptions, TestEvent, TestEvents } from './events.ts';
export type { ExamFixture, FixtureOptions, Fixtures, ReportFixtureOptions } from './fixtures.ts';
export type { MovedClock, ServerClock } from '../../src/contract/clock.ts';
export type { Fault, FaultInput, FaultStrike } from '../../src/contract/fault.ts';
export type { TestClient } from '../../src/node/test-space.ts';
