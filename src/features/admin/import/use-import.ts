import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { checkImport, importUsers, type ImportResult, type ImportRow } from '#contract/admin.ts';
import { renewUsers } from '#app/features/admin/queries.ts';
import { call } from '#app/api/call.ts';
import { describeFailure } from '#app/lib/failure-messages.ts';
import { newId } from '#app/lib/new-id.ts';
import { batchesOf, runBatches, type ImportBatch } from './batches.ts';
import type { CheckedRow } from './judge.ts';
import { knownRow, type KnownRow, type Results } from './outcome.ts';

/** `check` validates rows on the server, `make` creates the accounts. */
type Errand = 'check' | 'make';

export type ImportStage =
  | { readonly kind: 'running'; readonly errand: Errand; readonly waiting: string | null }
  /** Ended early: by the user, or by `problem`. */
  | { readonly kind: 'paused'; readonly errand: Errand; readonly problem: string | null }
  | { readonly kind: 'done'; readonly errand: Errand };

export interface ImportProgress {
  done: number;
  of: number;
}

const SEND: Readonly<Record<Errand, (batch: ImportBatch) => Promise<readonly ImportResult[]>>> = {
  check: async ({ rows }) => (await call(checkImport, { body: { rows: [...rows] } })).results,
  make: async ({ key, rows }) =>
    (await call(importUsers, { body: { key, rows: [...rows] } })).results,
};

/** Waits until the time is over or the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

interface Work {
  batches: readonly ImportBatch[];
  results: Map<number, ImportResult>;
}

const isOpen = ({ results }: Work, { rows }: ImportBatch) =>
  !rows.every(({ line }) => results.has(line));

/** Sends the batches of an errand that have no results yet. */
function runErrand(
  errand: Errand,
  todo: Work,
  signal: AbortSignal,
  {
    setStage,
    setResults,
  }: { setStage: (stage: ImportStage) => void; setResults: (results: Results) => void },
) {
  setStage({ kind: 'running', errand, waiting: null });
  return runBatches(
    todo.batches.filter((batch) => isOpen(todo, batch)),
    {
      send: SEND[errand],
      wait: (ms) => pause(ms, signal),
      signal,
      onResults: (results) => {
        for (const result of results) todo.results.set(result.line, result);
        setResults(new Map(todo.results));
      },
      onWaiting: (waiting) => setStage({ kind: 'running', errand, waiting }),
    },
  );
}

function stageAfter(errand: Errand, end: Awaited<ReturnType<typeof runBatches>>): ImportStage {
  if (end.kind === 'done') return { kind: 'done', errand };
  const problem = end.kind === 'failed' ? describeFailure(end.error) : null;
  return { kind: 'paused', errand, problem };
}

/**
 * Checks rows on the server and creates accounts in batches. Passwords exist only in this page's memory.
 */
export function useImport(judged: readonly CheckedRow[]) {
  const client = useQueryClient();
  const work = useRef<Record<Errand, Work>>({
    check: { batches: [], results: new Map() },
    make: { batches: [], results: new Map() },
  });
  const stopper = useRef<AbortController>(null);
  const [checked, setChecked] = useState<Results>(new Map());
  const [made, setMade] = useState<Results>(new Map());
  const [rowsOf, setRowsOf] = useState<Readonly<Record<Errand, number>>>({ check: 0, make: 0 });
  const [stage, setStage] = useState<ImportStage>({
    kind: 'running',
    errand: 'check',
    waiting: null,
  });

  const rows: readonly KnownRow[] = useMemo(
    () => judged.map((row) => knownRow(row, checked, made)),
    [judged, checked, made],
  );

  const run = async (errand: Errand) => {
    const todo = work.current[errand];
    const stop = new AbortController();
    stopper.current = stop;
    const end = await runErrand(errand, todo, stop.signal, {
      setStage,
      setResults: errand === 'check' ? setChecked : setMade,
    });
    if (stopper.current !== stop) return;
    if (errand === 'make') void renewUsers(client);
    setStage(stageAfter(errand, end));
  };
  const begin = (errand: Errand, given: readonly ImportRow[]) => {
    work.current[errand] = { batches: batchesOf(given, newId), results: new Map() };
    setRowsOf((before) => ({ ...before, [errand]: given.length }));
    void run(errand);
  };

  const start = useRef(begin);
  useEffect(() => {
    const fine = judged.filter(({ problems }) => problems.length === 0);
    start.current(
      'check',
      fine.map(({ row }) => row),
    );
    return () => {
      stopper.current?.abort();
      stopper.current = null;
    };
  }, [judged]);

  const progress: ImportProgress = {
    done: stage.errand === 'check' ? checked.size : made.size,
    of: rowsOf[stage.errand],
  };
  return {
    rows,
    stage,
    progress,
    make: () =>
      begin(
        'make',
        rows.filter(({ state }) => state === 'good').map(({ row }) => row),
      ),
    stop: () => stopper.current?.abort(),
    goOn: () => void run(stage.errand),
  };
}
