import * as device from './steps/device.ts';
import * as school from './steps/school.ts';
import * as session from './steps/session.ts';
import * as writing from './steps/writing.ts';
import type { World } from './world.ts';

interface Step {
  /** Usual weight; a profile may say another. */
  readonly weight: number;
  readonly take: (world: World) => Promise<void>;
  /** Whether it can have an effect now. */
  readonly when?: (world: World) => boolean;
}

const hasTab = ({ tabs }: World): boolean => tabs.length > 0;
const hasUser = ({ tabs }: World): boolean => tabs.some(({ device }) => device.session !== null);
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
  signIn: step(24, device.signInSomebody, isFree),
  begin: step(30, session.start, isIdle),
  start: step(6, session.start, hasUser),
  answer: step(40, writing.answer, hasPage),
  burst: step(18, writing.burst, hasPage),
  file: step(6, writing.addFile, hasPage),
  mark: step(1, writing.mark, hasPage),
  flush: step(30, writing.flush, hasTab),
  finish: step(3, writing.finish, hasPage),
  answerLate: step(0.7, writing.answerLate, hasPage),
  twoPages: step(6, writing.twoPages, hasTwoPages),
  takeOver: step(3, session.takeOver, hasPage),
  refresh: step(6, session.refresh, hasPage),
  kill: step(6, device.kill, hasTab),
  reload: step(6, device.reload, hasTab),
  restartBrowser: step(1, device.restartBrowser, hasTab),
  offline: step(4, device.goOffline, ({ devices }) => devices.some(({ line }) => line.online)),
  online: step(12, device.goOnline, ({ devices }) => devices.some(({ line }) => !line.online)),
  wait: step(6, device.wait),
  toDeadline: step(1.5, device.toDeadline),
  clock: step(2, device.changeClock),
  sleep: step(2, device.sleep),
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
  restartServer: step(0.5, school.restartServer),
  arrive: step(6, school.arrive, ({ network }) => network.onTheWay() > 0),
  poison: step(0.7, device.poison, hasPage),
  fill: step(1, device.fillDevice),
  free: step(10, device.freeDevice, ({ devices }) => devices.some(({ isFull }) => isFull)),
  wipe: step(0.5, device.wipe),
  lose: step(0.5, device.lose, ({ devices }) => devices.length > 1),
};

/** Someone is at a page with a test, so that the run does not spend itself on getting there. */
async function settleIn(world: World): Promise<void> {
  await device.signInSomebody(world);
  await session.start(world);
  await writing.answer(world);
}

/** Draws and takes steps; `after` looks at the world behind each. Gives how many were taken. */
export async function live(world: World, after: () => Promise<void>): Promise<number> {
  const { random, profile, timeline } = world;
  const [least, most] = profile.steps;
  await settleIn(world);
  const count = random.between(least, most);
  for (let i = 0; i < count; i += 1) {
    timeline.advance(random.between(100, 20_000));
    const possible = Object.entries(STEPS).map(([name, { weight, take, when }]) => {
      const isPossible = when?.(world) ?? true;
      return [isPossible ? (profile.weights[name] ?? weight) : 0, take] as const;
    });
    await random.weighted(possible)(world);
    await after();
  }
  return count;
}
