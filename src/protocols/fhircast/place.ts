/** Where the hub of a server is, and which topic in it is whose. */
import { createHash } from 'node:crypto';

/** Below the server's address. */
export const hubPath = '/fhircast';

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** The topic of a person, or of an application that acts for itself. It names nobody. */
export const topicFor = (space: string, subject: string): string => digest(JSON.stringify([space, subject]));

/** The key by which an endpoint leads to the process that has its topic. The topic can't be read from it. */
export const createPlaceKey = (topic: string): string => digest(`place ${topic}`);

interface TopicCaller {
  readonly space: string;
  readonly user: { readonly id: string } | null;
  readonly client_id: string;
}

export const topicForCaller = ({ space, user, client_id }: TopicCaller): string =>
  topicFor(space, user?.id ?? client_id);
