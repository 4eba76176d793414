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
  (lost: (place: string) => void) => {
    const leases = createLeaseSet(members, kind, { begin: () => undefined, end: lost });
    return {
      async isHere(place: string): Promise<boolean> {
        await leases.answered(place);
        return leases.has(place);
      },
      isPassedOn: (request: Pick<IncomingMessage, 'headers'>) => others.isPassedOn(request),
      passOn: (place: string, request: FastifyRequest, reply: FastifyReply) =>
        others.passOn(leaseName(kind, place), request, reply),
      joinSocket: (place: string, request: IncomingMessage, socket: Duplex, head: Buffer) =>
        others.joinSocket(leaseName(kind, place), request, socket, head),
      close: () => leases.releaseAll(),
    };
  };
