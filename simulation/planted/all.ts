import { CALL_FAULTS } from '#simulation/faults.ts';
import type { Plant } from '#simulation/plant.ts';
import { OFFLINE_START, PROFILES, type Profile } from '#simulation/profiles.ts';
import * as crashing from './crashing.ts';
import * as handovers from './handovers.ts';
import * as keeping from './keeping.ts';
import * as lines from './lines.ts';
import * as offers from './offers.ts';
import * as picking from './picking.ts';
import * as sending from './sending.ts';
import * as server from './server.ts';
import * as typing from './typing.ts';

/** A bug that the checker must detect. */
export interface PlantedBug {
  readonly name: string;
  /** Creates the bug for every run, because some have state. */
  readonly plant: () => Plant;
  /** Profiles in which such a bug shows. */
  readonly profile: Profile;
}

const busy: Profile = { ...PROFILES.mixed, name: 'busy', badness: 0.4, students: 1, devices: 1 };

const starts: Profile = {
  ...PROFILES.mixed,
  name: 'starts',
  students: 1,
  devices: 1,
  secondAttempt: 1,
  badness: 0.7,
  weights: { finish: 30, flush: 60, start: 1, begin: 0, arrive: 30, deleteAttempt: 0, wipe: 0 },
  faults: { replyLost: 5, lateDuplicate: 60 },
};

const restarts: Profile = {
  ...starts,
  name: 'restarts',
  secondAttempt: 0,
  badness: 0.1,
  weights: { finish: 30, flush: 50, start: 40, begin: 40 },
};

const finishes: Profile = {
  ...PROFILES.mixed,
  name: 'finishes',
  students: 1,
  secondAttempt: 1,
  badness: 0.3,
  weights: { finish: 16, flush: 20, restore: 0, backup: 0, deleteAttempt: 0 },
};

const tablet: Profile = { ...PROFILES.tablet, name: 'tablet', devices: 1, students: 3 };
const clocks: Profile = { ...PROFILES.deadline, name: 'clocks', badness: 0.1 };
const strangers: Profile = {
  ...busy,
  name: 'strangers',
  faults: { portalPage: 1, emptyOk: 1, foreignJson: 1, redirect: 1 },
};
const late: Profile = {
  ...PROFILES.deadline,
  name: 'late',
  badness: 0.05,
  secondAttempt: 1,
  weights: { toDeadline: 2, answerLate: 20, finish: 0, kill: 0, flush: 40, sweep: 6, clock: 0 },
};
const full: Profile = {
  ...PROFILES.pages,
  name: 'full',
  badness: 0.1,
  weights: { fill: 20, free: 20, restartBrowser: 16, openPage: 12, flush: 50, burst: 30 },
};
/** An older device's answers arrive after the newer one's. */
const reordered: Profile = {
  ...PROFILES.takeover,
  name: 'reordered',
  students: 1,
  devices: 3,
  badness: 0.1,
  weights: { ...PROFILES.takeover.weights, burst: 50, flush: 16, offline: 14, file: 0, wipe: 0 },
};
/** For bugs that only the dishonest student meets. */
const quick: Profile = {
  ...PROFILES.mixed,
  name: 'quick',
  students: 1,
  devices: 1,
  badness: 0,
  cheat: 1,
};
/** Time advances in large steps, so that attempts are closed. */
const patient: Profile = {
  ...quick,
  name: 'patient',
  weights: { toDeadline: 20, sleep: 20, wait: 20, begin: 60 },
};
const poisoned: Profile = {
  ...PROFILES.poison,
  name: 'poisoned',
  weights: { poison: 40, burst: 30, flush: 90, wait: 30, finish: 3, kill: 0, lose: 0 },
};
const refused: Profile = { ...busy, name: 'refused', faults: { ...CALL_FAULTS, status429: 40 } };

const picks: Profile = { ...busy, name: 'picks', badness: 0, weights: { pickFiles: 60, burst: 4 } };

/** Power cuts between two transactions of one operation. */
const powerless: Profile = {
  ...PROFILES.crashes,
  name: 'powerless',
  students: 1,
  weights: {
    ...PROFILES.crashes.weights,
    losePower: 90,
    signOut: 0,
    otherUser: 0,
    fill: 0,
    wipe: 0,
  },
};
const powerlessTablet: Profile = {
  ...PROFILES.tablet,
  name: 'powerless tablet',
  weights: { ...PROFILES.tablet.weights, losePower: 60, kill: 0, fill: 0, wipe: 0 },
};

/** Answers reach the server together. */
const crowded: Profile = {
  ...PROFILES.mixed,
  name: 'crowded',
  students: 1,
  devices: 1,
  badness: 0.1,
  cheat: 0,
  crowd: 1,
};

