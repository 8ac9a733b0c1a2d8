import type { FastifyInstance } from 'fastify';
import { addTimeToMany, getBoard, watchBoard } from '#contract/board.ts';
import { getLostTime, getSilence, giveTimeBack } from '#contract/lost-time.ts';
import type { Deps } from '#server/deps.ts';
import { handle } from '#server/http/handle.ts';
import { createSemaphore } from '#server/http/semaphore.ts';
import { Refusal } from '#server/http/refusal.ts';
import { handleStream } from '#server/http/stream.ts';
import { mayManageTest, requireLevel } from '#server/tests/level.ts';
import { giveBack, grantTime } from './extra-time.ts';
import { listLostTime, readSilence } from './lost-time.ts';
import { readBoard } from './read-board.ts';
import { createBoardWatch } from './watch.ts';

/** Maximum number of open streams per account: some tabs on some machines. */
const STREAMS_EACH = 6;
const TRY_AGAIN_SECONDS = 30;

export function registerBoard(app: FastifyInstance, deps: Deps): void {
  const watchWith = (trials: boolean) =>
    createBoardWatch((testId) => readBoard(deps.pool, { testId, trials }, deps.clock()), deps.log);
  const watches = { ofStudents: watchWith(false), ofAll: watchWith(true) };
  const streams = createSemaphore(STREAMS_EACH, { retryAfterSeconds: TRY_AGAIN_SECONDS });

  handle(app, deps, getBoard, async ({ caller, params, query, now }) => {
    await requireLevel(deps.pool, caller, params.id, 'results');
    const of = { testId: params.id, trials: query.trials === '1' };
    const board = await readBoard(deps.pool, of, now);
    if (!board) throw new Refusal('NOT_FOUND');
    return board;
  });

  handleStream(app, deps, watchBoard, async ({ caller, params, query }, sink) => {
    await requireLevel(deps.pool, caller, params.id, 'results');
    const release = streams.take(caller.userId);
    const watch = query.trials === '1' ? watches.ofAll : watches.ofStudents;
    const leave = watch.watch(params.id, {
      changed: (board) => {
        sink.send(board);
        if (query.once === '1') sink.end();
      },
      unchanged: () => sink.alive(),
      over: () => sink.end(),
    });
    return {
      isAllowed: (now) => mayManageTest(deps.pool, now, params.id, 'results'),
      stop: () => {
        leave();
        release();
      },
    };
  });

  registerLostTime(app, deps);
  registerExtraTime(app, deps, (testId) => {
    for (const watch of [watches.ofAll, watches.ofStudents]) watch.refresh(testId);
  });
}

function registerLostTime(app: FastifyInstance, deps: Deps): void {
  handle(app, deps, getLostTime, async ({ caller, params, now }) => {
    await requireLevel(deps.pool, caller, params.id, 'results');
    return listLostTime(deps.pool, params.id, now);
  });

  handle(app, deps, getSilence, async ({ caller, params, query }) => {
    await requireLevel(deps.pool, caller, params.id, 'results');
    return readSilence(deps.pool, params.id, query.attemptId);
  });
}

/** @param refresh shows the boards of a test what changed */
function registerExtraTime(
  app: FastifyInstance,
  deps: Deps,
  refresh: (testId: string) => void,
): void {
  handle(
    app,
    deps,
    addTimeToMany,
    async ({ caller, params, body, now }) => {
      const granted = await grantTime(deps, params.id, body, { at: now, actorId: caller.userId });
      refresh(params.id);
      return granted;
    },
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'grade') },
  );

  handle(
    app,
    deps,
    giveTimeBack,
    async ({ caller, params, body, now }) => {
      const given = await giveBack(deps, params.id, body, { at: now, actorId: caller.userId });
      refresh(params.id);
      return given;
    },
    { admit: ({ caller, params }) => requireLevel(deps.pool, caller, params.id, 'grade') },
  );
}
