import { endBackgroundWork } from './background.ts';
import { restartAfterPowerCut } from './crash.ts';
import type { CallFault } from './faults.ts';
import { cheatEntry, parseScript, stepEntry, type Script, type ScriptedStep } from './script.ts';
import * as clearing from './steps/clearing.ts';
import * as device from './steps/device.ts';
import * as dishonest from './steps/dishonest.ts';
import * as handovers from './steps/handovers.ts';
import * as offers from './steps/offers.ts';
import * as offlineSchool from './steps/offline-school.ts';
import * as lines from './steps/lines.ts';
import * as school from './steps/school.ts';
import * as session from './steps/session.ts';
import * as picking from './steps/picking.ts';
import * as typing from './steps/typing.ts';
import * as writing from './steps/writing.ts';
import { fetchDeviceKey, presentPages, type World } from './world.ts';

interface Step {
  /** Default weight; a profile may override it. */
  readonly weight: number;
  readonly take: (world: World) => Promise<void>;
  /** Whether the step can have an effect now. */
  readonly when?: (world: World) => boolean;
}

const hasTab = ({ tabs }: World): boolean => tabs.length > 0;
const hasUser = ({ tabs }: World): boolean => tabs.some(({ device }) => device.session !== null);
const hasPresentPage = (world: World): boolean => presentPages(world).length > 0;
const hasPage = ({ tabs }: World): boolean =>
  tabs.some(({ attemptId, device }) => attemptId !== null && device.session !== null);
const isIdle = ({ tabs }: World): boolean =>
  tabs.some(({ attemptId, device }) => attemptId === null && device.session !== null);
const isFree = ({ devices, blocked, students }: World): boolean =>
  blocked.size < students.length &&
  devices.some(({ session, isLost, line }) => session === null && !isLost && line.online);
const isPublic = ({ students }: World): boolean => students.length > 1;
const hasTwoPages = ({ tabs }: World): boolean =>
  tabs.some((one) => tabs.some((other) => other !== one && other.device === one.device));

const step = (weight: number, take: Step['take'], when: Step['when'] = () => true): Step => ({
  weight,
  take,
  when,
});

const STEPS: Readonly<Record<string, Step>> = {
  openPage: step(5, device.openOne),
  openFormer: step(0, device.openFormer),
  signIn: step(24, device.signInSomebody, isFree),
  begin: step(30, session.start, isIdle),
  start: step(6, session.start, hasUser),
  answer: step(40, writing.answer, hasPage),
  burst: step(18, writing.burst, hasPage),
  file: step(6, writing.addFile, hasPage),
  pickFiles: step(2, picking.pickFiles, hasPage),
  mark: step(1, writing.mark, hasPage),
  flush: step(30, writing.flush, hasTab),
  finish: step(3, writing.finish, hasPage),
  answerLate: step(0.7, writing.answerLate, hasPage),
  twoPages: step(6, writing.twoPages, hasTwoPages),
  takeOver: step(3, session.takeOver, hasPage),
  refresh: step(6, session.refresh, hasPage),
  kill: step(6, device.kill, hasTab),
  losePower: step(3, device.losePower, hasTab),
  reload: step(6, device.reload, hasTab),
  restartBrowser: step(1, device.restartBrowser, hasTab),
  offline: step(4, device.goOffline, ({ devices }) => devices.some(({ line }) => line.online)),
  online: step(12, device.goOnline, ({ devices }) => devices.some(({ line }) => !line.online)),
  wait: step(6, device.wait),
  toDeadline: step(1.5, device.toDeadline),
  clock: step(2, device.changeClock),
  sleep: step(2, device.sleep),
  clockForwardAndBack: step(0, device.clockForwardAndBack, hasPage),
  uploadSlowly: step(0, lines.uploadSlowly, hasPage),
  typeSteadily: step(0, typing.typeSteadily, hasPage),
  clearUnderPages: step(0, clearing.clearUnderPages, hasPage),
  prepareOffer: step(0, offers.prepareOffer, hasPresentPage),
  beginOffline: step(0, offers.beginOffline, hasPresentPage),
  askBegin: step(0, offers.askBegin, hasPresentPage),
  showCode: step(0, offlineSchool.showCode),
  renewCode: step(0, offlineSchool.renewCode),
  decideBegins: step(0, offlineSchool.decideBegins),
  changeTime: step(0, offlineSchool.changeTime),
  archive: step(0, offlineSchool.archive),
  makeHandover: step(0, handovers.makeHandover, hasPresentPage),
  bringIn: step(0, handovers.bringIn, handovers.hasHandover),
  applyReceipts: step(0, handovers.applyReceipts, handovers.hasReturned),
  openByForce: step(0, dishonest.openByForce, hasPresentPage),
  makeUpBegin: step(0, dishonest.makeUpBegin, hasPresentPage),
  copyProfile: step(0, dishonest.copyProfile, hasUser),
  saveProfile: step(0, dishonest.saveProfile, hasUser),
  restoreProfile: step(0, dishonest.restoreProfile),
  stepClock: step(0, school.stepClock),
  signOut: step(1, device.signSomebodyOut, hasUser),
  otherUser: step(2, device.otherUser, (world) => hasUser(world) && isPublic(world)),
  revoke: step(1, school.revoke, hasUser),
  block: step(1, school.blockOne, ({ blocked }) => blocked.size === 0),
  unblock: step(12, school.unblockAll, ({ blocked }) => blocked.size > 0),
  addTime: step(1.5, school.addMinutes),
  editTest: step(1, school.editSomeTest),
  deleteAttempt: step(1, school.deleteSome),
  undelete: step(8, school.undeleteAll, ({ deleted }) => deleted.size > 0),
  decide: step(1, school.decide),
  sweep: step(1, school.sweep),
  backup: step(2, school.backUp, ({ backup }) => backup === null),
  restore: step(3, school.restore, ({ backup }) => backup !== null),
  restoreMidway: step(1, school.restoreMidway, ({ backup }) => backup !== null),
  restartServer: step(0.5, school.restartServer),
  arrive: step(6, school.arrive, ({ network }) => network.inFlight() > 0),
  poison: step(0.7, device.poison, hasPage),
  fill: step(1, device.fillDevice),
  free: step(10, device.freeDevice, ({ devices }) => devices.some(({ isFull }) => isFull)),
  wipe: step(0.5, device.wipe),
  lose: step(0.5, device.lose, ({ devices }) => devices.length > 1),
};