/** A device with a clock that is set forward and back while it is offline. */
const setForward: Profile = {
  ...PROFILES.clocks,
  name: 'set forward',
  students: 1,
  devices: 1,
  weights: { clockForwardAndBack: 40, finish: 0, takeOver: 0, fill: 0 },
};

const slow: Profile = {
  ...PROFILES.lines,
  name: 'slow',
  devices: 1,
  badness: 0,
  weights: { uploadSlowly: 60, finish: 0, kill: 0, losePower: 0, sleep: 0, toDeadline: 0 },
};
const steadyTyping: Profile = {
  ...PROFILES.typing,
  name: 'steady typing',
  badness: 0.05,
  weights: { ...PROFILES.typing.weights, clearUnderPages: 0, finish: 0, losePower: 0 },
};
const cleared: Profile = {
  ...PROFILES.typing,
  name: 'cleared',
  devices: 1,
  weights: { ...PROFILES.typing.weights, clearUnderPages: 60, burst: 40 },
};

const restoredMidway: Profile = {
  ...PROFILES.restore,
  name: 'restored midway',
  badness: 0.05,
  weights: { backup: 24, restore: 1, restoreMidway: 30, burst: 30, finish: 2 },
};

const bug = (name: string, profile: Profile, plant: Plant | (() => Plant)): PlantedBug => ({
  name,
  profile,
  plant: typeof plant === 'function' ? plant : () => plant,
});

/** Without handovers, which would settle what these bugs spoil. */
const begun: Profile = {
  ...OFFLINE_START,
  name: 'begun',
  students: 1,
  devices: 1,
  badness: 0.1,
  weights: {
    ...OFFLINE_START.weights,
    openFormer: 0,
    makeHandover: 0,
    bringIn: 0,
    applyReceipts: 0,
  },
};
const begunAgain: Profile = {
  ...begun,
  name: 'begun again',
  secondAttempt: 0,
  weights: { ...begun.weights, begin: 40, finish: 40, online: 40, flush: 60 },
};

/** Backups are restored again and again. */
const begunRestored: Profile = {
  ...begun,
  name: 'begun and restored',
  weights: { ...begun.weights, backup: 30, restore: 30, online: 30, flush: 40 },
};
/** The teacher decides on what is held, and takes other codes. */
const begunHeld = {
  ...begun,
  name: 'begun and held',
  settleIn: [
    'signIn',
    'prepareOffer',
    'beginOffline',
    'beginOffline',
    'beginOffline',
    'beginOffline',
    'answer',
    'online',
    'flush',
    'showCode',
  ],
  weights: { ...begun.weights, decideBegins: 40, online: 30, flush: 50, burst: 30, finish: 12 },
} satisfies Profile;
const begunFinished: Profile = {
  ...begunHeld,
  name: 'begun and finished',
  settleIn: [...begunHeld.settleIn.slice(0, 7), 'finish', 'online', 'flush', 'decideBegins'],
};
const begunEarly: Profile = {
  ...begun,
  name: 'begun early',
  settleIn: [
    'signIn',
    'prepareOffer',
    'beginOffline',
    'beginOffline',
    'beginOffline',
    'answer',
    'sleep',
    'showCode',
    'online',
    'flush',
  ],
  weights: { ...begun.weights, showCode: 30, renewCode: 20, online: 30, flush: 40 },
};
/** A code that was shown is replaced, and the next one is known before its showing. */
const begunRenewed: Profile = {
  ...begun,
  name: 'begun by an unshown code',
  settleIn: [
    'signIn',
    'prepareOffer',
    'showCode',
    'renewCode',
    'prepareOffer',
    'beginOffline',
    'beginOffline',
    'beginOffline',
    'beginOffline',
    'answer',
    'sleep',
    'online',
    'flush',
  ],
  weights: { ...begun.weights, showCode: 4, renewCode: 2, online: 30, flush: 40 },
};
/** One student with two devices. */
const begunTwice: Profile = {
  ...begunHeld,
  name: 'begun twice',
  settleIn: [
    'signIn',
    'prepareOffer',
    'showCode',
    'copyProfile',
    'beginOffline',
    'beginOffline',
    'answer',
    'answer',
    'online',
    'online',
    'flush',
    'flush',
  ],
  devices: 3,
  weights: { ...begunHeld.weights, copyProfile: 30, decideBegins: 4, saveProfile: 20 },
};
const broken: Profile = {
  ...begun,
  name: 'broken open',
  students: 2,
  devices: 2,
  weights: { ...begun.weights, openByForce: 40, makeUpBegin: 30, beginOffline: 10, renewCode: 6 },
  settleIn: ['signIn', 'prepareOffer', 'showCode', 'makeUpBegin', 'openByForce'],
};
const begunWithoutTime: Profile = {
  ...begun,
  name: 'begun without a time',
  weights: { ...begun.weights, clock: 40, online: 30, flush: 40, changeTime: 0 },
};
const begunUnderChanges: Profile = {
  ...begun,
  name: 'begun under changes',
  weights: { ...begun.weights, changeTime: 40, online: 30, flush: 40 },
};

