import { useRouteContext } from '@tanstack/react-router';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Question } from '#contract/questions.ts';
import { formatCount, QUESTIONS } from '#domain/format.ts';
import type { FormatId } from '#interchange/model.ts';
import { findImported } from '#contract/bank.ts';
import type { DraftEditor } from '#app/drafts/draft.ts';
import { PictureWay } from '#app/questions/form/picture-way.ts';
import { isRecording } from '#app/lib/recordings.ts';
import { call } from '#app/api/call.ts';
import { bring } from './bring.ts';
import {
  firstChosen,
  nextPart,
  partsOf,
  roomLeft,
  sourcesIn,
  toggled,
  type ImportPart,
} from './import-plan.ts';
import type { ImportedTest } from './messages.ts';
import { describeExchangeFailure, readInWorker } from './run-exchange.ts';
import { startPictureWorker } from './picture-worker.ts';
import { openSentPictures } from './sent-pictures.ts';

/** Sources of a file's items that the teacher's bank contains; null: the server did not reply. */
async function readBanked(
  { items }: ImportedTest,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const sources = [...new Set(items.map(({ source }) => source))];
  try {
    return new Set((await call(findImported, { body: { sources } }, { signal })).sources);
  } catch {
    return null;
  }
}

export interface PreviewStep {
  readonly kind: 'preview';
  readonly file: File;
  readonly imported: ImportedTest;
  /** Sources of the items that the teacher's bank contains; null: the server did not reply. */
  readonly banked: ReadonlySet<string> | null;
  readonly part: ImportPart;
}

/** The upload of the chosen questions' pictures; `preview` is the step before it. */
interface Carrying {
  readonly preview: PreviewStep;
  readonly done: number;
  readonly of: number;
}

export type ImportStep =
  /** With a file that could not be read, and may be read as another format. */
  | { readonly kind: 'pick'; readonly file: File | null }
  | { readonly kind: 'reading'; readonly name: string; readonly count: number }
  | PreviewStep
  | ({ readonly kind: 'bringing' } & Carrying)
  /** Stopped by the teacher or by a failure; nothing is in the test yet. */
  | ({ readonly kind: 'paused' } & Carrying)
  | {
      readonly kind: 'done';
      readonly count: number;
      readonly lost: readonly string[];
      /** Number of new questions in other parts of the file. */
      readonly left: number;
    };

/** `change` may run again on newer questions: existing ones are not added twice. */
const isNewAmong = (now: readonly Question[]) => {
  const known = new Set(now.map(({ questionId }) => questionId));
  return ({ questionId }: Question) => !known.has(questionId);
};

/** The import of a file into a test, from the picked file to its questions in the working copy. */
export function useFileImport(draft: DraftEditor) {
  const way = useContext(PictureWay);
  const { app } = useRouteContext({ from: '__root__' });
  const [sent] = useState(() => openSentPictures(app.session.current()?.user.userId ?? ''));
  const [step, setStep] = useState<ImportStep>({ kind: 'pick', file: null });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [problem, setProblem] = useState<string | null>(null);
  const underway = useRef<AbortController | null>(null);
  useEffect(() => () => underway.current?.abort(), []);
  const room = roomLeft(draft.questions);
  const present = useMemo(() => sourcesIn(draft.questions), [draft.questions]);

  const begin = () => {
    underway.current?.abort();
    underway.current = new AbortController();
    return underway.current.signal;
  };

  const reset = () => {
    underway.current?.abort();
    setStep({ kind: 'pick', file: null });
    setProblem(null);
  };

  const knownWith = (banked: ReadonlySet<string> | null) =>
    new Set([...present, ...(banked ?? [])]);

  const showPart = (preview: PreviewStep, part: ImportPart) => {
    setChosen(firstChosen(preview.imported, part, knownWith(preview.banked), room));
    setStep({ ...preview, part });
  };

  const read = async (file: File, format: FormatId | null) => {
    const signal = begin();
    setProblem(null);
    const tell = (count: number) => {
      if (!signal.aborted) setStep({ kind: 'reading', name: file.name, count });
    };
    tell(0);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const imported = await readInWorker(
        { kind: 'read', file: { name: file.name, bytes }, format },
        signal,
        tell,
      );
      const banked = await readBanked(imported, signal);
      signal.throwIfAborted();
      const part = nextPart(imported, present, knownWith(banked));
      showPart({ kind: 'preview', file, imported, banked, part }, part);
    } catch (error) {
      if (signal.aborted) return;
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'pick', file });
    }
  };

  const take = async (preview: PreviewStep) => {
    const signal = begin();
    let progress = { done: 0, of: 0 };
    const onProgress = (done: number, of: number) => {
      progress = { done, of };
      setStep({ kind: 'bringing', preview, ...progress });
    };
    setProblem(null);
    const pictures = startPictureWorker(way.prepare);
    signal.addEventListener('abort', pictures.close, { once: true });
    const apart = {
      ...way,
      prepare: (file: Blob) => (isRecording(file) ? way : pictures).prepare(file),
    };
    try {
      const { imported, banked } = preview;
      const options = { way: apart, sent, onProgress, signal };
      const { questions, lost } = await bring(imported, chosen, options);
      draft.change(`импорт: ${formatCount(questions.length, QUESTIONS)}`, (now) => [
        ...now,
        ...questions.filter(isNewAmong(now)),
      ]);
      const known = knownWith(banked);
      const left = imported.items.filter(
        ({ source }, index) => !known.has(source) && !chosen.has(index),
      ).length;
      const hasParts = partsOf(imported).length > 1;
      setStep({ kind: 'done', count: questions.length, lost, left: hasParts ? left : 0 });
    } catch (error) {
      if (signal.aborted) return;
      setProblem(describeExchangeFailure(error));
      setStep({ kind: 'paused', preview, ...progress });
    } finally {
      pictures.close();
    }
  };

  /** Stops the uploads. The pictures that are on the server stay known. */
  const pause = (carrying: Carrying) => {
    underway.current?.abort();
    setStep({ ...carrying, kind: 'paused' });
  };

  const backTo = (preview: PreviewStep) => {
    setProblem(null);
    setStep(preview);
  };

  const toggle = useCallback((index: number) => setChosen((now) => toggled(now, index)), []);

  const chooseAlso = (more: readonly number[]) => setChosen((now) => new Set([...now, ...more]));

  return {
    step,
    chosen,
    room,
    present,
    problem,
    setProblem,
    knownWith,
    reset,
    read,
    showPart,
    take,
    pause,
    backTo,
    toggle,
    chooseAlso,
  };
}

export type ImportState = ReturnType<typeof useFileImport>;