/** First steps that open a page with a running test, so that the run does not spend its steps on that. */
const SETTLE_IN = ['signIn', 'begin', 'answer'];

/** Step number of the phase after all steps. */
const END = 1_000_000;
/** Number of actions of the dishonest student between two steps. */
const CHEAT_ACTS = 2;
const NO_FAULTS: ReadonlyMap<number, CallFault> = new Map();

export interface Schedule {
  /** Script of an earlier run; null: steps are random. */
  readonly script: Script | null;
  /** Runs the n-th action of the dishonest student after this step. */
  readonly cheat: (turn: number) => Promise<void>;
  /** Checks the world after each step. */
  readonly after: () => Promise<void>;
  /** Ends all faults and sends everything. */
  readonly heal: () => Promise<void>;
}

/** Whether a step can have an effect now. */
const isPossible = (world: World, name: string): boolean => STEPS[name]?.when?.(world) ?? true;

function chooseStep(world: World): string {
  const { profile, random } = world;
  const steps = Object.entries(STEPS).map(([name, { weight }]) => {
    const usual = profile.weights[name] ?? weight;
    return [isPossible(world, name) ? usual : 0, name] as const;
  });
  return random.fork('choice').weighted(steps);
}

/** Most faults need few steps: most runs are short, and the long ones look for the rest. */
const SHORT_SHARE = 0.75;
const SHORT_STEPS = [6, 24] as const;

/** Steps in order; the name of a random step is chosen when it runs. */
function plan({ profile, random }: World, script: Script | null): ScriptedStep[] {
  if (script) return parseScript(script);
  const shape = random.fork('shape');
  const isShort = shape.chance(SHORT_SHARE);
  const settleIn = profile.settleIn ?? SETTLE_IN;
  const count = settleIn.length + shape.between(...(isShort ? SHORT_STEPS : profile.steps));
  const cheats = shape.chance(profile.cheat);
  const indexes = [...Array.from({ length: count }, (_, i) => i), END];
  return indexes.map((index) => ({ index, name: null, cheats, faults: NO_FAULTS }));
}

/** Runs the steps, then ends all faults. Returns the number of steps. */
export async function runSchedule(world: World, schedule: Schedule): Promise<number> {
  const { record, timeline, network, random: root } = world;
  const { script, after, heal } = schedule;
  const steps = plan(world, script);
  let done = 0;

  const begin = (index: number, faults: ReadonlyMap<number, CallFault> | null): void => {
    world.random = root.fork(`step ${index}`);
    network.beginStep(index, faults);
  };
  const cheat = async (index: number): Promise<void> => {
    record.script.push(cheatEntry(index));
    for (let turn = 1; turn <= CHEAT_ACTS; turn += 1) await schedule.cheat(turn);
  };

  for (const { index, name, cheats, faults } of steps.filter((step) => step.index < END)) {
    begin(index, script && faults);
    timeline.advance(world.random.between(100, 20_000));
    for (const tab of world.tabs) await fetchDeviceKey(tab);
    const chosen = script
      ? name
      : ((world.profile.settleIn ?? SETTLE_IN)[index] ?? chooseStep(world));
    const step = chosen !== null && isPossible(world, chosen) ? STEPS[chosen] : undefined;
    if (step && chosen !== null) {
      record.script.push(stepEntry(index, chosen));
      await endBackgroundWork();
      await step.take(world);
      done += 1;
    }
    await restartAfterPowerCut(world);
    await after();
    if (cheats) await cheat(index);
  }
  begin(END, NO_FAULTS);
  await heal();
  if (steps.some(({ index, cheats }) => index === END && cheats)) await cheat(END);
  return done;
}
