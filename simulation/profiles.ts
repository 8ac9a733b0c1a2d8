import { CALL_FAULTS, type CallFault } from './faults.ts';

/** Emphasis of a run: weights of its steps and faults. */
export interface Profile {
  readonly name: string;
  /** Maximum. */
  readonly students: number;
  readonly devices: number;
  readonly steps: readonly [least: number, most: number];
  /** Probability of a fault per call. */
  readonly badness: number;
  /** Probability that a test allows a second attempt. */
  readonly secondAttempt: number;
  /** Probability of a dishonest student, who costs twice as much as all others together. */
  readonly cheat: number;
  /** Probability of classmates with answers that share a statement of the database with the students'. */
  readonly crowd: number;
  /** Overrides weights of steps by name. */
  readonly weights: Readonly<Record<string, number>>;
  readonly faults?: Partial<Record<CallFault, number>>;
  /** Tests begin without a network, and these steps come first. */
  readonly settleIn?: readonly string[];
}

const mixed: Profile = {
  name: 'mixed',
  students: 2,
  devices: 2,
  steps: [30, 60],
  badness: 0.25,
  secondAttempt: 0.4,
  cheat: 0.15,
  crowd: 0.1,
  weights: {},
};

const base = { ...mixed, weights: {} };

export const PROFILES = {
  mixed,
  storm: { ...base, name: 'storm', badness: 0.6, devices: 1, students: 1 },
  pages: {
    ...base,
    name: 'pages',
    devices: 1,
    weights: { kill: 24, reload: 16, openPage: 10, twoPages: 24, fill: 4 },
  },
  crashes: {
    ...base,
    name: 'crashes',
    devices: 1,
    badness: 0.15,
    weights: { losePower: 40, kill: 0, burst: 30, file: 12, backup: 4, restore: 4, openPage: 8 },
  },
  /** Pages of the former and the current version on one device. */
  versions: {
    ...base,
    name: 'versions',
    students: 1,
    devices: 1,
    weights: {
      openFormer: 20,
      openPage: 10,
      twoPages: 24,
      reload: 10,
      restartBrowser: 6,
      kill: 0,
      losePower: 8,
      signOut: 0,
      otherUser: 0,
      revoke: 0,
      block: 0,
      fill: 0,
    },
  },
  takeover: {
    ...base,
    name: 'takeover',
    students: 1,
    devices: 3,
    weights: { offline: 8, start: 20, takeOver: 14, openPage: 10, wipe: 2 },
  },
  deadline: {
    ...base,
    name: 'deadline',
    devices: 2,
    weights: { toDeadline: 8, addTime: 8, clock: 8, sleep: 6, offline: 8, sweep: 4, answerLate: 8 },
  },
  clocks: {
    ...base,
    name: 'clocks',
    badness: 0.15,
    weights: {
      stepClock: 10,
      clock: 10,
      clockForwardAndBack: 6,
      sleep: 6,
      toDeadline: 4,
      offline: 8,
      answerLate: 2,
    },
  },
  restore: {
    ...base,
    name: 'restore',
    weights: { backup: 16, restore: 8, restoreMidway: 10, finish: 6 },
  },
  tablet: {
    ...base,
    name: 'tablet',
    students: 3,
    devices: 1,
    weights: { signOut: 6, otherUser: 16, revoke: 6, offline: 8, block: 4 },
  },
  files: {
    ...base,
    name: 'files',
    students: 1,
    weights: { file: 30, finish: 6, kill: 8 },
    faults: { ...CALL_FAULTS, uploadCut: 30, uploadCorrupted: 30 },
  },
  /** Slow lines, some of which break. */
  lines: {
    ...base,
    name: 'lines',
    students: 1,
    weights: { uploadSlowly: 24, file: 2, finish: 1, flush: 50 },
  },
  /** Pages that end while their student types, and databases that are cleared while they are open. */
  typing: {
    ...base,
    name: 'typing',
    badness: 0.15,
    weights: {
      typeSteadily: 40,
      clearUnderPages: 12,
      openPage: 14,
      file: 0,
      pickFiles: 0,
      fill: 0.3,
    },
  },
  poison: {
    ...base,
    name: 'poison',
    students: 1,
    devices: 1,
    badness: 0.1,
    weights: { poison: 12, flush: 50, finish: 6, wait: 16 },
  },
} as const satisfies Record<string, Profile>;

/** Tests that begin without a network; drawn apart, so that the schedules of known seeds do not change. */
export const OFFLINE_START: Profile = {
  ...base,
  name: 'offline start',
  cheat: 0,
  crowd: 0,
  settleIn: ['signIn', 'prepareOffer', 'showCode', 'beginOffline', 'answer'],
  weights: {
    begin: 4,
    start: 3,
    prepareOffer: 20,
    showCode: 12,
    beginOffline: 40,
    askBegin: 4,
    renewCode: 2,
    decideBegins: 8,
    makeHandover: 14,
    bringIn: 12,
    applyReceipts: 8,
    changeTime: 3,
    archive: 1,
    openByForce: 4,
    makeUpBegin: 2,
    copyProfile: 3,
    saveProfile: 6,
    restoreProfile: 3,
    offline: 8,
    clock: 3,
    editTest: 2,
    finish: 6,
    openPage: 8,
    openFormer: 12,
    backup: 4,
    restore: 2,
  },
};
