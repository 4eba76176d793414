/** Which member of a server has a topic of the hub: the one that was asked for it first, until it is gone. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OtherMembers } from '../http/other-members.ts';
import { createLeaseSet, leaseName } from '../storage/members.ts';
import type { Members } from '../storage/members.ts';

/** The kind of the leases of topics. */
const kind = 'topic';

export const createTopicPlaces =
  ({ members, others }: { readonly members: Members; readonly others: OtherMembers }) =>
  (lost: (topic: string) => void) => {
    const leases = createLeaseSet(members, kind, { begin: () => undefined, end: lost });
    return {
      async isHere(topic: string): Promise<boolean> {
        await leases.answered(topic);
        return leases.has(topic);
      },
      isPassedOn: (request: Pick<IncomingMessage, 'headers'>) => others.isPassedOn(request),
      passOn: (topic: string, request: FastifyRequest, reply: FastifyReply) =>
        others.passOn(leaseName(kind, topic), request, reply),
      joinSocket: (topic: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
        others.joinSocket(leaseName(kind, topic), request, socket, head),
      close: () => leases.releaseAll(),
    };
  };