/** Answers leave their device by hand, and seldom by the network. */
const handedOver: Profile = {
  ...begun,
  name: 'handed over',
  settleIn: [
    'signIn',
    'prepareOffer',
    'showCode',
    'beginOffline',
    'answer',
    'makeHandover',
    'sleep',
    'bringIn',
  ],
  weights: {
    ...OFFLINE_START.weights,
    openFormer: 0,
    makeHandover: 40,
    bringIn: 50,
    burst: 40,
    answer: 60,
    flush: 10,
  },
};

export const PLANTED: readonly PlantedBug[] = [
  bug('stores picked files whenever their read ends', picks, picking.storesFilesAsRead),
  bug('acknowledges before sending', busy, sending.acknowledgesBeforeSending),
  bug('deletes before sending', busy, sending.deletesBeforeSending),
  bug('trusts any 200', strangers, sending.trustsAny200),
  bug('trusts 200 with HTML', strangers, sending.trustsHtml),
  bug('trusts an empty 200', strangers, sending.trustsEmpty),
  bug('trusts any JSON', strangers, sending.trustsAnyJson),
  bug('ignores which operation a receipt names', busy, sending.ignoresReceiptsName),
  bug('fresh idempotency key at each try', busy, sending.freshKeyEachTry),
  bug('same key with a changed body', busy, sending.sameKeyOtherBody),
  bug('finish overtakes answers', finishes, sending.finishOvertakes),
  bug('finish without its place', finishes, sending.finishWithoutPlace),
  bug('sends under whoever is signed in', tablet, keeping.sendsAsWhoeverIsSignedIn),
  bug('drops on 401', tablet, sending.dropsOn401),
  bug('drops on 429', refused, sending.dropsOn429),
  bug('obeys a stranger’s Retry-After', refused, sending.obeysStrangers),
  bug('calls a time-out a refusal', slow, lines.refusesOnTimeOut),
  bug('forgets which size timed out', slow, lines.forgetsWhatFailed),
  bug('sends small chunks alone', slow, lines.staysSmall),
  bug('counts failures though bytes arrive', slow, lines.countsDespiteProgress),
  bug('waits for a pause of typing', steadyTyping, typing.waitsForPause),
  bug('stores at no pause of typing', steadyTyping, typing.storesWhileTyping),
  bug('notes no keys', steadyTyping, typing.notesNoKeys),
  bug('restores typed text over newer', steadyTyping, typing.restoresOverNewer),
  bug('leaves typed text at a sign-out', steadyTyping, typing.leavesTypedText),
  bug('passes over cleared rows', cleared, keeping.ignoresClearing),
  bug('keeps the finish of a clock that was put right', setForward, keeping.keepsEarlyFinish),
  bug('drops after some failures', PROFILES.storm, sending.dropsAfterFailures),
  bug('drops the queue at logout', tablet, keeping.dropsQueueAtSignOut),
  bug('loses what it encrypts', tablet, keeping.losesWhatItEncrypts),
  bug('says saved before the disk has it', PROFILES.pages, keeping.relaxedDurability),
  bug(
    'sequence allocated outside of the transaction',
    PROFILES.pages,
    keeping.sequenceOutsideTransaction,
  ),
  bug('forgets which sequences it gave', PROFILES.pages, keeping.forgetsGivenSequences),
  bug('drops what met a taken sequence', full, sending.dropsOnUsedSequence),
  bug(
    'sends again after a restore without receipts',
    PROFILES.restore,
    sending.resendsWithoutReceipts,
  ),
  bug('says saved before the commit', powerless, crashing.saysSavedBeforeCommit),
  bug('deletes before the receipt is stored', powerless, crashing.deletesBeforeReceipt),
  bug('folds before the newer answer is stored', powerless, crashing.foldsBeforeStoring),
  bug('stores bytes of a file behind its answer', powerless, crashing.bytesAfterAnswer),
  bug('deletes before the cipher is stored', powerlessTablet, crashing.deletesBeforeCipher),
  bug('screen shrinks on an empty reply', busy, keeping.shrinksOnEmptyReply),
  bug('trusts the device’s clock', clocks, sending.trustsDeviceClock),
  bug('keeps what it first learnt of the time', PROFILES.clocks, sending.keepsFirstOffset),
  bug('trusts a reply from before a restore', restoredMidway, sending.trustsReplyBeforeRestore),
  bug('passes over what the former app wrote', PROFILES.versions, keeping.ignoresFormerRows),
  bug('names neither folded nor set-aside', busy, sending.namesNothingGivenUp),
  bug('does not name what is set aside', poisoned, sending.hidesSetAside),
  bug('a poisoned answer stops the others', poisoned, sending.poisonStopsOthers),
  bug('server takes late answers as in time', late, server.takesLateAsInTime),
  bug('server orders by receipt', reordered, server.ordersByReceipt),
  bug('server scores by receipt', reordered, server.scoresByReceipt),
  bug('server scores held answers', late, server.scoresHeld),
  bug('server makes a second attempt of a repeated start', starts, server.forgetsStartKeys),
  bug('server gives a take-over the old epoch', PROFILES.takeover, server.takeOverKeepsEpoch),
  bug('server does not count attempts', restarts, server.ignoresAttemptsCount),
  bug('server moves a deadline back', PROFILES.deadline, server.movesDeadlineBack),
  bug('server ends an attempt before its start', late, server.closesBeforeStart),
  bug('server counts answers by who has seen the result', quick, server.forgetsWhoSawResult),
  bug('server forgets that it showed a result', quick, server.forgetsWhatWasShown),
  bug('server counts them by added minutes', patient, server.countsAfterResultByMinutes),
  bug('server believes any age', quick, server.believesAnyAge),
  bug('server mixes the verdicts of a batch', crowded, server.mixesVerdicts),
  bug('server counts the verdicts of a batch', crowded, server.countsVerdicts),
  bug('server stores one text for a batch', crowded, server.storesFirstText),
  bug('counts a begin from its sending', begun, offers.countsFromSending),
  bug('reports an unknown age as none', begunWithoutTime, offers.reportsUnknownAsNone),
  bug('sends a begin without its age', begun, offers.sendsNoAge),
  bug('a repeated begin is another one', begun, offers.sendsFreshStreams),
  bug('forgets the begin', begun, offers.forgetsBegin),
  bug('accepts its begin before it is sent', begun, offers.acceptsUnsent),
  bug('keeps its estimate of the time', begunWithoutTime, offers.keepsEstimate),
  bug('sends no begin again after a restore', begunRestored, offers.keepsBeginAfterRestore),
  bug('sends answers before their begin', begun, offers.sendsAnswersFirst),
  bug('server ignores when the code was shown', begun, offers.ignoresFirstShowing),
  bug('server forgets that the code was shown', begun, offers.forgetsFirstShowing),
  bug('server lets begins come long before the code', begunEarly, offers.widensGrace),
  bug('server treats a new code as shown', begunRenewed, offers.keepsShowing),
  bug('server accepts the offer of a former code', begunEarly, offers.takesFormerCode),
  bug('server keeps no promised time', begunUnderChanges, offers.forgetsPromise),
  bug('server begins beyond the attempts', begunAgain, offers.ignoresOtherAttempts),
  bug('server adds minutes to a begin', begun, offers.addsMinutes),
  bug('server mistakes a second device for the first', begunTwice, offers.mistakesSecondDevice),
  bug('server counts answers of a held begin', begunEarly, offers.countsHeldBegin),
  bug('server counts answers of a second device', begunTwice, offers.countsSecondDevice),
  bug('server counts no answer of an accepted begin', begunHeld, offers.acceptsNoAnswers),
  bug('server drops answers of a refused begin', begunHeld, offers.dropsRefused),
  bug('server loses an early finish', begunFinished, offers.losesEarlyFinish),
  bug('server shows what is held', broken, offers.showsHeld),
  bug('server checks no proof', broken, offers.checksNoProof),
  bug('server wraps all offers for one student', broken, offers.wrapsForTheFirst),
  bug('server seals nothing', broken, offers.sealsNothing),
  bug('server gives new ids to what is brought in', handedOver, handovers.givesNewIds),
  bug('server forgets how long a handover was on its way', handedOver, handovers.forgetsTheTransit),
  bug('server counts the way of a handover twice', handedOver, handovers.countsTheTransitTwice),
  bug('acknowledges what it hands over', handedOver, handovers.acknowledgesAtHandover),
  bug('folds what it handed over', handedOver, handovers.claimsNothing),
  bug('a camera takes the codes of another screen', handedOver, handovers.readsAnyFrame),
  bug('server replies without a commit', busy, server.repliesWithoutCommit),
];
