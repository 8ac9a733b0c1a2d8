import { PROFILES, type Profile } from './profiles.ts';
import type { Script } from './script.ts';

/** A small run without other faults, repeated with a power cut at every step of the device. */
export interface CrashScenario {
  readonly seed: number;
  readonly profile: Profile;
  readonly script: Script;
}

const single: Profile = { ...PROFILES.mixed, students: 1, devices: 1, badness: 0 };
const shared: Profile = { ...single, name: 'shared', students: 2 };

const script = (text: string): Script => text.trim().split(/\s+/);

/** Together they cover every operation of the outbox. */
export const CRASH_SCENARIOS: Readonly<Record<string, CrashScenario>> = {
  /** Writing, folding, a file, sending with a lost reply, a finish and its receipt. */
  answering: {
    seed: 1,
    profile: { ...single, name: 'answering' },
    script: script(`
      0:signIn 1:begin 2:answer 3:burst 4:flush 4.2:replyLost 5:burst 6:file 7:flush 7.3:uploadCut
      8:answer 9:finish 10:flush 11:flush`),
  },
  /** Setting aside and retrying answers of a deleted attempt; a finish dropped by a moved deadline. */
  refusing: {
    seed: 2,
    profile: { ...single, name: 'refusing' },
    script: script(`
      0:signIn 1:begin 2:burst 3:deleteAttempt 4:flush 5:undelete 6:reload 7:flush 8:offline 9:toDeadline
      10:toDeadline 11:addTime 12:online 13:flush 14:answer 15:flush`),
  },
  /** Resending everything that a restored server lost. */
  restoring: {
    seed: 3,
    profile: { ...single, name: 'restoring' },
    script: script(`
      0:signIn 1:begin 2:burst 3:flush 4:backup 5:burst 6:file 7:flush 8:restore 9:refresh 10:flush
      11:finish 12:flush`),
  },
  /** Encrypting rows at sign-out and decrypting them at the next sign-in. */
  tablet: {
    seed: 4,
    profile: shared,
    script: script(`
      0:signIn 1:begin 2:burst 3:file 4:otherUser 5:begin 6:burst 7:flush 8:otherUser 9:answer 10:flush
      11:signOut 12:signIn 13:flush`),
  },
};
