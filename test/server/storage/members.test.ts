/** The members of a store of one process, and those of the hub by which tests run several servers. */
import { createLoneMember } from '../../../server/storage/members.ts';
import { describeMembers } from '../../suites/members.suite.ts';
import { createMemberHub } from '../../support/member-hub.ts';

describeMembers('one process', () => ({ join: () => createLoneMember('alone') }));
describeMembers('several processes', createMemberHub);
